// pad and concat, run by mlir-runner here and by IREE in test_iree_accepts.py.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | %run_main | FileCheck %s

func.func @surround(%x: tensor<2x?xf32>) -> tensor<3x?xf32> attributes {no_inline} {
  %v = wax.constant dense<7.0> : tensor<f32>
  %0 = wax.pad %x with %v low [1, 0] high [0, 2] interior [0, 0] : (tensor<2x?xf32>, tensor<f32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

func.func @surround_with(%x: tensor<2x?xf32>, %v: tensor<f32>) -> tensor<3x?xf32> attributes {no_inline} {
  %0 = wax.pad %x with %v low [1, 0] high [0, 2] interior [0, 0] : (tensor<2x?xf32>, tensor<f32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

func.func @crop(%x: tensor<2x?xf32>) -> tensor<1x?xf32> attributes {no_inline} {
  %v = wax.constant dense<7.0> : tensor<f32>
  %0 = wax.pad %x with %v low [-1, 1] high [0, -2] interior [0, 0] : (tensor<2x?xf32>, tensor<f32>) -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}

func.func @dilate(%x: tensor<2x?xf32>) -> tensor<3x?xf32> attributes {no_inline} {
  %v = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.pad %x with %v low [0, -1] high [0, 2] interior [1, 2] : (tensor<2x?xf32>, tensor<f32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

func.func @dilate_with(%x: tensor<2x3xf32>, %v: tensor<f32>) -> tensor<5x7xf32> attributes {no_inline} {
  %0 = wax.pad %x with %v low [1, 1] high [1, 1] interior [1, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}

func.func @concat_rows(%x: tensor<2x3xf32>, %y: tensor<?x?xf32>) -> tensor<?x3xf32> attributes {no_inline} {
  %0 = wax.concat (%x, %y, %x) along 0 : (tensor<2x3xf32>, tensor<?x?xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

func.func @concat_columns(%x: tensor<2x?xf32>, %y: tensor<2x?xf32>) -> tensor<2x?xf32> attributes {no_inline} {
  %0 = wax.concat (%x, %y) along 1 : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// Driver

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func @main() {
  %x = wax.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %dx = tensor.cast %x : tensor<2x3xf32> to tensor<2x?xf32>
  %ddx = tensor.cast %x : tensor<2x3xf32> to tensor<?x?xf32>
  %v = wax.constant dense<9.0> : tensor<f32>
  // CHECK: sizes = [3, 5]
  // CHECK-NEXT: [7, 7, 7, 7, 7]
  // CHECK-NEXT: [1, 2, 3, 7, 7]
  // CHECK-NEXT: [4, 5, 6, 7, 7]
  %0 = call @surround(%dx) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  %u0 = tensor.cast %0 : tensor<3x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  // CHECK: sizes = [3, 5]
  // CHECK-NEXT: [9, 9, 9, 9, 9]
  // CHECK-NEXT: [1, 2, 3, 9, 9]
  // CHECK-NEXT: [4, 5, 6, 9, 9]
  %1 = call @surround_with(%dx, %v) : (tensor<2x?xf32>, tensor<f32>) -> tensor<3x?xf32>
  %u1 = tensor.cast %1 : tensor<3x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()
  // CHECK: sizes = [1, 2]
  // CHECK-NEXT: [7, 4]
  %2 = call @crop(%dx) : (tensor<2x?xf32>) -> tensor<1x?xf32>
  %u2 = tensor.cast %2 : tensor<1x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()
  // CHECK: sizes = [3, 8]
  // CHECK-NEXT: [0, 0, 2, 0, 0, 3, 0, 0]
  // CHECK-NEXT: [0, 0, 0, 0, 0, 0, 0, 0]
  // CHECK-NEXT: [0, 0, 5, 0, 0, 6, 0, 0]
  %3 = call @dilate(%dx) : (tensor<2x?xf32>) -> tensor<3x?xf32>
  %u3 = tensor.cast %3 : tensor<3x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u3) : (tensor<*xf32>) -> ()
  // CHECK: sizes = [5, 7]
  // CHECK-NEXT: [9, 9, 9, 9, 9, 9, 9]
  // CHECK-NEXT: [9, 1, 9, 2, 9, 3, 9]
  // CHECK-NEXT: [9, 9, 9, 9, 9, 9, 9]
  // CHECK-NEXT: [9, 4, 9, 5, 9, 6, 9]
  %4 = call @dilate_with(%x, %v) : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x7xf32>
  %u4 = tensor.cast %4 : tensor<5x7xf32> to tensor<*xf32>
  call @printMemrefF32(%u4) : (tensor<*xf32>) -> ()
  // CHECK: sizes = [6, 3]
  // CHECK-NEXT: [1, 2, 3]
  // CHECK-NEXT: [4, 5, 6]
  // CHECK-NEXT: [1, 2, 3]
  // CHECK-NEXT: [4, 5, 6]
  %5 = call @concat_rows(%x, %ddx) : (tensor<2x3xf32>, tensor<?x?xf32>) -> tensor<?x3xf32>
  %u5 = tensor.cast %5 : tensor<?x3xf32> to tensor<*xf32>
  call @printMemrefF32(%u5) : (tensor<*xf32>) -> ()
  // CHECK: sizes = [2, 6]
  // CHECK-NEXT: [1, 2, 3, 1, 2, 3]
  // CHECK-NEXT: [4, 5, 6, 4, 5, 6]
  %6 = call @concat_columns(%dx, %dx) : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  %u6 = tensor.cast %6 : tensor<2x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u6) : (tensor<*xf32>) -> ()
  return
}
