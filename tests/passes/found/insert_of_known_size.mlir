// Sizes that a fold states as constants were not in the type of the update, and the insert was not lowered.
// arguments: tensor<2x4x1xf32>; seed 138
module {
  func.func @main(%arg0: tensor<2x?x?xf32>) -> tensor<2x?xf32> {
    %c4 = arith.constant 4 : index
    %0 = wax.constant dense<1.000000e+00> : tensor<f32>
    %1 = wax.fold ordered arith.minimumf(%arg0) dims [1] sizes [%c4] strides [1] dilations [1] init(%0) : (tensor<2x?x?xf32>, tensor<f32>) -> tensor<2x?xf32>
    %c0 = arith.constant 0 : index
    %2 = wax.insert %1 into %1 offsets [%c0, 0] strides [1, 1] : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
    return %2 : tensor<2x?xf32>
  }
}
