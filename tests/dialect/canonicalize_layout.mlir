// RUN: wax-opt %s --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @permute_in_place
// CHECK-SAME: (%[[X:.*]]: tensor<4x?xf32>)
// CHECK-NEXT: return %[[X]]
func.func @permute_in_place(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = wax.permute %x [0, 1] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @permute_of_a_permute
// CHECK-NEXT: wax.permute %{{.*}} [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
func.func @permute_of_a_permute(%x: tensor<2x3x4xf32>) -> tensor<3x4x2xf32> {
  %0 = wax.permute %x [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = wax.permute %0 [2, 0, 1] : (tensor<4x2x3xf32>) -> tensor<3x4x2xf32>
  return %1 : tensor<3x4x2xf32>
}

// CHECK-LABEL: func.func @permute_of_constants
// CHECK-DAG: wax.constant dense<{{\[}}[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>
// CHECK-DAG: wax.constant dense<(1.000000e+00,2.000000e+00)> : tensor<100x9xcomplex<f32>>
func.func @permute_of_constants() -> (tensor<3x2xi32>, tensor<100x9xcomplex<f32>>) {
  %0 = wax.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %1 = wax.permute %0 [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %2 = wax.constant dense<(1.0, 2.0)> : tensor<9x100xcomplex<f32>>
  %3 = wax.permute %2 [1, 0] : (tensor<9x100xcomplex<f32>>) -> tensor<100x9xcomplex<f32>>
  return %1, %3 : tensor<3x2xi32>, tensor<100x9xcomplex<f32>>
}

// -----

// CHECK-LABEL: func.func @reshape_to_the_same
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>)
// CHECK-NEXT: return %[[X]]
func.func @reshape_to_the_same(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = wax.reshape %x [[0], [1]] into [[0], [1]] : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @reshape_there_and_back
// CHECK-SAME: (%[[X:.*]]: tensor<6x4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @reshape_there_and_back(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %0 = wax.reshape %x [[0, 1]] into [[0]] : (tensor<6x4xf32>) -> tensor<24xf32>
  %1 = wax.reshape %0 [[0]] into [[0, 1]] : (tensor<24xf32>) -> tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}

// CHECK-LABEL: func.func @reshape_of_a_reshape
// CHECK-NEXT: wax.reshape %{{.*}} {{\[}}[0], [1, 2, 3]] into {{\[}}[0], [1, 2]] : (tensor<?x2x3x4xf32>) -> tensor<?x8x3xf32>
func.func @reshape_of_a_reshape(%x: tensor<?x2x3x4xf32>) -> tensor<?x8x3xf32> {
  %0 = wax.reshape %x [[0], [1, 2], [3]] into [[0], [1], [2]] : (tensor<?x2x3x4xf32>) -> tensor<?x6x4xf32>
  %1 = wax.reshape %0 [[0], [1, 2]] into [[0], [1, 2]] : (tensor<?x6x4xf32>) -> tensor<?x8x3xf32>
  return %1 : tensor<?x8x3xf32>
}

// CHECK-LABEL: func.func @dims_of_one_element_come_and_go
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>)
// CHECK-NEXT: return %[[X]]
func.func @dims_of_one_element_come_and_go(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = wax.reshape %x [[0], [], [1]] into [[0], [1], [2]] : (tensor<?x8xf32>) -> tensor<?x1x8xf32>
  %1 = wax.reshape %0 [[0], [1], [2]] into [[0], [], [1]] : (tensor<?x1x8xf32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// The sizes of the split must still be compared with those of the merge.
// CHECK-LABEL: func.func @merge_and_split_by_sizes
// CHECK-SAME: (%[[X:.*]]: tensor<?x?xf32>, %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK-NEXT: wax.reshape %[[X]] {{\[}}[0, 1]] into {{\[}}[0, 1]] sizes [%[[N]], %[[M]]] : (tensor<?x?xf32>) -> tensor<?x?xf32>
func.func @merge_and_split_by_sizes(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %0 = wax.reshape %x [[0, 1]] into [[0]] : (tensor<?x?xf32>) -> tensor<?xf32>
  %1 = wax.reshape %0 [[0]] into [[0, 1]] sizes [%n, %m] : (tensor<?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// The split itself must be checked.
// CHECK-LABEL: func.func @split_and_merge_by_sizes_stays
// CHECK-COUNT-2: wax.reshape
func.func @split_and_merge_by_sizes_stays(%x: tensor<?xf32>, %n: index, %m: index) -> tensor<?xf32> {
  %0 = wax.reshape %x [[0]] into [[0, 1]] sizes [%n, %m] : (tensor<?xf32>) -> tensor<?x?xf32>
  %1 = wax.reshape %0 [[0, 1]] into [[0]] : (tensor<?x?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @reshape_of_a_constant
// CHECK: wax.constant dense<{{\[}}[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
func.func @reshape_of_a_constant() -> tensor<3x2xi32> {
  %0 = wax.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %1 = wax.reshape %0 [[0]] into [[0, 1]] : (tensor<6xi32>) -> tensor<3x2xi32>
  return %1 : tensor<3x2xi32>
}

// -----

// CHECK-LABEL: func.func @pad_with_nothing
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>
// CHECK-NEXT: return %[[X]]
func.func @pad_with_nothing(%x: tensor<?xf32>, %v: tensor<f32>) -> tensor<?xf32> {
  %0 = wax.pad %x with %v low [0] high [0] interior [0] : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @pad_of_constants
// CHECK-DAG: wax.constant dense<[2, 9, 3, 9, 9]> : tensor<5xi32>
// CHECK-DAG: wax.constant dense<9> : tensor<100xi32>
// CHECK-DAG: wax.constant dense<9> : tensor<3xi32>
func.func @pad_of_constants(%e: tensor<0xi32>) -> (tensor<5xi32>, tensor<100xi32>, tensor<3xi32>) {
  %v = wax.constant dense<9> : tensor<i32>
  %0 = wax.constant dense<[1, 2, 3]> : tensor<3xi32>
  %1 = wax.pad %0 with %v low [-2] high [2] interior [1] : (tensor<3xi32>, tensor<i32>) -> tensor<5xi32>
  %2 = wax.constant dense<9> : tensor<98xi32>
  %3 = wax.pad %2 with %v low [1] high [1] interior [0] : (tensor<98xi32>, tensor<i32>) -> tensor<100xi32>
  %4 = wax.pad %e with %v low [1] high [2] interior [5] : (tensor<0xi32>, tensor<i32>) -> tensor<3xi32>
  return %1, %3, %4 : tensor<5xi32>, tensor<100xi32>, tensor<3xi32>
}

// −0 is not 0.
// CHECK-LABEL: func.func @pad_of_zero_with_minus_zero
// CHECK: wax.constant dense<[-0.000000e+00, 0.000000e+00]> : tensor<2xf32>
func.func @pad_of_zero_with_minus_zero() -> tensor<2xf32> {
  %v = wax.constant dense<-0.0> : tensor<f32>
  %0 = wax.constant dense<0.0> : tensor<1xf32>
  %1 = wax.pad %0 with %v low [1] high [0] interior [0] : (tensor<1xf32>, tensor<f32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

// CHECK-LABEL: func.func @concat_of_one
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>)
// CHECK-NEXT: return %[[X]]
func.func @concat_of_one(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = wax.concat (%x) along 0 : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @concat_of_concats
// CHECK-SAME: (%[[X:.*]]: tensor<?xf32>, %[[Y:.*]]: tensor<4xf32>)
// CHECK-NEXT: wax.concat (%[[X]], %[[Y]], %[[X]]) along 0
func.func @concat_of_concats(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<?xf32> {
  %0 = wax.concat (%x, %y) along 0 : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>
  %1 = wax.concat (%0, %x) along 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// CHECK-LABEL: func.func @empty_operand_of_a_concat
// CHECK-SAME: (%[[X:.*]]: tensor<?x2xf32>
// CHECK-NEXT: return %[[X]]
func.func @empty_operand_of_a_concat(%x: tensor<?x2xf32>, %e: tensor<0x2xf32>) -> tensor<?x2xf32> {
  %0 = wax.concat (%e, %x) along 0 : (tensor<0x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// CHECK-LABEL: func.func @concat_of_constants
// CHECK-DAG: wax.constant dense<{{\[}}[1, 5], [2, 6]]> : tensor<2x2xi32>
// CHECK-DAG: wax.constant dense<7> : tensor<90xi8>
func.func @concat_of_constants() -> (tensor<2x2xi32>, tensor<90xi8>) {
  %0 = wax.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %1 = wax.constant dense<[[5], [6]]> : tensor<2x1xi32>
  %2 = wax.concat (%0, %1) along 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
  %3 = wax.constant dense<7> : tensor<45xi8>
  %4 = wax.concat (%3, %3) along 0 : (tensor<45xi8>, tensor<45xi8>) -> tensor<90xi8>
  return %2, %4 : tensor<2x2xi32>, tensor<90xi8>
}
