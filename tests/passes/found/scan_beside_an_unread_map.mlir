// A map was computed for a reduction that does not read it, and IREE, which takes it away later, left its empty tensor to
// the scan, which was refused: its result would have been on the stack.
// arguments: tensor<5xcomplex<f32>>; seed 209
module {
  func.func @main(%arg0: tensor<?xcomplex<f32>>) -> (tensor<?xcomplex<f32>>, tensor<f32>) {
    %0 = wax.map (%a = %arg0) : (tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
      %5 = complex.sub %a, %a : complex<f32>
      wax.yield %5 : complex<f32>
    }
    %1 = wax.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %2 = wax.constant dense<2.000000e+00> : tensor<f32>
    %3 = wax.scan (%a = %arg0) along 0 exclusive init(%acc = %1) : (tensor<?xcomplex<f32>>, tensor<complex<f32>>) -> tensor<?xcomplex<f32>> {
      wax.yield %acc : complex<f32>
    }
    %4 = wax.reduce (%a = %0, %b = %arg0) over [0] init(%acc = %2) : (tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>, tensor<f32>) -> tensor<f32> {
      %5 = complex.re %b : complex<f32>
      %6 = arith.minimumf %acc, %5 : f32
      wax.yield %6 : f32
    } combine (%acc, %acc_0) {
      %5 = arith.minimumf %acc, %acc_0 : f32
      wax.yield %5 : f32
    }
    return %3, %4 : tensor<?xcomplex<f32>>, tensor<f32>
  }
}
