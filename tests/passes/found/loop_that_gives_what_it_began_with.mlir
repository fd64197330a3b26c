// A condition that does not read what it is given of open sizes crashes IREE.
// arguments: tensor<1x3xf32>; seed 115000369
module {
  func.func @main(%arg0: tensor<1x3xf32>) -> tensor<?x3xf32> {
    %0 = wax.constant dense<0> : tensor<i32>
    %cast = tensor.cast %arg0 : tensor<1x3xf32> to tensor<?x3xf32>
    %1 = wax.map arith.negf(%cast) : (tensor<?x3xf32>) -> tensor<?x3xf32>
    %2:2 = scf.while (%i = %0, %x = %1) : (tensor<i32>, tensor<?x3xf32>) -> (tensor<i32>, tensor<?x3xf32>) {
      %3 = wax.map (%a = %i) : (tensor<i32>) -> tensor<i1> {
        %c2 = arith.constant 2 : i32
        %5 = arith.cmpi slt, %a, %c2 : i32
        wax.yield %5 : i1
      }
      %4 = tensor.extract %3[] : tensor<i1>
      scf.condition(%4) %i, %x : tensor<i32>, tensor<?x3xf32>
    } do {
    ^bb0(%i: tensor<i32>, %x: tensor<?x3xf32>):
      %3 = wax.map (%a = %i) : (tensor<i32>) -> tensor<i32> {
        %c1 = arith.constant 1 : i32
        %5 = arith.addi %a, %c1 : i32
        wax.yield %5 : i32
      }
      %4 = wax.constant dense<0x7F800000> : tensor<f32>
      %5 = wax.reduce arith.minimumf(%x) over [] init(%4) : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
      scf.yield %3, %5 : tensor<i32>, tensor<?x3xf32>
    }
    return %2#1 : tensor<?x3xf32>
  }
}
