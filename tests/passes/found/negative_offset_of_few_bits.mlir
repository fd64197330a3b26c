// The host took a negative offset of 16 bits for a large one.
// arguments: tensor<i16>; seed 90000284
module {
  func.func @main(%arg0: tensor<i16>) -> (tensor<i16>, tensor<3xi32>, tensor<?xi32>) {
    %0 = wax.window %arg0 dims [] sizes [] strides [] dilations [] : (tensor<i16>) -> tensor<i16>
    %1 = wax.iota along 0 : tensor<3xi32>
    %extracted = tensor.extract %0[] : tensor<i16>
    %2 = arith.index_cast %extracted : i16 to index
    %c1 = arith.constant 1 : index
    %3 = wax.slice %1 offsets [%2] sizes [%c1] strides [2] : (tensor<3xi32>) -> tensor<?xi32>
    return %0, %1, %3 : tensor<i16>, tensor<3xi32>, tensor<?xi32>
  }
}
