// IREE made a reshape of the broadcast, moved it before the slice, and crashed.
// arguments: tensor<2xf32>; seed 115000770
module {
  func.func @main(%arg0: tensor<2xf32>) -> (tensor<3xf32>, tensor<3x3xi8>) {
    %one = wax.constant dense<1> : tensor<i8>
    %numbers = wax.iota along 0 : tensor<3xi8>
    %element = wax.slice %numbers offsets [0] sizes [1] strides [1] : (tensor<3xi8>) -> tensor<1xi8>
    %wide = wax.broadcast (%a = %element[1]) sizes [1] : (tensor<1xi8>) -> tensor<1x1xi8> {
      wax.yield %a : i8
    }
    %padded = wax.pad %wide with %one low [0, 2] high [2, 0] interior [0, 0] : (tensor<1x1xi8>, tensor<i8>) -> tensor<3x3xi8>
    %floats = wax.map (%a = %numbers) : (tensor<3xi8>) -> tensor<3xf32> {
      %0 = arith.sitofp %a : i8 to f32
      wax.yield %0 : f32
    }
    return %floats, %padded : tensor<3xf32>, tensor<3x3xi8>
  }
}
