// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @more_groups_on_the_left(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{'wax.reshape' op [reshape_c1] there are 2 groups on the left, but 1 group on the right}}
  %0 = wax.reshape %x [[0], [1]] into [[0]] : (tensor<4x5xf32>) -> tensor<20xf32>
  return
}

// -----

func.func @dim_left_out(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{[reshape_c1] the groups of the operand list 1 dim, but it has rank 2}}
  %0 = wax.reshape %x [[0]] into [[0]] : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @dims_out_of_order(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{[reshape_c1] the groups of the result list dim 1 where dim 0 comes next}}
  %0 = wax.reshape %x [[0], [1]] into [[1], [0]] : (tensor<4x5xf32>) -> tensor<5x4xf32>
  return
}

// -----

func.func @other_number_of_elements(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{[reshape_c2] operand dims [0, 1] of 'tensor<4x5xf32>' do not have as many elements as result dims [0] of 'tensor<21xf32>'}}
  %0 = wax.reshape %x [[0, 1]] into [[0]] : (tensor<4x5xf32>) -> tensor<21xf32>
  return
}

// -----

func.func @dropped_dim_is_not_one(%x: tensor<4x5xf32>) {
  // expected-error@+1 {{[reshape_c2] operand dims [1] of 'tensor<4x5xf32>' do not have as many elements as result dims [] of}}
  %0 = wax.reshape %x [[0], [1]] into [[0], []] : (tensor<4x5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_size_for_a_split(%x: tensor<?xf32>) {
  // expected-error@+1 {{[reshape_c3] there is no entry of sizes for result dim 0}}
  %0 = wax.reshape %x [[0]] into [[0, 1]] : (tensor<?xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @no_size_from_a_static_group(%x: tensor<6xf32>) {
  // expected-error@+1 {{[reshape_c3] there is no entry of sizes for result dim 0}}
  %0 = wax.reshape %x [[0]] into [[0]] : (tensor<6xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @size_that_nobody_takes(%x: tensor<?xf32>, %n: index) {
  // expected-error@+1 {{[reshape_c3] there is 1 entry of sizes more than is taken}}
  %0 = wax.reshape %x [[0]] into [[0]] sizes [%n] : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @another_element_type(%x: tensor<4xf32>) {
  // expected-error@+1 {{[reshape_c4] the operand's element type is 'f32', but the result's is 'i32'}}
  %0 = wax.reshape %x [[0]] into [[0]] : (tensor<4xf32>) -> tensor<4xi32>
  return
}
