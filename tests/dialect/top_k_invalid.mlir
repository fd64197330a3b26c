// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @no_such_dim(%x: tensor<4xf32>) {
  // expected-error@+1 {{'wax.top_k' op [top_k_c1] dim 1 does not lie in the operand's rank 1}}
  %0 = wax.top_k (%a = %x) {dim = 1 : i64, gives = ["values"]} : (tensor<4xf32>) -> tensor<4xf32> {
    wax.return %a : tensor<4xf32>
  }
  return
}

// -----

func.func @neither_values_nor_indices(%x: tensor<4xf32>) {
  // expected-error@+1 {{[top_k_c2] a result is values or indices, not 'places'}}
  %0 = wax.top_k (%a = %x) {dim = 0 : i64, gives = ["places"]} : (tensor<4xf32>) -> tensor<4xf32> {
    wax.return %a : tensor<4xf32>
  }
  return
}

// -----

func.func @a_result_that_is_nothing(%x: tensor<4xf32>) {
  // expected-error@+1 {{[top_k_c2] there is 1 result, but gives lists 0}}
  %0 = wax.top_k (%a = %x) {dim = 0 : i64, gives = []} : (tensor<4xf32>) -> tensor<4xf32> {
    wax.return %a : tensor<4xf32>
  }
  return
}

// -----

func.func @more_than_there_are(%x: tensor<4xf32>) {
  // expected-error@+1 {{[top_k_c3] 'tensor<5xi32>' does not hold the greatest along dim 0 of 'tensor<4xf32>'}}
  %0 = wax.top_k (%a = %x) {dim = 0 : i64, gives = ["indices"]} : (tensor<4xf32>) -> tensor<5xi32> {
    %r = wax.iota along 0 : tensor<5xi32>
    wax.return %r : tensor<5xi32>
  }
  return
}

// -----

func.func @another_shape(%x: tensor<2x4xf32>) {
  // expected-error@+1 {{[top_k_c3] 'tensor<3x4xi32>' does not hold the greatest along dim 1 of 'tensor<2x4xf32>'}}
  %0 = wax.top_k (%a = %x) {dim = 1 : i64, gives = ["indices"]} : (tensor<2x4xf32>) -> tensor<3x4xi32> {
    %r = wax.iota along 0 : tensor<3x4xi32>
    wax.return %r : tensor<3x4xi32>
  }
  return
}

// -----

func.func @values_of_another_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{[top_k_c4] values of 'tensor<4xf32>' are no 'tensor<3xi32>'}}
  %0 = wax.top_k (%a = %x) {dim = 0 : i64, gives = ["values"]} : (tensor<4xf32>) -> tensor<3xi32> {
    %r = wax.iota along 0 : tensor<3xi32>
    wax.return %r : tensor<3xi32>
  }
  return
}

// -----

func.func @complex_numbers(%x: tensor<4xcomplex<f32>>) {
  // expected-error@+1 {{[top_k_c5] 'complex<f32>' has no order}}
  %0 = wax.top_k (%a = %x) {dim = 0 : i64, gives = ["values"]} : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
    wax.return %a : tensor<4xcomplex<f32>>
  }
  return
}
