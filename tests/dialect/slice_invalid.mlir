// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @too_few_offsets(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{'wax.slice' op [slice_c1] there is 1 entry of offsets, but the operand has rank 2}}
  %0 = wax.slice %x offsets [0] sizes [1, 1] strides [1, 1] : (tensor<4x5xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @too_few_strides(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{[slice_c1] there is 1 entry of strides, but the operand has rank 2}}
  %0 = wax.slice %x offsets [0, 0] sizes [1, 1] strides [1] : (tensor<4x5xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @dynamic_offset_without_a_value(%x: tensor<4xf32>) {
  // expected-error@+1 {{[slice_c1] there are 0 SSA offsets for 1 dynamic entry of offsets}}
  %0 = "wax.slice"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @stride_zero(%x: tensor<4xf32>) {
  // expected-error@+1 {{[slice_c2] stride 0 of dim 0 is less than 1}}
  %0 = wax.slice %x offsets [0] sizes [1] strides [0] : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @negative_offset(%x: tensor<4xf32>) {
  // expected-error@+1 {{[slice_c3] offset -1 of dim 0 is negative}}
  %0 = wax.slice %x offsets [-1] sizes [1] strides [1] : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @negative_size(%x: tensor<4xf32>) {
  // expected-error@+1 {{[slice_c3] size -1 is negative}}
  %0 = wax.slice %x offsets [0] sizes [-1] strides [1] : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @span_past_the_end(%x: tensor<4xf32>, %o: index) {
  // expected-error@+1 {{[slice_c4] dim 0 of size 4 does not hold 3 elements at stride 2}}
  %0 = wax.slice %x offsets [%o] sizes [3] strides [2] : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @box_past_the_end(%x: tensor<4xf32>) {
  // expected-error@+1 {{[slice_c4] dim 0 of size 4 does not hold 3 elements at stride 1 from offset 2}}
  %0 = wax.slice %x offsets [2] sizes [3] strides [1] : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @empty_box_past_the_end(%x: tensor<4xf32>) {
  // expected-error@+1 {{[slice_c4] dim 0 of size 4 does not hold 0 elements at stride 1 from offset 5}}
  %0 = wax.slice %x offsets [5] sizes [0] strides [1] : (tensor<4xf32>) -> tensor<0xf32>
  return
}

// -----

func.func @stride_out_of_reach(%x: tensor<?xf32>) {
  // expected-error@+1 {{[slice_c2] stride 9223372036854775807 of dim 0 is more than 2147483647}}
  %0 = wax.slice %x offsets [0] sizes [2] strides [9223372036854775807] : (tensor<?xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @size_out_of_reach(%x: tensor<?xf32>) {
  // expected-error@+1 {{[slice_c3] size 140737488355329 is more than 2^47}}
  %0 = wax.slice %x offsets [0] sizes [140737488355329] strides [1] : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @span_out_of_reach(%x: tensor<65536xf32>) {
  // expected-error@+1 {{[slice_c4] dim 0 of size 65536 does not hold 70368744177664 elements at stride 2147483647 from offset 0}}
  %0 = wax.slice %x offsets [0] sizes [70368744177664] strides [2147483647] : (tensor<65536xf32>) -> tensor<?xf32>
  return
}
