// Of a tensor of no elements that has open sizes too no slice can be taken.
// arguments: tensor<1x1xf64>; seed 306000004
module {
  func.func @main(%arg0: tensor<?x?xf64>) -> tensor<?x?x?xf64> {
    %c0 = arith.constant 0 : index
    %0 = wax.broadcast (%a = %arg0[2, 0]) sizes [%c0] : (tensor<?x?xf64>) -> tensor<?x?x?xf64> {
      wax.yield %a : f64
    }
    %1 = wax.constant dense<0> : tensor<i32>
    %2:2 = scf.while (%arg1 = %1, %arg2 = %0) : (tensor<i32>, tensor<?x?x?xf64>) -> (tensor<i32>, tensor<?x?x?xf64>) {
      %3 = wax.map (%a = %arg1) : (tensor<i32>) -> tensor<i1> {
        %c1_i32 = arith.constant 1 : i32
        %5 = arith.cmpi slt, %a, %c1_i32 : i32
        wax.yield %5 : i1
      }
      %4 = tensor.extract %3[] : tensor<i1>
      scf.condition(%4) %arg1, %arg2 : tensor<i32>, tensor<?x?x?xf64>
    } do {
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<?x?x?xf64>):
      %3 = tensor.cast %arg2 : tensor<?x?x?xf64> to tensor<1x0x?xf64>
      %4 = wax.insert %3 into %3 offsets [0, 0, 0] strides [2, 2, 2] : (tensor<1x0x?xf64>, tensor<1x0x?xf64>) -> tensor<1x0x?xf64>
      %5 = wax.map (%a = %arg1) : (tensor<i32>) -> tensor<i32> {
        %c1_i32 = arith.constant 1 : i32
        %7 = arith.addi %a, %c1_i32 : i32
        wax.yield %7 : i32
      }
      %6 = tensor.cast %4 : tensor<1x0x?xf64> to tensor<?x?x?xf64>
      scf.yield %5, %6 : tensor<i32>, tensor<?x?x?xf64>
    }
    return %2#1 : tensor<?x?x?xf64>
  }
}
