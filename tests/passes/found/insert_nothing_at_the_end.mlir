// A box of nothing may start at a dim's end, where upstream lets none start: it was not lowered.
// arguments: tensor<4x2xi8>, tensor<i8>, tensor<1x1xi32>, tensor<1x0xi32>, tensor<i32>; seed 20298
module {
  func.func @main(%arg0: tensor<4x2xi8>, %arg1: tensor<i8>, %arg2: tensor<?x1xi32>, %arg3: tensor<?x?xi32>, %arg4: tensor<i32>) -> (tensor<i32>, tensor<1xi32>, tensor<f32>) {
    %0 = wax.window %arg0 dims [0, 1] sizes [1, 1] strides [3, 1] dilations [2, 1] : (tensor<4x2xi8>) -> tensor<2x2x1x1xi8>
    %c9 = arith.constant 9 : index
    %c-3 = arith.constant -3 : index
    %1 = wax.insert %arg3 into %arg2 offsets [0, 1] strides [2, 2] : (tensor<?x?xi32>, tensor<?x1xi32>) -> tensor<?x1xi32>
    %c3 = arith.constant 3 : index
    %2 = wax.iota along 1 sizes [%c3] : tensor<?x3xi8>
    %3 = wax.constant dense<0> : tensor<i8>
    %4 = wax.scan (%a = %1) along 1 init(%acc = %3) : (tensor<?x1xi32>, tensor<i8>) -> tensor<?x1xi8> {
      %7 = arith.cmpi slt, %a, %a : i32
      %8 = arith.andi %7, %7 : i1
      %9 = arith.extsi %8 : i1 to i8
      %10 = arith.maxui %9, %acc : i8
      wax.yield %10 : i8
    } combine (%acc, %acc_0) {
      %7 = arith.maxui %acc, %acc_0 : i8
      wax.yield %7 : i8
    }
    %5 = wax.gather %1[%arg4[], 0] : (tensor<?x1xi32>, tensor<i32>) -> tensor<1xi32>
    %6 = wax.map (%a = %arg4) : (tensor<i32>) -> tensor<f32> {
      %c0_i8 = arith.constant 0 : i8
      %7 = arith.shli %c0_i8, %c0_i8 : i8
      %8 = arith.sitofp %7 : i8 to f32
      wax.yield %8 : f32
    }
    return %arg4, %5, %6 : tensor<i32>, tensor<1xi32>, tensor<f32>
  }
}
