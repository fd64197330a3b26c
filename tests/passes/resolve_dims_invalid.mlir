// RUN: wax-opt %s --wax-resolve-dims --split-input-file --verify-diagnostics

func.func @sizes_that_never_fit(%x: tensor<2x1xf32>) -> tensor<?x1x1xf32> {
  %c7 = arith.constant 7 : index
  // expected-error@+1 {{'wax.reshape' op [reshape_c2] needs 2 to equal 7, which never holds}}
  %0 = wax.reshape %x [[0], [1]] into [[0], [1, 2]] sizes [%c7] : (tensor<2x1xf32>) -> tensor<?x1x1xf32>
  return %0 : tensor<?x1x1xf32>
}

// -----

func.func @bounds_that_rule_it_out(%x: tensor<?xf32> {wax.name = "x", wax.dims = affine_map<()[s0] -> (s0)>}) -> tensor<8xf32>
    attributes {wax.symbols = [{name = "n", min = 1 : i64, max = 7 : i64}]} {
  // expected-error@+1 {{'wax.slice' op [slice_c4] needs 8 to be at most n, which never holds}}
  %0 = wax.slice %x offsets [0] sizes [8] strides [1] : (tensor<?xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @no_multiple(%x: tensor<4x2xi32>, %w: tensor<7x?xi32>) -> tensor<2x7xi32> {
  // expected-error@+1 {{'wax.convolve' op [convolve_c5] needs 4 to equal (dim 1 of argument 1 * 7), which never holds}}
  %0 = wax.convolve %x[f, b], %w[o, i] to [b, f] strides [] low [] high [] feature_groups 7 : (tensor<4x2xi32>, tensor<7x?xi32>) -> tensor<2x7xi32>
  return %0 : tensor<2x7xi32>
}

// -----

func.func @perhaps_the_multiple(%x: tensor<14x2xi32>, %w: tensor<7x?xi32>) -> tensor<2x7xi32> {
  %0 = wax.convolve %x[f, b], %w[o, i] to [b, f] strides [] low [] high [] feature_groups 7 : (tensor<14x2xi32>, tensor<7x?xi32>) -> tensor<2x7xi32>
  return %0 : tensor<2x7xi32>
}
