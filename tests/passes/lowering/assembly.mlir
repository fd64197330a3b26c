// RUN: wax-opt %s --wax-resolve-dims --wax-lower --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func @pad_with_a_constant
// CHECK: %[[V:.*]] = arith.constant 7.000000e+00 : f32
// CHECK: tensor.pad %{{.*}} low[1, 0] high[0, 2]
// CHECK: tensor.yield %[[V]] : f32
// CHECK: tensor<2x?xf32> to tensor<3x?xf32>
func.func @pad_with_a_constant(%x: tensor<2x?xf32>) -> tensor<3x?xf32> {
  %v = wax.constant dense<7.0> : tensor<f32>
  %0 = wax.pad %x with %v low [1, 0] high [0, 2] interior [0, 0] : (tensor<2x?xf32>, tensor<f32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

// -----

// CHECK-LABEL: func @pad_with_an_argument
// CHECK-SAME: %[[X:.*]]: tensor<2x?xf32>, %[[V:.*]]: tensor<f32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %c1
// CHECK-DAG: %[[WIDE:.*]] = arith.addi %[[N]], %c2
// CHECK: %[[E:.*]] = tensor.empty(%[[WIDE]]) : tensor<3x?xf32>
// CHECK: %[[FULL:.*]] = linalg.generic {{.*}} ins(%[[V]] : tensor<f32>) outs(%[[E]] : tensor<3x?xf32>)
// CHECK: tensor.insert_slice %[[X]] into %[[FULL]][1, 0] [2, %[[N]]] [1, 1]
func.func @pad_with_an_argument(%x: tensor<2x?xf32>, %v: tensor<f32>) -> tensor<3x?xf32> {
  %0 = wax.pad %x with %v low [1, 0] high [0, 2] interior [0, 0] : (tensor<2x?xf32>, tensor<f32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

// -----

// The result's size says that the operand is empty.
// CHECK-LABEL: func @nothing_but_padding
// CHECK-NOT: tensor.pad
// CHECK: linalg.fill {{.*}} -> tensor<2x3xf32>
func.func @nothing_but_padding(%x: tensor<?x3xf32>) -> tensor<2x3xf32> {
  %v = wax.constant dense<7.0> : tensor<f32>
  %0 = wax.pad %x with %v low [2, 0] high [0, 0] interior [0, 0] : (tensor<?x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func @a_negative_pad_crops
// CHECK-NOT: tensor.pad
// CHECK: tensor.extract_slice %{{.*}}[1] [5] [1] : tensor<8xf32> to tensor<5xf32>
func.func @a_negative_pad_crops(%x: tensor<8xf32>, %v: tensor<f32>) -> tensor<5xf32> {
  %0 = wax.pad %x with %v low [-1] high [-2] interior [0] : (tensor<8xf32>, tensor<f32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// -----

// Each place of the result finds out whether an element is there: nothing larger is made, however far apart they lie.
// CHECK-LABEL: func @interior_padding_dilates
// CHECK: %[[PLACE:.*]] = linalg.index 0
// CHECK: %[[REST:.*]] = arith.remui %[[PLACE]], %c3
// CHECK: %[[THERE:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK: %[[AT:.*]] = arith.divui %[[PLACE]], %c3
// CHECK: %[[ELEMENT:.*]] = tensor.extract %{{.*}}[%[[AT]]] : tensor<4xf32>
// CHECK: arith.select %[[THERE]], %[[ELEMENT]], %cst
func.func @interior_padding_dilates(%x: tensor<4xf32>) -> tensor<10xf32> {
  %v = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.pad %x with %v low [0] high [0] interior [2] : (tensor<4xf32>, tensor<f32>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}

// -----

// A dim that only loses elements does so in the same step; another is padded after it.
// CHECK-LABEL: func @interior_padding_crops
// CHECK: tensor.empty() : tensor<3x7xf32>
// CHECK: %[[ROW:.*]] = linalg.index 0
// CHECK: arith.addi %[[ROW]], %c2
// CHECK: tensor.pad {{.*}} low[0, 1] high[0, 0]
// CHECK: tensor.extract_slice {{.*}}[0, 0] [3, 6] [1, 1]
func.func @interior_padding_crops(%x: tensor<4x4xf32>) -> tensor<3x6xf32> {
  %v = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.pad %x with %v low [-2, 1] high [-2, -2] interior [1, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<3x6xf32>
  return %0 : tensor<3x6xf32>
}

// -----

// CHECK-LABEL: func @all_is_cropped
// CHECK-NOT: tensor.extract_slice
// CHECK: tensor.empty() : tensor<0xf32>
func.func @all_is_cropped(%x: tensor<1xf32>, %v: tensor<f32>) -> tensor<0xf32> {
  %0 = wax.pad %x with %v low [-1] high [0] interior [0] : (tensor<1xf32>, tensor<f32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}

// -----

// CHECK-LABEL: func @concat_checks_and_joins
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>, %[[Y:.*]]: tensor<?x?xf32>
// CHECK: cf.assert
// CHECK: %[[C:.*]] = tensor.cast %[[Y]] : tensor<?x?xf32> to tensor<?x3xf32>
// CHECK: tensor.concat dim(0) %[[X]], %[[C]] : (tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
func.func @concat_checks_and_joins(%x: tensor<2x3xf32>, %y: tensor<?x?xf32>) -> tensor<?x3xf32> {
  %0 = wax.concat (%x, %y) along 0 : (tensor<2x3xf32>, tensor<?x?xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// What has no elements is not moved, and adds nothing.
// CHECK-LABEL: @without_elements
// CHECK-NOT: tensor.concat
// CHECK: %[[E:.*]] = tensor.empty() : tensor<0x6xf32>
// CHECK: return %[[E]], %arg1
func.func @without_elements(%x: tensor<0x3xf32>, %y: tensor<3x?xf32>, %z: tensor<3x0xf32>)
    -> (tensor<0x6xf32>, tensor<3x?xf32>) {
  %0 = wax.concat (%x, %x) along 1 : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x6xf32>
  %1 = wax.concat (%z, %y) along 1 : (tensor<3x0xf32>, tensor<3x?xf32>) -> tensor<3x?xf32>
  return %0, %1 : tensor<0x6xf32>, tensor<3x?xf32>
}
