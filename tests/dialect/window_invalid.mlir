// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @dim_past_the_rank(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'wax.window' op [window_c1] dim 2 of [2] does not lie in the operand's rank 2}}
  %0 = wax.window %x dims [2] sizes [3] strides [1] dilations [1] : (tensor<4x8xf32>) -> tensor<4x6x3xf32>
  return
}

// -----

func.func @dims_that_do_not_increase(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{[window_c1] dims [1, 0] do not increase}}
  %0 = wax.window %x dims [1, 0] sizes [3, 3] strides [1, 1] dilations [1, 1] : (tensor<4x8xf32>) -> tensor<2x6x3x3xf32>
  return
}

// -----

func.func @a_size_too_many(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{[window_c2] sizes is [3, 3] for 1 dim}}
  %0 = wax.window %x dims [1] sizes [3, 3] strides [1] dilations [1] : (tensor<4x8xf32>) -> tensor<4x6x3xf32>
  return
}

// -----

func.func @a_stride_too_few(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{[window_c2] strides is [] for 1 dim}}
  %0 = wax.window %x dims [1] sizes [3] strides [] dilations [1] : (tensor<4x8xf32>) -> tensor<4x6x3xf32>
  return
}

// -----

func.func @negative_size(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{[window_c3] size -1 of dim 1 is less than 0}}
  %0 = wax.window %x dims [1] sizes [-1] strides [1] dilations [1] : (tensor<4x8xf32>) -> tensor<4x6x3xf32>
  return
}

// -----

func.func @size_past_the_greatest(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{[window_c3] size 9223372036854775807 of dim 1 is more than 2147483647}}
  %0 = wax.window %x dims [1] sizes [9223372036854775807] strides [1] dilations [1] : (tensor<4x8xf32>) -> tensor<4x6x3xf32>
  return
}

// -----

func.func @no_stride(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{[window_c3] stride 0 of dim 1 is less than 1}}
  %0 = wax.window %x dims [1] sizes [3] strides [0] dilations [1] : (tensor<4x8xf32>) -> tensor<4x6x3xf32>
  return
}

// -----

func.func @dilation_past_the_greatest(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{[window_c3] dilation 2147483648 of dim 1 is more than 2147483647}}
  %0 = wax.window %x dims [1] sizes [3] strides [1] dilations [2147483648] : (tensor<4x8xf32>) -> tensor<4x6x3xf32>
  return
}

// -----

// (window_c4) is a matter of dynamic dims, checked at run time: open_constraints.mlir.

func.func @another_count(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'wax.window' op result 0 is of type 'tensor<4x7x3xf32>', but must be of type 'tensor<4x6x3xf32>'}}
  %0 = wax.window %x dims [1] sizes [3] strides [1] dilations [1] : (tensor<4x8xf32>) -> tensor<4x7x3xf32>
  return
}
