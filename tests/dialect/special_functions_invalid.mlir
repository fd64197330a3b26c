// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @order_is_negative(%x: tensor<3xf32>) {
  %0 = wax.map (%e = %x) : (tensor<3xf32>) -> tensor<3xf32> {
    // expected-error@+1 {{'wax.polygamma' op [polygamma_c1] the order -1 does not lie from 0 to 16}}
    %y = wax.polygamma -1, %e : f32
    wax.yield %y : f32
  }
  return
}

// -----

func.func @order_is_too_high(%x: tensor<3xf32>) {
  %0 = wax.map (%e = %x) : (tensor<3xf32>) -> tensor<3xf32> {
    // expected-error@+1 {{[polygamma_c1] the order 17 does not lie from 0 to 16}}
    %y = wax.polygamma 17, %e : f32
    wax.yield %y : f32
  }
  return
}

// -----

func.func @halves_are_computed_in_f32(%x: tensor<3xf16>) {
  // expected-error@+1 {{'wax.lgamma' op operand #0 must be 32-bit float or 64-bit float, but got 'f16'}}
  %0 = wax.map wax.lgamma(%x) : (tensor<3xf16>) -> tensor<3xf16>
  return
}

// -----

func.func @operands_differ_in_type(%a: tensor<3xf32>, %x: tensor<3xf64>) {
  // expected-error@+1 {{'wax.igamma' op requires the same type for all operands and results}}
  %0 = wax.broadcast wax.igamma(%a[0], %x[0]) : (tensor<3xf32>, tensor<3xf64>) -> tensor<3xf64>
  return
}

// -----

func.func @polygamma_has_no_default_order(%x: tensor<3xf32>) {
  // expected-error@+1 {{'wax.polygamma' op requires attribute 'order'}}
  %0 = wax.map wax.polygamma(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return
}
