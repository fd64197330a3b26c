// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @no_operand() {
  // expected-error@+1 {{'wax.concat' op [concat_c1] there is no operand}}
  %0 = wax.concat () along 0 : () -> tensor<4xf32>
  return
}

// -----

func.func @other_element_type(%x: tensor<4xf32>, %y: tensor<4xi32>) {
  // expected-error@+1 {{[concat_c1] operand 1 is 'tensor<4xi32>', but operand 0 is 'tensor<4xf32>': element types and ranks must be equal}}
  %0 = wax.concat (%x, %y) along 0 : (tensor<4xf32>, tensor<4xi32>) -> tensor<8xf32>
  return
}

// -----

func.func @other_rank(%x: tensor<4xf32>, %y: tensor<4x1xf32>) {
  // expected-error@+1 {{[concat_c1] operand 1 is 'tensor<4x1xf32>'}}
  %0 = wax.concat (%x, %y) along 0 : (tensor<4xf32>, tensor<4x1xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @dim_past_the_rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{[concat_c2] dim 1 does not lie in the operands' rank 1}}
  %0 = wax.concat (%x, %x) along 1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @scalars(%x: tensor<f32>) {
  // expected-error@+1 {{[concat_c2] dim 0 does not lie in the operands' rank 0}}
  %0 = wax.concat (%x, %x) along 0 : (tensor<f32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @different_sizes_along_another_dim(%x: tensor<4x2xf32>, %y: tensor<4x3xf32>) {
  // expected-error@+1 {{[concat_c3] operand 1 dim 1 has size 3, but operand 0 dim 1 has size 2}}
  %0 = wax.concat (%x, %y) along 0 : (tensor<4x2xf32>, tensor<4x3xf32>) -> tensor<8x2xf32>
  return
}
