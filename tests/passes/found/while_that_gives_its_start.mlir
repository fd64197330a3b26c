// A loop that gave again what it begins with, as of another type, sent IREE's passes in circles.
// arguments: tensor<0x1xi1>, tensor<0xi1>, tensor<i1>, tensor<0x1xf32>; seed 90000510
module {
  func.func @main(%arg0: tensor<?x?xi1>, %arg1: tensor<0xi1>, %arg2: tensor<i1>, %arg3: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?x?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %0:2 = scf.for %arg4 = %c0 to %c3 step %c1 iter_args(%arg5 = %arg1, %arg6 = %arg0) -> (tensor<0xi1>, tensor<?x?xi1>) {
      %cast = tensor.cast %arg6 : tensor<?x?xi1> to tensor<0x1xi1>
      %8 = arith.index_cast %arg4 : index to i64
      %from_elements = tensor.from_elements %8 : tensor<i64>
      %9 = wax.reshape %cast [[0], [1]] into [[0, 1], [2, 3]] : (tensor<0x1xi1>) -> tensor<1x0x1x1xi1>
      %cast_0 = tensor.cast %cast : tensor<0x1xi1> to tensor<?x?xi1>
      scf.yield %arg5, %cast_0 : tensor<0xi1>, tensor<?x?xi1>
    }
    %1 = wax.constant dense<0> : tensor<i32>
    %2:3 = scf.while (%arg4 = %1, %arg5 = %0#1, %arg6 = %0#1) : (tensor<i32>, tensor<?x?xi1>, tensor<?x?xi1>) -> (tensor<i32>, tensor<?x?xi1>, tensor<?x?xi1>) {
      %8 = wax.broadcast (%a = %arg4[]) : (tensor<i32>) -> tensor<i1> {
        %c0_i32 = arith.constant 0 : i32
        %9 = arith.cmpi slt, %a, %c0_i32 : i32
        wax.yield %9 : i1
      }
      %extracted = tensor.extract %8[] : tensor<i1>
      scf.condition(%extracted) %arg4, %arg5, %arg6 : tensor<i32>, tensor<?x?xi1>, tensor<?x?xi1>
    } do {
    ^bb0(%arg4: tensor<i32>, %arg5: tensor<?x?xi1>, %arg6: tensor<?x?xi1>):
      %cast = tensor.cast %arg5 : tensor<?x?xi1> to tensor<0x1xi1>
      %cast_0 = tensor.cast %arg6 : tensor<?x?xi1> to tensor<0x?xi1>
      %cast_1 = tensor.cast %0#0 : tensor<0xi1> to tensor<?xi1>
      %cast_2 = tensor.cast %0#1 : tensor<?x?xi1> to tensor<0x1xi1>
      %8 = wax.constant dense<true> : tensor<i1>
      %9 = wax.map (%a = %arg4) : (tensor<i32>) -> tensor<i32> {
        %c1_i32 = arith.constant 1 : i32
        %10 = arith.addi %a, %c1_i32 : i32
        wax.yield %10 : i32
      }
      %cast_3 = tensor.cast %cast_2 : tensor<0x1xi1> to tensor<?x?xi1>
      %cast_4 = tensor.cast %cast_2 : tensor<0x1xi1> to tensor<?x?xi1>
      scf.yield %9, %cast_3, %cast_4 : tensor<i32>, tensor<?x?xi1>, tensor<?x?xi1>
    }
    %3 = wax.map (%a = %2#1) : (tensor<?x?xi1>) -> tensor<?x?xf32> {
      %8 = arith.xori %a, %a : i1
      %9 = arith.xori %a, %8 : i1
      %10 = arith.andi %8, %a : i1
      %11 = arith.sitofp %10 : i1 to f32
      wax.yield %11 : f32
    }
    %4 = wax.map (%a = %3) : (tensor<?x?xf32>) -> tensor<?x?xf32> {
      %cst = arith.constant -8.000000e+00 : f32
      %8 = arith.maximumf %a, %cst : f32
      %cst_0 = arith.constant 8.000000e+00 : f32
      %9 = arith.minimumf %8, %cst_0 : f32
      %cst_1 = arith.constant 3.281250e-01 : f32
      %10 = arith.addf %9, %cst_1 : f32
      %11 = math.floor %10 : f32
      wax.yield %11 : f32
    }
    %5 = wax.map (%a = %arg3) : (tensor<?x?xf32>) -> tensor<?x?xf32> {
      %cst = arith.constant -8.000000e+00 : f32
      %8 = arith.maximumf %a, %cst : f32
      %cst_0 = arith.constant 8.000000e+00 : f32
      %9 = arith.minimumf %8, %cst_0 : f32
      %cst_1 = arith.constant 3.281250e-01 : f32
      %10 = arith.addf %9, %cst_1 : f32
      %11 = math.floor %10 : f32
      wax.yield %11 : f32
    }
    %6 = wax.convolve %4[b, f], %5[o, i] to [b, f] strides [] low [] high [] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
    %7 = wax.broadcast (%a = %2#2[2, 0], %b = %2#2[3, 1], %c = %3[2, 1]) : (tensor<?x?xi1>, tensor<?x?xi1>, tensor<?x?xf32>) -> tensor<?x?x?x?xf32> {
      %8 = arith.select %a, %b, %a : i1
      wax.yield %c : f32
    }
    return %3, %arg3, %6, %7 : tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?x?x?xf32>
  }
}
