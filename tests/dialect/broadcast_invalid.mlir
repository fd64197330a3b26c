// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @no_operand() {
  // expected-error@+1 {{'wax.broadcast' op [broadcast_c1] there is no operand}}
  %0 = "wax.broadcast"() <{dims = [], static_sizes = array<i64: 2>, operandSegmentSizes = array<i32: 0, 0>}> ({
    %one = arith.constant 1.0 : f32
    wax.yield %one : f32
  }) : () -> tensor<2xf32>
  return
}

// -----

func.func @dims_of_another_rank(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{[broadcast_c1] operand 0 has rank 2, but its dims are [0]}}
  %0 = wax.broadcast math.exp(%x[0]) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @dims_for_one_of_two(%x: tensor<4xf32>) {
  // expected-error@+1 {{[broadcast_c1] there are 2 operands and 1 list of dims}}
  %0 = "wax.broadcast"(%x, %x) <{dims = [array<i64: 0>], static_sizes = array<i64>, operandSegmentSizes = array<i32: 2, 0>}> ({
  ^bb0(%a: f32, %b: f32):
    wax.yield %a : f32
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @dim_twice(%x: tensor<4x4xf32>) {
  // expected-error@+1 {{[broadcast_c2] operand 0 has dim 0 twice in [0, 0]}}
  %0 = wax.broadcast math.exp(%x[0, 0]) : (tensor<4x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @dim_past_the_rank(%x: tensor<4xf32>) {
  // expected-error@+1 {{[broadcast_c2] operand 0 has dim 2 among [2], but the result has rank 2: 1 dim of operands and 1 free dim}}
  %0 = wax.broadcast math.exp(%x[2]) sizes [3] : (tensor<4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @negative_dim(%x: tensor<4xf32>) {
  // expected-error@+1 {{[broadcast_c2] operand 0 has dim -1 among [-1]}}
  %0 = wax.broadcast math.exp(%x[-1]) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @different_sizes_along_a_dim(%x: tensor<2x3xf32>, %y: tensor<5xf32>) {
  // expected-error@+1 {{[broadcast_c3] operand 1 dim 0 has size 5, but operand 0 dim 1 has size 3; both are result dim 1}}
  %0 = wax.broadcast arith.addf(%x[0, 1], %y[1]) : (tensor<2x3xf32>, tensor<5xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @size_one_is_not_stretched(%x: tensor<4xf32>, %y: tensor<1xf32>) {
  // expected-error@+1 {{[broadcast_c3] operand 1 dim 0 has size 1, but operand 0 dim 0 has size 4}}
  %0 = wax.broadcast arith.addf(%x[0], %y[0]) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @static_size_found_after_a_dynamic_one(%x: tensor<?xf32>, %y: tensor<3xf32>, %z: tensor<4xf32>) {
  // expected-error@+1 {{[broadcast_c3] operand 2 dim 0 has size 4, but operand 1 dim 0 has size 3}}
  %0 = wax.broadcast (%a = %x[0], %b = %y[0], %c = %z[0]) : (tensor<?xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<?xf32> {
    wax.yield %a : f32
  }
  return
}

// -----

func.func @negative_size(%x: tensor<4xf32>) {
  // expected-error@+1 {{[broadcast_c4] size -3 is negative}}
  %0 = wax.broadcast math.exp(%x[0]) sizes [-3] : (tensor<4xf32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @dynamic_size_without_a_value(%x: tensor<4xf32>) {
  // expected-error@+1 {{[broadcast_c4] there are 0 SSA sizes for 1 dynamic entry of sizes}}
  %0 = "wax.broadcast"(%x) <{dims = [array<i64: 0>], static_sizes = array<i64: -9223372036854775808>, operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%a: f32):
    wax.yield %a : f32
  }) : (tensor<4xf32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @kernel_takes_another_type(%x: tensor<3xf32>, %y: tensor<3xi32>) {
  // expected-error@+1 {{[broadcast_c5] the kernel takes (f32, f32), but is given (f32, i32)}}
  %0 = "wax.broadcast"(%x, %y) <{dims = [array<i64: 0>, array<i64: 0>], static_sizes = array<i64>, operandSegmentSizes = array<i32: 2, 0>}> ({
  ^bb0(%a: f32, %b: f32):
    wax.yield %a : f32
  }) : (tensor<3xf32>, tensor<3xi32>) -> tensor<3xf32>
  return
}

// -----

func.func @kernel_yields_two(%x: tensor<3xf32>) {
  // expected-error@+1 {{[broadcast_c6] the kernel yields 2 scalars, not one}}
  %0 = wax.broadcast (%a = %x[0]) : (tensor<3xf32>) -> tensor<3xf32> {
    wax.yield %a, %a : f32, f32
  }
  return
}

// -----

func.func @kernel_is_not_scalar(%x: tensor<3xf32>) {
  // expected-error@+1 {{[broadcast_c7] the kernel holds 'tensor.from_elements'}}
  %0 = wax.broadcast (%a = %x[0]) : (tensor<3xf32>) -> tensor<3xf32> {
    %t = tensor.from_elements %a : tensor<1xf32>
    wax.yield %a : f32
  }
  return
}

// -----

func.func @result_of_another_type(%x: tensor<3xf32>) {
  // expected-error@+1 {{op result 0 is of type 'tensor<3xi32>', but must be of type 'tensor<3xf32>'}}
  %0 = wax.broadcast (%a = %x[0]) : (tensor<3xf32>) -> tensor<3xi32> {
    wax.yield %a : f32
  }
  return
}
