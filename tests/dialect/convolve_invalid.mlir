// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @other_ranks(%x: tensor<2x9x4xf32>, %w: tensor<4x6xf32>) {
  // expected-error@+1 {{'wax.convolve' op [convolve_c1] the operands have ranks 3 and 2, which must be equal and at least 2}}
  %0 = wax.convolve %x[b, 0, f], %w[i, o] to [b, 0, f] strides [1] low [0] high [0] : (tensor<2x9x4xf32>, tensor<4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @a_dim_named_twice(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c1] lhs_dims [0, 0, 1] do not name each of 3 dims once}}
  %0 = "wax.convolve"(%x, %w) <{lhs_dims = array<i64: 0, 0, 1>, rhs_dims = array<i64: 1, 2, 0>, result_dims = array<i64: 0, 2, 1>, strides = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, lhs_dilations = array<i64: 1>, rhs_dilations = array<i64: 1>, feature_groups = 1, batch_groups = 1, element = f32}> : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @dims_past_the_rank(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c1] lhs_dims [0, 3, 1] do not name each of 3 dims once}}
  %0 = "wax.convolve"(%x, %w) <{lhs_dims = array<i64: 0, 3, 1>, rhs_dims = array<i64: 1, 2, 0>, result_dims = array<i64: 0, 2, 1>, strides = array<i64: 1>, low = array<i64: 0>, high = array<i64: 0>, lhs_dilations = array<i64: 1>, rhs_dilations = array<i64: 1>, feature_groups = 1, batch_groups = 1, element = f32}> : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @a_stride_too_many(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c2] strides is [1, 1] for 1 dim}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1, 1] low [0] high [0] lhs_dilations [1] rhs_dilations [1] : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @no_low(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c2] low is [] for 1 dim}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [] high [0] : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @no_stride(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c3] stride 0 of dim 1 is less than 1}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [0] low [0] high [0] : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @dilation_past_the_greatest(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c3] rhs_dilation 9223372036854775807 of dim 1 is more than 2147483647}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] rhs_dilations [9223372036854775807] : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @crop_past_the_greatest(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c3] low -9223372036854775808 of dim 1 is less than -2147483647}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [-9223372036854775808] high [0] : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @no_group(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c3] 0 feature groups and 1 batch groups: both must lie between 1 and 2147483647}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] feature_groups 0 : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @both_groups(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c4] 2 feature groups and 2 batch groups: one of them must be 1}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] feature_groups 2 batch_groups 2 : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @other_features(%x: tensor<2x9x5xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c5] lhs has 5 features, but rhs has 4 ins for each of 1 groups}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] : (tensor<2x9x5xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @groups_of_more_features_than_there_are(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c5] lhs has 4 features, but rhs has 4 ins for each of 2147483647 groups}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] feature_groups 2147483647 : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @outs_that_are_not_divided(%x: tensor<2x9x16xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c6] o of size 6 is not a multiple of 4 groups}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] feature_groups 4 : (tensor<2x9x16xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @a_batch_that_is_not_divided(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c6] the batch of size 2 is not a multiple of 3 groups}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] batch_groups 3 : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @cropped_too_far(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c7] dim 1 of size 9 becomes negative with low -5, high -5 and dilation 1}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [-5] high [-5] : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @too_much_padding(%x: tensor<65536x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c7] lhs of 'tensor<65536x9x4xf32>' with low [2147483647], high [0] and dilations [1] has more than 2^47 elements}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [2147483647] high [0] : (tensor<65536x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @other_element_types(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf64>) {
  // expected-error@+1 {{[convolve_c9] the operands have element types 'f32' and 'f64'}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] : (tensor<2x9x4xf32>, tensor<3x4x6xf64>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @truth_values(%x: tensor<2x9x4xi1>, %w: tensor<3x4x6xi1>) {
  // expected-error@+1 {{[convolve_c9] the element type is 'i1'}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] : (tensor<2x9x4xi1>, tensor<3x4x6xi1>) -> tensor<2x7x6xi1>
  return
}

// -----

func.func @a_narrower_result(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{[convolve_c9] the operands' element type 'f32' does not widen to the result's 'f16'}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf16>
  return
}

// -----

func.func @a_result_of_another_kind(%x: tensor<2x9x4xi8>, %w: tensor<3x4x6xi8>) {
  // expected-error@+1 {{[convolve_c9] the operands' element type 'i8' does not widen to the result's 'f32'}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] : (tensor<2x9x4xi8>, tensor<3x4x6xi8>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @f16_is_not_bf16(%x: tensor<2x9x4xf16>, %w: tensor<3x4x6xf16>) {
  // expected-error@+1 {{[convolve_c9] the operands' element type 'f16' does not widen to the result's 'bf16'}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] : (tensor<2x9x4xf16>, tensor<3x4x6xf16>) -> tensor<2x7x6xbf16>
  return
}

// -----

func.func @another_size(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{'wax.convolve' op result 0 is of type 'tensor<2x8x6xf32>', but must be of type 'tensor<2x7x6xf32>'}}
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x8x6xf32>
  return
}

// -----

func.func @a_name_that_is_none(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{expected 'b', 'f' or the number of a spatial dim}}
  %0 = wax.convolve %x[n, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// -----

func.func @a_number_too_great(%x: tensor<2x9x4xf32>, %w: tensor<3x4x6xf32>) {
  // expected-error@+1 {{expected 'b', 'f' and the numbers of the spatial dims, each of them once}}
  %0 = wax.convolve %x[b, 1, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] : (tensor<2x9x4xf32>, tensor<3x4x6xf32>) -> tensor<2x7x6xf32>
  return
}

// (convolve_c8) is a matter of dynamic dims, checked at run time: open_constraints.mlir.
