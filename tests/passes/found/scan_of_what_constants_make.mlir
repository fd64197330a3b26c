// IREE ran the scan once for all calls, as it reads what is made of constants only, and took one result for the other.
// arguments: tensor<2x2xf32>, tensor<i1>; seed 235000104
module {
  func.func @main(%arg0: tensor<2x2xf32>, %arg1: tensor<i1>) -> (tensor<?x?x2x1xf32>, tensor<?x?x2x1xf32>) {
    %0 = wax.constant dense<0xFF800000> : tensor<f32>
    %1 = wax.constant dense<0.000000e+00> : tensor<f32>
    %2 = tensor.extract %arg1[] : tensor<i1>
    %3 = scf.if %2 -> (tensor<?x?xf32>) {
      %7 = tensor.cast %arg0 : tensor<2x2xf32> to tensor<?x?xf32>
      scf.yield %7 : tensor<?x?xf32>
    } else {
      %7 = tensor.cast %arg0 : tensor<2x2xf32> to tensor<?x?xf32>
      scf.yield %7 : tensor<?x?xf32>
    }
    %4 = wax.fold (%a = %3) dims [] sizes [] strides [] dilations [] init(%acc = %0) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32> {
      %7 = arith.constant 0x7FC00000 : f32
      wax.yield %7 : f32
    } combine (%acc, %acc_0) {
      %7 = arith.maximumf %acc, %acc_0 : f32
      wax.yield %7 : f32
    }
    %5 = wax.window %4 dims [0, 1] sizes [2, 1] strides [1, 1] dilations [1, 1] : (tensor<?x?xf32>) -> tensor<?x?x2x1xf32>
    %6:2 = wax.scan (%a = %5, %b = %5) along 1 exclusive reverse init(%acc = %1, %acc_0 = %0) : (tensor<?x?x2x1xf32>, tensor<?x?x2x1xf32>, tensor<f32>, tensor<f32>) -> (tensor<?x?x2x1xf32>, tensor<?x?x2x1xf32>) {
      %7 = arith.addf %a, %acc : f32
      %8 = arith.maximumf %b, %acc_0 : f32
      wax.yield %7, %8 : f32, f32
    } combine (%acc, %acc_0, %acc_1, %acc_2) {
      %7 = arith.addf %acc, %acc_1 : f32
      %8 = arith.maximumf %acc_0, %acc_2 : f32
      wax.yield %7, %8 : f32, f32
    }
    return %6#0, %6#1 : tensor<?x?x2x1xf32>, tensor<?x?x2x1xf32>
  }
}
