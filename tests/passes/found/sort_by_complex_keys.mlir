// Both parts of the keys, which nothing reads once they are sorted, were one memory upstream.
// arguments: tensor<3x4x3xcomplex<f32>>, tensor<3x4x3xf64>; seed 304002370
module {
  func.func @main(%arg0: tensor<3x4x3xcomplex<f32>>, %arg1: tensor<3x4x3xf64>) -> tensor<3x4x3xf64> {
    %0:2 = wax.sort (%a, %b = %arg0, %c, %d = %arg1) along 2 : (tensor<3x4x3xcomplex<f32>>, tensor<3x4x3xf64>) -> (tensor<3x4x3xcomplex<f32>>, tensor<3x4x3xf64>) {
      %1 = complex.re %b : complex<f32>
      %2 = complex.re %a : complex<f32>
      %3 = arith.cmpf ult, %1, %2 : f32
      %4 = arith.cmpf ord, %1, %1 : f32
      %5 = arith.andi %3, %4 : i1
      wax.yield %5 : i1
    }
    return %0#1 : tensor<3x4x3xf64>
  }
}
