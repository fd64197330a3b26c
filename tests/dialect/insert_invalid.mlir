// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @too_few_offsets(%u: tensor<1x1xf32>, %x: tensor<4x5xf32>) {
  // expected-error@+1 {{'wax.insert' op [insert_c1] there is 1 entry of offsets, but the operand has rank 2}}
  %0 = wax.insert %u into %x offsets [0] strides [1, 1] : (tensor<1x1xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @too_few_strides(%u: tensor<1x1xf32>, %x: tensor<4x5xf32>) {
  // expected-error@+1 {{[insert_c1] there is 1 entry of strides, but the operand has rank 2}}
  %0 = wax.insert %u into %x offsets [0, 0] strides [1] : (tensor<1x1xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @update_of_another_rank(%u: tensor<1xf32>, %x: tensor<4x5xf32>) {
  // expected-error@+1 {{[insert_c1] the update has rank 1, but the operand has rank 2}}
  %0 = wax.insert %u into %x offsets [0, 0] strides [1, 1] : (tensor<1xf32>, tensor<4x5xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @stride_zero(%u: tensor<1xf32>, %x: tensor<4xf32>) {
  // expected-error@+1 {{[insert_c2] stride 0 of dim 0 is less than 1}}
  %0 = wax.insert %u into %x offsets [0] strides [0] : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @negative_offset(%u: tensor<1xf32>, %x: tensor<4xf32>) {
  // expected-error@+1 {{[insert_c3] offset -1 of dim 0 is negative}}
  %0 = wax.insert %u into %x offsets [-1] strides [1] : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @span_past_the_end(%u: tensor<3xf32>, %x: tensor<4xf32>, %o: index) {
  // expected-error@+1 {{[insert_c4] dim 0 of size 4 does not hold 3 elements at stride 2}}
  %0 = wax.insert %u into %x offsets [%o] strides [2] : (tensor<3xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @box_past_the_end(%u: tensor<3xf32>, %x: tensor<4xf32>) {
  // expected-error@+1 {{[insert_c4] dim 0 of size 4 does not hold 3 elements at stride 1 from offset 2}}
  %0 = wax.insert %u into %x offsets [2] strides [1] : (tensor<3xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @update_of_another_element_type(%u: tensor<3xf64>, %x: tensor<4xf32>) {
  // expected-error@+1 {{[insert_c5] the update is of 'tensor<3xf64>', but the operand of 'tensor<4xf32>'}}
  %0 = wax.insert %u into %x offsets [0] strides [1] : (tensor<3xf64>, tensor<4xf32>) -> tensor<4xf32>
  return
}
