// A loop that passes on a tensor as it got it, in a branch, sent IREE's passes in circles.
// arguments: tensor<3x1xi1>, tensor<complex<f64>>, tensor<4xf16>, tensor<3x0xi64>, tensor<0x3xi1>, tensor<i1>; seed 66000227
module {
  func.func @main(%arg0: tensor<3x1xi1>, %arg1: tensor<complex<f64>>, %arg2: tensor<?xf16>, %arg3: tensor<?x0xi64>, %arg4: tensor<?x3xi1>, %arg5: tensor<i1>) -> tensor<?x4x3xi8> {
    %0 = wax.constant dense<0> : tensor<i32>
    %c0 = arith.constant 0 : index
    %dim = tensor.dim %arg2, %c0 : tensor<?xf16>
    %1 = wax.broadcast arith.extsi(%arg4[0, 2]) sizes [%dim] : (tensor<?x3xi1>) -> tensor<?x?x3xi8>
    %extracted = tensor.extract %arg5[] : tensor<i1>
    %2 = scf.if %extracted -> (tensor<?x4x3xi8>) {
      %cast = tensor.cast %1 : tensor<?x?x3xi8> to tensor<?x4x3xi8>
      scf.yield %cast : tensor<?x4x3xi8>
    } else {
      %3:2 = scf.while (%arg6 = %0, %arg7 = %1) : (tensor<i32>, tensor<?x?x3xi8>) -> (tensor<i32>, tensor<?x?x3xi8>) {
        %4 = wax.map (%a = %arg6) : (tensor<i32>) -> tensor<i1> {
          %c0_i32 = arith.constant 0 : i32
          %5 = arith.cmpi slt, %a, %c0_i32 : i32
          wax.yield %5 : i1
        }
        %extracted_0 = tensor.extract %4[] : tensor<i1>
        scf.condition(%extracted_0) %arg6, %arg7 : tensor<i32>, tensor<?x?x3xi8>
      } do {
      ^bb0(%arg6: tensor<i32>, %arg7: tensor<?x?x3xi8>):
        %cast_0 = tensor.cast %arg7 : tensor<?x?x3xi8> to tensor<?x4x?xi8>
        %4 = wax.map (%a = %arg6) : (tensor<i32>) -> tensor<i32> {
          %5 = arith.addi %a, %a : i32
          wax.yield %5 : i32
        }
        %cast_1 = tensor.cast %cast_0 : tensor<?x4x?xi8> to tensor<?x?x3xi8>
        scf.yield %4, %cast_1 : tensor<i32>, tensor<?x?x3xi8>
      }
      %cast = tensor.cast %3#1 : tensor<?x?x3xi8> to tensor<?x4x3xi8>
      scf.yield %cast : tensor<?x4x3xi8>
    }
    return %2 : tensor<?x4x3xi8>
  }
}
