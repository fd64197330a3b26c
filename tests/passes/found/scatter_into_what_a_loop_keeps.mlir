// A size that was found to be 1 after the lowering let IREE move what the scatter reads out of its loop.
// arguments: tensor<2x1x2xf32>, tensor<1xi16>, tensor<i32>, tensor<2x1xi32>; seed 41667990
module {
  func.func @main(%arg0: tensor<?x?x?xf32>, %arg1: tensor<1xi16>, %arg2: tensor<i32>, %arg3: tensor<2x1xi32>) -> tensor<?x?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %0 = scf.for %arg4 = %c0 to %c2 step %c1 iter_args(%arg5 = %arg0) -> (tensor<?x?x?xf32>) {
      %cast = tensor.cast %arg0 : tensor<?x?x?xf32> to tensor<?x1x?xf32>
      %cast_0 = tensor.cast %cast : tensor<?x1x?xf32> to tensor<?x?x?xf32>
      scf.yield %cast_0 : tensor<?x?x?xf32>
    }
    %1:2 = wax.scatter (%a = %arg3) into(%acc = %0, %acc_0 = %arg0)[%arg1[1], %arg2[], 0] : (tensor<2x1xi32>, tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<1xi16>, tensor<i32>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
      wax.yield %acc_0, %acc_0 : f32, f32
    }
    return %1#0 : tensor<?x?x?xf32>
  }
}
