// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @index_elements() {
  // expected-error@+1 {{'wax.constant' op result #0 must be ranked tensor of}}
  %0 = wax.constant dense<1> : tensor<2xindex>
  return
}

// -----

func.func @not_a_tensor() {
  // (constant_c1) vectors are not tensors.
  // expected-error@+1 {{result #0 must be ranked tensor of}}
  %0 = wax.constant dense<1> : vector<2xi32>
  return
}

// -----

func.func @type_of_another_shape() {
  // expected-error@+1 {{failed to verify that all of {value, result} have same type}}
  %0 = "wax.constant"() <{value = dense<1> : tensor<2xi32>}> : () -> tensor<3xi32>
  return
}

// -----

func.func @too_many_elements() {
  // expected-error@+1 {{result #0 must be ranked tensor of at most 2^47 elements of}}
  %0 = wax.constant dense<0> : tensor<16777216x16777216xi8>
  return
}

// -----

func.func @pairs_for_numbers() {
  // expected-error@+1 {{'wax.constant' op [constant_c1] the elements are not of the type 'tensor<f32>'}}
  %0 = wax.constant dense<(1.0, 2.0)> : tensor<f32>
  return
}
