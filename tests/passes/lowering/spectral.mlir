// RUN: wax-opt %s --wax-resolve-dims --wax-lower --canonicalize --cse --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-resolve-dims --wax-lower="target=iree gpu=true" --canonicalize --cse --split-input-file | FileCheck %s

// Real and imaginary parts are told apart, multiplied by one matrix, and put together.
// CHECK-LABEL: func @few_elements_are_one_contraction
// CHECK-DAG: %[[MATRIX:.*]] = arith.constant dense<{{.*}}> : tensor<16x16xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x2x8x1xf32>)
// CHECK: complex.re
// CHECK: complex.im
// CHECK: %[[PARTS:.*]] = tensor.collapse_shape {{.*}} into tensor<2x16x1xf32>
// CHECK: linalg.generic {{.*}} "reduction"]} ins(%[[PARTS]], %[[MATRIX]] : {{.*}}) outs(%{{.*}} : tensor<2x1x16xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK-NOT: "reduction"
// CHECK: complex.create
// CHECK-NOT: linalg.generic
// CHECK: return %{{.*}} : tensor<2x8xcomplex<f32>>
func.func @few_elements_are_one_contraction(%x: tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>> {
  %0 = wax.fft %x over [1] : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
  return %0 : tensor<2x8xcomplex<f32>>
}

// -----

// A real operand has no parts to tell apart; of the last stage only the half that is wanted is computed.
// CHECK-LABEL: func @stages_are_joined_by_roots
// CHECK-SAME: %[[X:.*]]: tensor<?x64xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: tensor.expand_shape %[[X]] {{.*}} into tensor<?x8x8xf32>
// CHECK: linalg.generic {{.*}} "reduction"]} {{.*}} outs(%{{.*}} : tensor<?x8x16xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<?x2x8x8xf32>)
// CHECK: arith.subf
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} "reduction"]} {{.*}} outs(%{{.*}} : tensor<?x10x8xf32>)
// CHECK: tensor.extract_slice {{.*}}[0, 0, 0, 0] [%[[N]], 1, 33, 1]
// CHECK: tensor.extract_slice {{.*}}[0, 1, 0, 0] [%[[N]], 1, 33, 1]
// CHECK: complex.create
func.func @stages_are_joined_by_roots(%x: tensor<?x64xf32>) -> tensor<?x33xcomplex<f32>> {
  %0 = wax.fft %x over [1] : (tensor<?x64xf32>) -> tensor<?x33xcomplex<f32>>
  return %0 : tensor<?x33xcomplex<f32>>
}

// -----

// A real result is read off the first part; elements of the half count twice, but for the first and the middle one.
// CHECK-LABEL: func @a_real_result_is_one_part
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3x2x5x1xf64>)
// CHECK: arith.cmpi eq, %{{.*}}, %c0
// CHECK: arith.cmpi eq, %{{.*}}, %c4
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} "reduction"]} {{.*}} outs(%{{.*}} : tensor<3x1x8xf64>)
// CHECK-NOT: complex.create
// CHECK: return %{{.*}} : tensor<3x8xf64>
func.func @a_real_result_is_one_part(%x: tensor<3x5xcomplex<f64>>) -> tensor<3x8xf64> {
  %0 = wax.fft inverse %x over [1] length 8 : (tensor<3x5xcomplex<f64>>) -> tensor<3x8xf64>
  return %0 : tensor<3x8xf64>
}

// -----

// 37 is a large prime: a convolution of length 75 = 15 · 5, whose roots come from two tables.
// CHECK-LABEL: func @a_large_prime_is_a_convolution
// CHECK: arith.remui %{{.*}}, %c74_i64
// CHECK: tensor.extract
// CHECK-COUNT-6: "reduction"
// CHECK-NOT: "reduction"
// CHECK: return
func.func @a_large_prime_is_a_convolution(%x: tensor<37xcomplex<f32>>) -> tensor<37xcomplex<f32>> {
  %0 = wax.fft %x over [0] : (tensor<37xcomplex<f32>>) -> tensor<37xcomplex<f32>>
  return %0 : tensor<37xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @one_element_is_only_converted
// CHECK-NOT: "reduction"
// CHECK: complex.create
func.func @one_element_is_only_converted(%x: tensor<4x1xf32>) -> tensor<4x1xcomplex<f32>> {
  %0 = wax.fft %x over [1] : (tensor<4x1xf32>) -> tensor<4x1xcomplex<f32>>
  return %0 : tensor<4x1xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @sums_of_nothing_are_zero
// CHECK-NOT: "reduction"
// CHECK: complex.create
// CHECK: return %{{.*}} : tensor<4x1xcomplex<f32>>
func.func @sums_of_nothing_are_zero(%x: tensor<4x0xf32>) -> tensor<4x1xcomplex<f32>> {
  %0 = wax.fft %x over [1] : (tensor<4x0xf32>) -> tensor<4x1xcomplex<f32>>
  return %0 : tensor<4x1xcomplex<f32>>
}
