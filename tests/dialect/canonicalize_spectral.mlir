// RUN: wax-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @along_dims_of_one_element
// CHECK-SAME: (%[[X:.*]]: tensor<1x?x1xcomplex<f32>>)
// CHECK-NEXT: return %[[X]]
func.func @along_dims_of_one_element(%x: tensor<1x?x1xcomplex<f32>>) -> tensor<1x?x1xcomplex<f32>> {
  %0 = wax.fft %x over [2, 0] : (tensor<1x?x1xcomplex<f32>>) -> tensor<1x?x1xcomplex<f32>>
  return %0 : tensor<1x?x1xcomplex<f32>>
}

// CHECK-LABEL: func.func @dims_of_one_element_are_dropped
// CHECK-NEXT: wax.fft inverse %{{.*}} over [1] : (tensor<1x8xcomplex<f32>>) -> tensor<1x8xcomplex<f32>>
func.func @dims_of_one_element_are_dropped(%x: tensor<1x8xcomplex<f32>>) -> tensor<1x8xcomplex<f32>> {
  %0 = wax.fft inverse %x over [0, 1] : (tensor<1x8xcomplex<f32>>) -> tensor<1x8xcomplex<f32>>
  return %0 : tensor<1x8xcomplex<f32>>
}

// The last dim changes the element type, whatever its size.
// CHECK-LABEL: func.func @a_half_dim_stays
// CHECK-NEXT: %[[Y:.*]] = wax.fft %{{.*}} over [1] : (tensor<1x1xf32>) -> tensor<1x1xcomplex<f32>>
// CHECK-NEXT: wax.fft inverse %[[Y]] over [1] length 1 : (tensor<1x1xcomplex<f32>>) -> tensor<1x1xf32>
func.func @a_half_dim_stays(%x: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %0 = wax.fft %x over [0, 1] : (tensor<1x1xf32>) -> tensor<1x1xcomplex<f32>>
  %1 = wax.fft inverse %0 over [0, 1] length 1 : (tensor<1x1xcomplex<f32>>) -> tensor<1x1xf32>
  return %1 : tensor<1x1xf32>
}

// CHECK-LABEL: func.func @along_one_dim_after_another
// CHECK-NEXT: wax.fft %{{.*}} over [0, 2, 1] : (tensor<4x6x8xcomplex<f32>>) -> tensor<4x6x8xcomplex<f32>>
// CHECK-NEXT: return
func.func @along_one_dim_after_another(%x: tensor<4x6x8xcomplex<f32>>) -> tensor<4x6x8xcomplex<f32>> {
  %0 = wax.fft %x over [0] : (tensor<4x6x8xcomplex<f32>>) -> tensor<4x6x8xcomplex<f32>>
  %1 = wax.fft %0 over [2, 1] : (tensor<4x6x8xcomplex<f32>>) -> tensor<4x6x8xcomplex<f32>>
  return %1 : tensor<4x6x8xcomplex<f32>>
}

// CHECK-LABEL: func.func @after_a_real_operand
// CHECK-NEXT: wax.fft %{{.*}} over [0, 1] : (tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>>
// CHECK-NEXT: return
func.func @after_a_real_operand(%x: tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>> {
  %0 = wax.fft %x over [1] : (tensor<4x6xf32>) -> tensor<4x4xcomplex<f32>>
  %1 = wax.fft %0 over [0] : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  return %1 : tensor<4x4xcomplex<f32>>
}

// CHECK-LABEL: func.func @before_a_real_result
// CHECK-NEXT: wax.fft inverse %{{.*}} over [0, 1] length 7 : (tensor<4x4xcomplex<f32>>) -> tensor<4x7xf32>
// CHECK-NEXT: return
func.func @before_a_real_result(%x: tensor<4x4xcomplex<f32>>) -> tensor<4x7xf32> {
  %0 = wax.fft inverse %x over [0] : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  %1 = wax.fft inverse %0 over [1] length 7 : (tensor<4x4xcomplex<f32>>) -> tensor<4x7xf32>
  return %1 : tensor<4x7xf32>
}

// CHECK-LABEL: func.func @there_and_back
// CHECK-NEXT: %[[Y:.*]] = wax.fft %{{.*}} over [0]
// CHECK-NEXT: wax.fft inverse %[[Y]] over [1]
func.func @there_and_back(%x: tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>> {
  %0 = wax.fft %x over [0] : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  %1 = wax.fft inverse %0 over [1] : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  return %1 : tensor<4x6xcomplex<f32>>
}

// CHECK-LABEL: func.func @twice_along_one_dim
// CHECK-NEXT: %[[Y:.*]] = wax.fft %{{.*}} over [0]
// CHECK-NEXT: wax.fft %[[Y]] over [1, 0]
func.func @twice_along_one_dim(%x: tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>> {
  %0 = wax.fft %x over [0] : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  %1 = wax.fft %0 over [1, 0] : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  return %1 : tensor<4x6xcomplex<f32>>
}

// CHECK-LABEL: func.func @used_in_between
// CHECK-NEXT: %[[Y:.*]] = wax.fft %{{.*}} over [0]
// CHECK-NEXT: wax.fft %[[Y]] over [1]
func.func @used_in_between(%x: tensor<4x6xcomplex<f32>>) -> (tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) {
  %0 = wax.fft %x over [0] : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  %1 = wax.fft %0 over [1] : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  return %0, %1 : tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>
}

// CHECK-LABEL: func.func @real_then_half_then_real
// CHECK-NEXT: %[[Y:.*]] = wax.fft %{{.*}} over [0]
// CHECK-NEXT: wax.fft %[[Y]] over [1] length 6
func.func @real_then_half_then_real(%x: tensor<4x4xf32>) -> tensor<3x6xf32> {
  %0 = wax.fft %x over [0] : (tensor<4x4xf32>) -> tensor<3x4xcomplex<f32>>
  %1 = wax.fft %0 over [1] length 6 : (tensor<3x4xcomplex<f32>>) -> tensor<3x6xf32>
  return %1 : tensor<3x6xf32>
}
