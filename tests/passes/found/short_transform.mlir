// A real transform along two dims; found when MLIR's own tools first ran transforms.
// arguments: tensor<0xi32>, tensor<1x2x2xf32>; seed 2469
module {
  func.func @main(%arg0: tensor<0xi32>, %arg1: tensor<?x2x2xf32>) -> (tensor<3x0xf32>, tensor<1x2x?x?xf32>) {
    %0 = wax.constant dense<[[2], [-1]]> : tensor<2x1xi32>
    %1 = wax.map (%a = %arg1) : (tensor<?x2x2xf32>) -> tensor<?x2x2xf32> {
      wax.yield %a : f32
    }
    %c-3 = arith.constant -3 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %2 = wax.slice %arg1 offsets [0, 1, %c0] sizes [%c1, %c1, 1] strides [2, 1, 1] : (tensor<?x2x2xf32>) -> tensor<?x?x1xf32>
    %3 = wax.gather %0[2, %0[0, 1]] : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x1x2xi32>
    %4 = wax.permute %2 [2, 0, 1] : (tensor<?x?x1xf32>) -> tensor<1x?x?xf32>
    %5 = wax.slice %1 offsets [0, 0, 0] sizes [1, 2, 2] strides [1, 1, 1] : (tensor<?x2x2xf32>) -> tensor<1x2x2xf32>
    %6 = wax.map (%a = %5) : (tensor<1x2x2xf32>) -> tensor<1x2x2xf32> {
      %11 = arith.fptosi %a : f32 to i8
      %12 = arith.sitofp %11 : i8 to f32
      wax.yield %12 : f32
    }
    %7 = wax.fft %6 over [2, 0] : (tensor<1x2x2xf32>) -> tensor<1x2x2xcomplex<f32>>
    %8 = wax.map (%a = %7) : (tensor<1x2x2xcomplex<f32>>) -> tensor<1x2x2xf32> {
      %11 = complex.im %a : complex<f32>
      %cst = arith.constant 0.000000e+00 : f32
      %12 = arith.addf %11, %cst : f32
      wax.yield %12 : f32
    }
    %9 = wax.constant dense<> : tensor<3x0xf32>
    %c2 = arith.constant 2 : index
    %10 = wax.reshape %8 [[0], [1], [2]] into [[0], [1], [2, 3]] sizes [%c2, %c1] : (tensor<1x2x2xf32>) -> tensor<1x2x?x?xf32>
    return %9, %10 : tensor<3x0xf32>, tensor<1x2x?x?xf32>
  }
}
