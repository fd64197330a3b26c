// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @low_of_another_rank(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{'wax.pad' op [pad_c1] low is [0, 0], but the operand has rank 1}}
  %0 = wax.pad %x with %v low [0, 0] high [0] interior [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @negative_interior(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{[pad_c2] interior -1 of dim 0 is less than 0}}
  %0 = wax.pad %x with %v low [0] high [0] interior [-1] : (tensor<4xf32>, tensor<f32>) -> tensor<1xf32>
  return
}

// -----

func.func @cropped_to_less_than_nothing(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{[pad_c3] dim 0 of size 4 becomes negative with low -3, high -2 and interior 0}}
  %0 = wax.pad %x with %v low [-3] high [-2] interior [0] : (tensor<4xf32>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @value_of_another_type(%x: tensor<4xf32>, %v: tensor<i32>) {
  // expected-error@+1 {{[pad_c4] the value is of 'tensor<i32>', but the operand of 'tensor<4xf32>'}}
  %0 = wax.pad %x with %v low [0] high [0] interior [0] : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @value_with_a_dim(%x: tensor<4xf32>, %v: tensor<1xf32>) {
  // expected-error@+1 {{operand #1 must be 0D tensor of}}
  %0 = wax.pad %x with %v low [0] high [0] interior [0] : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @low_out_of_reach(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{[pad_c6] low 2147483648 of dim 0 is more than 2147483647}}
  %0 = wax.pad %x with %v low [2147483648] high [0] interior [0] : (tensor<4xf32>, tensor<f32>) -> tensor<2147483652xf32>
  return
}

// -----

func.func @too_large(%x: tensor<2097152x33554432xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{[pad_c2] interior 2147483647 makes dim 1 of size 33554432 larger than 2^47}}
  %0 = wax.pad %x with %v low [0, 0] high [0, 0] interior [0, 2147483647]
      : (tensor<2097152x33554432xf32>, tensor<f32>) -> tensor<?x?xf32>
  return
}

// -----

// (pad_c5) is a matter of dynamic dims, checked at run time: open_constraints.mlir.
