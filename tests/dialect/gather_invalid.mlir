// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @too_few_operand_dims(%x: tensor<4x8xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{'wax.gather' op [gather_c1] there is 1 entry for the operand's dims, but it has rank 2}}
  %0 = wax.gather %x[%i[0]] : (tensor<4x8xf32>, tensor<3xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @index_that_reads_no_dim(%x: tensor<4xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[gather_c1] there is 1 index operand, 0 operand dims read at an index, and 1 list of index dims}}
  %0 = "wax.gather"(%x, %i) <{operand_dims = array<i64: 0>, index_dims = [array<i64: 1>]}> : (tensor<4xf32>, tensor<3xi32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @index_dims_of_another_rank(%x: tensor<4xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[gather_c1] index 0 has rank 1, but its dims are [0, 1]}}
  %0 = wax.gather %x[%i[0, 1]] : (tensor<4xf32>, tensor<3xi32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @result_dim_left_out(%x: tensor<4xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[gather_c2] neither operand nor index has result dim 0}}
  %0 = wax.gather %x[%i[1]] : (tensor<4xf32>, tensor<3xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @index_dim_twice(%x: tensor<4xf32>, %i: tensor<3x3xi32>) {
  // expected-error@+1 {{[gather_c2] index 0 has dim 0 twice}}
  %0 = wax.gather %x[%i[0, 0]] : (tensor<4xf32>, tensor<3x3xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @operand_dim_twice(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{[gather_c2] the operand has dim 0 twice}}
  %0 = wax.gather %x[0, 0] : (tensor<4x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @negative_dim(%x: tensor<4xf32>) {
  // expected-error@+1 {{[gather_c2] the operand has dim -2, which is negative}}
  %0 = wax.gather %x[-2] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @batch_of_another_size(%x: tensor<4x8xf32>, %i: tensor<5x2xi32>) {
  // expected-error@+1 {{[gather_c3] operand 1 dim 0 has size 5, but operand 0 dim 0 has size 4; both are result dim 0}}
  %0 = wax.gather %x[0, %i[0, 1]] : (tensor<4x8xf32>, tensor<5x2xi32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @no_element_to_read(%x: tensor<0xf32>, %i: tensor<3xi32>) {
  // expected-error@+1 {{[gather_c4] operand dim 0 is read at an index, but has no element to read}}
  %0 = wax.gather %x[%i[0]] : (tensor<0xf32>, tensor<3xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @index_of_float_type(%x: tensor<4xf32>, %i: tensor<3xf32>) {
  // expected-error@+1 {{operand #1 must be variadic of ranked tensor of}}
  %0 = wax.gather %x[%i[0]] : (tensor<4xf32>, tensor<3xf32>) -> tensor<3xf32>
  return
}
