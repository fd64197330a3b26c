// IREE read elements of a slice that is not contiguous from anywhere, and the process ended.
// arguments: tensor<3x1xi1>; seed 10324
module {
  func.func @main(%arg1: tensor<?x?xi1>) -> tensor<1x3xf32> {
    %0 = wax.permute %arg1 [1, 0] : (tensor<?x?xi1>) -> tensor<?x?xi1>
    %1 = wax.slice %0 offsets [0, 0] sizes [1, 3] strides [1, 1] : (tensor<?x?xi1>) -> tensor<1x3xi1>
    %2 = wax.map (%a = %1) : (tensor<1x3xi1>) -> tensor<1x3xf32> {
      %6 = arith.extsi %a : i1 to i8
      %7 = arith.sitofp %6 : i8 to f32
      wax.yield %7 : f32
    }
    %5 = wax.reverse %2 dims [1] : (tensor<1x3xf32>) -> tensor<1x3xf32>
    return %5 : tensor<1x3xf32>
  }
}
