// IREE made a dispatch that reads no tensor anew for a reshape of one of its results, and took its first result:
// the scan's first accumulator, of another width, for its second.
// arguments: tensor<0x1xi1>, tensor<i32>, tensor<1x2x3xi32>, tensor<1x1x2xi1>, tensor<1xi32>; seed 10287
module {
  func.func @main(%arg0: tensor<0x1xi1>, %arg1: tensor<i32>, %arg2: tensor<?x2x?xi32>, %arg3: tensor<1x1x2xi1>, %arg4: tensor<1xi32>) -> (tensor<?x2x?xf32>, tensor<?x2x?xf32>) {
    %0 = wax.constant dense<1.000000e+00> : tensor<f32>
    %1 = wax.constant dense<1> : tensor<i8>
    %2:2 = wax.scan (%a = %arg2) along 2 exclusive reverse init(%acc = %1, %acc_0 = %0) : (tensor<?x2x?xi32>, tensor<i8>, tensor<f32>) -> (tensor<?x2x?xi8>, tensor<?x2x?xf32>) {
      %c0_i8 = arith.constant 0 : i8
      wax.yield %c0_i8, %acc_0 : i8, f32
    }
    %3 = wax.scatter (%a = %arg3) into(%acc = %2#1)[1, 2, %arg4[0]] : (tensor<1x1x2xi1>, tensor<?x2x?xf32>, tensor<1xi32>) -> tensor<?x2x?xf32> {
      wax.yield %acc : f32
    }
    return %2#1, %3 : tensor<?x2x?xf32>, tensor<?x2x?xf32>
  }
}
