// What both read was updated in place before the last copy into the concat.
// arguments: tensor<3x3xf16>; seed 130000353
module {
  func.func @main(%arg0: tensor<3x?xf16>) -> (tensor<i32>, tensor<?x3xf16>, tensor<?x3xf16>) {
    %0 = wax.permute %arg0 [1, 0] : (tensor<3x?xf16>) -> tensor<?x3xf16>
    %1 = wax.concat (%0, %arg0, %0) along 0 : (tensor<?x3xf16>, tensor<3x?xf16>, tensor<?x3xf16>) -> tensor<?x3xf16>
    %2 = wax.insert %arg0 into %0 offsets [0, 0] strides [1, 1] : (tensor<3x?xf16>, tensor<?x3xf16>) -> tensor<?x3xf16>
    %zero = wax.constant dense<0> : tensor<i32>
    %3 = scf.while (%turn = %zero) : (tensor<i32>) -> tensor<i32> {
      %more = wax.broadcast (%a = %turn[]) : (tensor<i32>) -> tensor<i1> {
        %one = arith.constant 1 : i32
        %less = arith.cmpi slt, %a, %one : i32
        wax.yield %less : i1
      }
      %condition = tensor.extract %more[] : tensor<i1>
      scf.condition(%condition) %turn : tensor<i32>
    } do {
    ^bb0(%turn: tensor<i32>):
      %next = wax.map (%a = %turn) : (tensor<i32>) -> tensor<i32> {
        %one = arith.constant 1 : i32
        %sum = arith.addi %a, %one : i32
        wax.yield %sum : i32
      }
      scf.yield %next : tensor<i32>
    }
    return %3, %2, %1 : tensor<i32>, tensor<?x3xf16>, tensor<?x3xf16>
  }
}
