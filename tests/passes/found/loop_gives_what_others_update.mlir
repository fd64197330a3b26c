// What a turn gives was made outside of the loop, and updated in place for another result.
// arguments: tensor<2x4xf64>; seed 66000930
module {
  func.func @main(%arg0: tensor<2x?xf64>) -> (tensor<2x?xf64>, tensor<2x?xf64>) {
    %0:2 = wax.sort (%a, %b = %arg0, %c, %d = %arg0) along 1 : (tensor<2x?xf64>, tensor<2x?xf64>) -> (tensor<2x?xf64>, tensor<2x?xf64>) {
      %3 = arith.cmpf ult, %b, %a : f64
      %4 = arith.cmpf ord, %b, %b : f64
      %5 = arith.andi %3, %4 : i1
      wax.yield %5 : i1
    }
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %1 = scf.for %i = %c0 to %c3 step %c1 iter_args(%carried = %0#0) -> (tensor<2x?xf64>) {
      %cast = tensor.cast %carried : tensor<2x?xf64> to tensor<2x4xf64>
      %cast_0 = tensor.cast %0#1 : tensor<2x?xf64> to tensor<2x4xf64>
      %cast_1 = tensor.cast %cast_0 : tensor<2x4xf64> to tensor<2x?xf64>
      scf.yield %cast_1 : tensor<2x?xf64>
    }
    %c-3 = arith.constant -3 : index
    %2 = wax.insert %arg0 into %0#0 offsets [0, %c-3] strides [1, 1] : (tensor<2x?xf64>, tensor<2x?xf64>) -> tensor<2x?xf64>
    return %1, %2 : tensor<2x?xf64>, tensor<2x?xf64>
  }
}
