// IREE hoisted what was computed with the number out of the function, and took one result of it for the other.
// arguments: tensor<0x4xi8>; seed 41667000
module {
  func.func @main(%arg0: tensor<0x4xi8>) -> (tensor<complex<f32>>, tensor<complex<f32>>) {
    %0 = wax.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
    %1 = wax.map (%a = %0) : (tensor<complex<f32>>) -> tensor<complex<f32>> {
      %3 = complex.conj %a : complex<f32>
      wax.yield %3 : complex<f32>
    }
    %2 = wax.map (%a = %1) : (tensor<complex<f32>>) -> tensor<complex<f32>> {
      %3 = complex.neg %a : complex<f32>
      wax.yield %3 : complex<f32>
    }
    return %1, %2 : tensor<complex<f32>>, tensor<complex<f32>>
  }
}
