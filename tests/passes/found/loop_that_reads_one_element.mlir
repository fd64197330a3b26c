// What reads an element, which IREE reads before it, is made anew where its results are read, with these mistaken.
// arguments: tensor<1xi32>, tensor<i64>; seed 960000022
module {
  func.func @main(%arg0: tensor<1xi32>, %arg1: tensor<i64>) -> tensor<1xi32> {
    %0 = wax.constant dense<0> : tensor<i32>
    %1:3 = scf.while (%arg2 = %0, %arg3 = %arg0, %arg4 = %0) : (tensor<i32>, tensor<1xi32>, tensor<i32>) -> (tensor<i32>, tensor<1xi32>, tensor<i32>) {
      %cast = tensor.cast %arg3 : tensor<1xi32> to tensor<?xi32>
      %13 = wax.broadcast (%a = %arg2[]) : (tensor<i32>) -> tensor<i1> {
        %c2_i32 = arith.constant 2 : i32
        %14 = arith.cmpi slt, %a, %c2_i32 : i32
        wax.yield %14 : i1
      }
      %extracted_0 = tensor.extract %13[] : tensor<i1>
      scf.condition(%extracted_0) %arg2, %arg3, %arg4 : tensor<i32>, tensor<1xi32>, tensor<i32>
    } do {
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<1xi32>, %arg4: tensor<i32>):
      %cast = tensor.cast %arg0 : tensor<1xi32> to tensor<?xi32>
      %13 = wax.constant dense<-1> : tensor<i32>
      %14 = wax.scan (%a = %cast) along 0 reverse init(%acc = %13) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32> {
        %17 = math.ctpop %a : i32
        %18 = math.absi %17 : i32
        %c32_i32 = arith.constant 32 : i32
        %19 = arith.cmpi ugt, %c32_i32, %c32_i32 : i32
        %20 = math.ctpop %c32_i32 : i32
        %21 = arith.minui %20, %acc : i32
        wax.yield %21 : i32
      } combine (%acc, %acc_1) {
        %17 = arith.minui %acc, %acc_1 : i32
        wax.yield %17 : i32
      }
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %15 = scf.for %arg5 = %c0 to %c3 step %c1 iter_args(%arg6 = %0) -> (tensor<i32>) {
        %cast_1 = tensor.cast %arg3 : tensor<1xi32> to tensor<?xi32>
        %17 = arith.index_cast %arg5 : index to i16
        %from_elements = tensor.from_elements %17 : tensor<i16>
        scf.yield %arg6 : tensor<i32>
      }
      %16 = wax.map (%a = %arg2) : (tensor<i32>) -> tensor<i32> {
        %c1_i32 = arith.constant 1 : i32
        %17 = arith.addi %a, %c1_i32 : i32
        wax.yield %17 : i32
      }
      %cast_0 = tensor.cast %14 : tensor<?xi32> to tensor<1xi32>
      scf.yield %16, %cast_0, %15 : tensor<i32>, tensor<1xi32>, tensor<i32>
    }
    %9 = wax.scatter (%a = %1#0) into(%acc = %1#1)[%arg1[]] : (tensor<i32>, tensor<1xi32>, tensor<i64>) -> tensor<1xi32> {
      %cst = arith.constant -3.000000e+00 : bf16
      %13 = arith.remf %cst, %cst : bf16
      %14 = arith.minsi %a, %acc : i32
      wax.yield %14 : i32
    } combine (%acc, %acc_0) {
      %13 = arith.minsi %acc, %acc_0 : i32
      wax.yield %13 : i32
    }
    return %9 : tensor<1xi32>
  }
}
