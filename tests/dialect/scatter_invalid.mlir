// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @no_update(%x: tensor<4xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{'wax.scatter' op [scatter_c1] there is no update}}
  %0 = wax.scatter () into(%acc = %x)[%i[0]] : (tensor<4xf32>, tensor<3xi32>) -> tensor<4xf32> {
    wax.yield %acc : f32
  }
  return
}

// -----

func.func @no_operand(%u: tensor<3xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[scatter_c1] there is no operand to update}}
  wax.scatter (%a = %u) into()[%i[0]] : (tensor<3xf32>, tensor<3xi32>) -> () {
    wax.yield
  }
  return
}

// -----

func.func @updates_of_other_sizes(%u: tensor<3xf32>, %x: tensor<4xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[scatter_c2] operand 1 dim 0 has size 4, but operand 0 dim 0 has size 3}}
  %0 = wax.scatter (%a = %u, %b = %x) into(%acc = %x)[%i[0]] : (tensor<3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xi32>) -> tensor<4xf32> {
    wax.yield %a : f32
  }
  return
}

// -----

func.func @operands_of_other_ranks(%u: tensor<3xf32>, %x: tensor<4xf32>, %y: tensor<f32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[scatter_c2] operand 2 has rank 0, but operand 1 has rank 1}}
  %0:2 = wax.scatter (%a = %u) into(%p = %x, %q = %y)[%i[0]] : (tensor<3xf32>, tensor<4xf32>, tensor<f32>, tensor<3xi32>) -> (tensor<4xf32>, tensor<f32>) {
    wax.yield %a, %a : f32, f32
  }
  return
}

// -----

func.func @too_few_operand_dims(%u: tensor<3xf32>, %x: tensor<4x8xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[scatter_c3] there is 1 entry for the operand's dims, but it has rank 2}}
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[0]] : (tensor<3xf32>, tensor<4x8xf32>, tensor<3xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @index_dims_of_another_rank(%u: tensor<3xf32>, %x: tensor<4xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[scatter_c3] index 0 has rank 1, but its dims are [0, 1]}}
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[0, 1]] : (tensor<3xf32>, tensor<4xf32>, tensor<3xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @update_dim_left_out(%u: tensor<3xf32>, %x: tensor<4xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[scatter_c4] neither operand nor index has update dim 0}}
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[1]] : (tensor<3xf32>, tensor<4xf32>, tensor<3xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @operand_dim_twice(%u: tensor<4xf32>, %x: tensor<4x4xf32>) {
  // expected-error@+1 {{[scatter_c4] the operand has dim 0 twice}}
  %0 = wax.scatter arith.addf(%u) into(%x)[0, 0] : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @update_of_another_rank(%u: tensor<3x2xf32>, %x: tensor<4xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[scatter_c4] operand and indices have 1 update dim, but the updates have rank 2}}
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[0]] : (tensor<3x2xf32>, tensor<4xf32>, tensor<3xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @index_of_another_size(%u: tensor<3xf32>, %x: tensor<4xf32>, %i: tensor<5xi32>) {
  // expected-error@+1 {{[scatter_c5] operand 2 dim 0 has size 5, but operand 0 dim 0 has size 3; both are update dim 0}}
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[0]] : (tensor<3xf32>, tensor<4xf32>, tensor<5xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @row_of_another_size(%u: tensor<3x7xf32>, %x: tensor<4x8xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[scatter_c5] operand 1 dim 1 has size 8, but operand 0 dim 1 has size 7; both are update dim 1}}
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[0], 1] : (tensor<3x7xf32>, tensor<4x8xf32>, tensor<3xi32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @fold_yields_another_type(%u: tensor<3xf32>, %x: tensor<4xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[scatter_c6] the fold yields 'i1' for accumulator 0 of 'f32'}}
  %0 = wax.scatter (%a = %u) into(%acc = %x)[%i[0]] : (tensor<3xf32>, tensor<4xf32>, tensor<3xi32>) -> tensor<4xf32> {
    %b = arith.cmpf ogt, %a, %acc : f32
    wax.yield %b : i1
  }
  return
}

// -----

func.func @combine_yields_too_much(%u: tensor<3xf32>, %x: tensor<4xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[scatter_c7] the combine yields 2 scalars for 1 accumulator}}
  %0 = wax.scatter (%a = %u) into(%acc = %x)[%i[0]] : (tensor<3xf32>, tensor<4xf32>, tensor<3xi32>) -> tensor<4xf32> {
    wax.yield %a : f32
  } combine (%p, %q) {
    wax.yield %p, %q : f32, f32
  }
  return
}

// -----

func.func @fold_with_an_operation_of_tensor(%u: tensor<3xf32>, %x: tensor<4xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[scatter_c8] the kernel holds 'tensor.from_elements'}}
  %0 = wax.scatter (%a = %u) into(%acc = %x)[%i[0]] : (tensor<3xf32>, tensor<4xf32>, tensor<3xi32>) -> tensor<4xf32> {
    %t = tensor.from_elements %a : tensor<1xf32>
    wax.yield %a : f32
  }
  return
}
