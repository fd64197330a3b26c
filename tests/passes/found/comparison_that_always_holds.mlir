// MLIR crashed on a comparison that always holds, of a float converted from an integer.
// arguments: tensor<2xf64>, tensor<i1>, tensor<3xf64>; seed 5210770
module {
  func.func @main(%arg0: tensor<2xf64>, %arg1: tensor<i1>, %arg2: tensor<?xf64>) -> tensor<?xf64> {
    %extracted = tensor.extract %arg1[] : tensor<i1>
    %0 = scf.if %extracted -> (tensor<3xf64>) {
      %2 = wax.broadcast (%a = %arg1[], %b = %arg1[]) sizes [3] : (tensor<i1>, tensor<i1>) -> tensor<3xf64> {
        %3 = arith.xori %a, %b : i1
        %4 = arith.sitofp %a : i1 to bf16
        %5 = arith.sitofp %b : i1 to f32
        %cst = arith.constant 0.000000e+00 : bf16
        %6 = arith.cmpf true, %4, %cst : bf16
        %7 = arith.sitofp %6 : i1 to f64
        wax.yield %7 : f64
      }
      scf.yield %2 : tensor<3xf64>
    } else {
      %cast = tensor.cast %arg2 : tensor<?xf64> to tensor<3xf64>
      %2 = wax.slice %arg1 offsets [] sizes [] strides [] : (tensor<i1>) -> tensor<i1>
      %3 = wax.permute %cast [0] : (tensor<3xf64>) -> tensor<3xf64>
      %4 = wax.slice %arg1 offsets [] sizes [] strides [] : (tensor<i1>) -> tensor<i1>
      scf.yield %3 : tensor<3xf64>
    }
    %1 = wax.permute %arg2 [0] : (tensor<?xf64>) -> tensor<?xf64>
    return %1 : tensor<?xf64>
  }
}
