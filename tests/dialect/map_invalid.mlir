// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @kernel_takes_another_type(%x: tensor<3xf32>) {
  // expected-error@+1 {{'wax.map' op [map_c1] the kernel takes (f64), but is given (f32)}}
  %0 = "wax.map"(%x) ({
  ^bb0(%e: f64):
    wax.yield %e : f64
  }) : (tensor<3xf32>) -> tensor<3xf64>
  return
}

// -----

func.func @kernel_takes_two(%x: tensor<3xf32>) {
  // expected-error@+1 {{[map_c1] the kernel takes (f32, f32), but is given (f32)}}
  %0 = "wax.map"(%x) ({
  ^bb0(%e: f32, %f: f32):
    wax.yield %e : f32
  }) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @kernel_yields_two(%x: tensor<3xf32>) {
  // expected-error@+1 {{[map_c2] the kernel yields 2 scalars, not one}}
  %0 = wax.map (%e = %x) : (tensor<3xf32>) -> tensor<3xf32> {
    wax.yield %e, %e : f32, f32
  }
  return
}

// -----

func.func @kernel_yields_nothing(%x: tensor<3xf32>) {
  // expected-error@+1 {{[map_c2] the kernel yields 0 scalars, not one}}
  %0 = wax.map (%e = %x) : (tensor<3xf32>) -> tensor<3xf32> {
    wax.yield
  }
  return
}

// -----

func.func private @callee(f32) -> f32

func.func @kernel_calls(%x: tensor<3xf32>) {
  // expected-error@+1 {{[map_c3] the kernel holds 'func.call', which is not a pure operation of arith, math or complex, nor a special function, on scalars of a tensor's element type}}
  %0 = wax.map (%e = %x) : (tensor<3xf32>) -> tensor<3xf32> {
    %y = func.call @callee(%e) : (f32) -> f32
    wax.yield %y : f32
  }
  return
}

// -----

func.func @kernel_computes_with_index(%x: tensor<3xi32>) {
  // expected-error@+1 {{[map_c3] the kernel holds 'arith.index_cast'}}
  %0 = wax.map (%e = %x) : (tensor<3xi32>) -> tensor<3xi32> {
    %i = arith.index_cast %e : i32 to index
    %y = arith.index_cast %i : index to i32
    wax.yield %y : i32
  }
  return
}

// -----

func.func @result_of_another_shape(%x: tensor<3xf32>) {
  // expected-error@+1 {{op result 0 is of type 'tensor<4xf32>', but must be of type 'tensor<3xf32>'}}
  %0 = wax.map math.exp(%x) : (tensor<3xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @kernel_captures(%x: tensor<3xf32>, %s: f32) {
  %0 = wax.map (%e = %x) : (tensor<3xf32>) -> tensor<3xf32> {
    // expected-error@+1 {{use of undeclared SSA value name}}
    %y = arith.addf %e, %s : f32
    wax.yield %y : f32
  }
  return
}

// -----

func.func @named_kernel_of_another_dialect(%x: tensor<3xf32>) {
  // expected-error@+1 {{'tensor.cast' is not an operation of arith, math or complex, nor a special function, and no other can be a kernel by its name}}
  %0 = wax.map tensor.cast(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @named_kernel_of_another_arity(%x: tensor<3xf32>) {
  // expected-error@+1 {{'arith.addf' op expected 2 operands, but found 1}}
  %0 = wax.map arith.addf(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @named_kernel_without_its_attribute(%x: tensor<3xf32>) {
  // expected-error@+1 {{requires attribute 'predicate'}}
  %0 = wax.broadcast arith.cmpf(%x[0], %x[0]) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  return
}

// -----

func.func @element_of_eight_bits(%x: tensor<3xf8E4M3FN>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of}}
  %0 = wax.map (%e = %x) : (tensor<3xf8E4M3FN>) -> tensor<3xf8E4M3FN> {
    wax.yield %e : f8E4M3FN
  }
  return
}

// -----

func.func @kernel_promises_no_overflow(%x: tensor<3xi32>) {
  // expected-error@+1 {{[map_c3] the kernel holds 'arith.addi' with a promise about its operands, 'overflow', and would have no result where it is broken}}
  %0 = wax.map (%e = %x) : (tensor<3xi32>) -> tensor<3xi32> {
    %y = arith.addi %e, %e overflow<nsw> : i32
    wax.yield %y : i32
  }
  return
}

// -----

func.func @kernel_promises_no_nan(%x: tensor<3xf32>) {
  // expected-error@+1 {{[map_c3] the kernel holds 'math.sqrt' with a promise about its operands, 'fastmath'}}
  %0 = wax.map (%e = %x) : (tensor<3xf32>) -> tensor<3xf32> {
    %y = math.sqrt %e fastmath<nnan> : f32
    wax.yield %y : f32
  }
  return
}

// -----

func.func @kernel_promises_exact_division(%x: tensor<3xi32>) {
  // expected-error@+1 {{[map_c3] the kernel holds 'arith.divsi' with a promise about its operands, 'isExact'}}
  %0 = wax.map (%e = %x) : (tensor<3xi32>) -> tensor<3xi32> {
    %y = arith.divsi %e, %e exact : i32
    wax.yield %y : i32
  }
  return
}
