// RUN: wax-opt %s --wax-split-complex --split-input-file --verify-diagnostics

// What the pass cannot split is named, and nothing is left half done.

func.func @function_of_complex_numbers(%z: complex<f32>) -> complex<f32> {
  // expected-error@+1 {{failed to legalize operation 'complex.exp'}}
  %0 = complex.exp %z : complex<f32>
  return %0 : complex<f32>
}

// -----

func.func @product(%a: complex<f32>, %b: complex<f32>) -> f32 {
  // expected-error@+1 {{failed to legalize operation 'complex.mul'}}
  %0 = complex.mul %a, %b : complex<f32>
  %1 = complex.re %0 : complex<f32>
  return %1 : f32
}

// -----

func.func @named_operation_that_computes(%a: tensor<2x3xcomplex<f32>>, %b: tensor<3x2xcomplex<f32>>, %c: tensor<2x2xcomplex<f32>>)
    -> tensor<2x2xcomplex<f32>> {
  // expected-error@+1 {{failed to legalize operation 'linalg.matmul'}}
  %0 = linalg.matmul ins(%a, %b : tensor<2x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) outs(%c : tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  return %0 : tensor<2x2xcomplex<f32>>
}

// -----

// expected-error@+1 {{failed to legalize operation 'func.func'}}
func.func private @numbers_that_are_whole(tensor<2xcomplex<i32>>)

// -----

// expected-error@+1 {{failed to legalize operation 'func.func'}}
func.func private @in_memory(memref<2xcomplex<f32>>)

// -----

func.func @operation_of_another_dialect(%z: tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
  // expected-error@+1 {{failed to legalize operation 'util.optimization_barrier'}}
  %0 = "util.optimization_barrier"(%z) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// -----

func.func @constant_elsewhere() -> tensor<1xcomplex<f32>> {
  // expected-error@+1 {{failed to legalize operation 'arith.constant'}}
  %0 = arith.constant dense_resource<blob> : tensor<1xcomplex<f32>>
  return %0 : tensor<1xcomplex<f32>>
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x080000000000803F00000040"
    }
  }
#-}
