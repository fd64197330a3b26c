// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @no_operand() {
  // expected-error@+1 {{'wax.sort' op [sort_c1] there is no operand}}
  wax.sort () along 0 : () -> () {
    %true = arith.constant true
    wax.yield %true : i1
  }
  return
}

// -----

func.func @operands_of_different_sizes(%x: tensor<3xf32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{[sort_c2] operand 1 dim 0 has size 4, but operand 0 dim 0 has size 3}}
  %0:2 = wax.sort (%a, %b = %x, %c, %d = %y) along 0 : (tensor<3xf32>, tensor<4xf32>) -> (tensor<3xf32>, tensor<4xf32>) {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return
}

// -----

func.func @operands_of_different_ranks(%x: tensor<3xf32>, %y: tensor<f32>) {
  // expected-error@+1 {{[sort_c2] operand 1 has rank 0, but operand 0 has rank 1}}
  %0:2 = wax.sort (%a, %b = %x, %c, %d = %y) along 0 : (tensor<3xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<f32>) {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return
}

// -----

func.func @dim_past_the_rank(%x: tensor<3xf32>) {
  // expected-error@+1 {{[sort_c3] dim 1 does not lie in the operands' rank 1}}
  %0 = wax.sort (%a, %b = %x) along 1 : (tensor<3xf32>) -> tensor<3xf32> {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return
}

// -----

func.func @comparator_takes_another_type(%x: tensor<3xf32>) {
  // expected-error@+1 {{[sort_c4] the comparator takes (f32, f64), but is given (f32, f32)}}
  %0 = "wax.sort"(%x) <{dim = 0 : i64}> ({
  ^bb0(%a: f32, %b: f64):
    %true = arith.constant true
    wax.yield %true : i1
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @comparator_yields_another_type(%x: tensor<3xi8>) {
  // expected-error@+1 {{[sort_c4] the comparator yields 'i8', but must yield i1}}
  %0 = wax.sort (%a, %b = %x) along 0 : (tensor<3xi8>) -> tensor<3xi8> {
    wax.yield %a : i8
  }
  return
}

// -----

func.func @comparator_yields_two(%x: tensor<3xi1>) {
  // expected-error@+1 {{[sort_c4] the comparator yields 2 scalars, but must yield one}}
  %0 = wax.sort (%a, %b = %x) along 0 : (tensor<3xi1>) -> tensor<3xi1> {
    wax.yield %a, %b : i1, i1
  }
  return
}

// -----

func.func @comparator_touches_a_tensor(%x: tensor<3xi1>) {
  // expected-error@+1 {{[sort_c5] the kernel holds 'tensor.empty'}}
  %0 = wax.sort (%a, %b = %x) along 0 : (tensor<3xi1>) -> tensor<3xi1> {
    %t = tensor.empty() : tensor<f32>
    wax.yield %a : i1
  }
  return
}
