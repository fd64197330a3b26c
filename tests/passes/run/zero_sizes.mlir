// Dims of size 0, through every family. Nothing crashes, and reductions of no
// element give their init.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | %run_main | FileCheck %s

func.func @add(%x: tensor<?x3xf32>, %b: tensor<3xf32>) -> tensor<?x3xf32> attributes {no_inline} {
  %0 = wax.broadcast arith.addf(%x[0, 1], %b[1]) : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

func.func @sum(%x: tensor<?x3xf32>) -> tensor<3xf32> attributes {no_inline} {
  %init = wax.constant dense<5.0> : tensor<f32>
  %0 = wax.reduce ordered arith.addf(%x) over [0] init(%init) : (tensor<?x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @move(%x: tensor<?x3xf32>) -> tensor<3x?xf32> attributes {no_inline} {
  %v = wax.constant dense<9.0> : tensor<f32>
  %0 = wax.concat (%x, %x) along 0 : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %1 = wax.permute %0 [1, 0] : (tensor<?x3xf32>) -> tensor<3x?xf32>
  %2 = wax.pad %1 with %v low [0, 1] high [0, 1] interior [0, 0] : (tensor<3x?xf32>, tensor<f32>) -> tensor<3x?xf32>
  %3 = wax.slice %2 offsets [0, 1] sizes [3, 1] strides [1, 1] : (tensor<3x?xf32>) -> tensor<3x1xf32>
  %4 = wax.concat (%3, %2) along 1 : (tensor<3x1xf32>, tensor<3x?xf32>) -> tensor<3x?xf32>
  return %4 : tensor<3x?xf32>
}

func.func @take(%x: tensor<3xf32>, %i: tensor<?xi32>) -> tensor<?xf32> attributes {no_inline} {
  %0 = wax.gather %x[%i[0]] : (tensor<3xf32>, tensor<?xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Driver

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func @main() {
  %x = wax.constant dense<1.0> : tensor<0x3xf32>
  %dx = tensor.cast %x : tensor<0x3xf32> to tensor<?x3xf32>
  %b = wax.constant dense<1.0> : tensor<3xf32>
  // CHECK: sizes = [0, 3]
  %0 = call @add(%dx, %b) : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %u0 = tensor.cast %0 : tensor<?x3xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  // CHECK: [5, 5, 5]
  %1 = call @sum(%dx) : (tensor<?x3xf32>) -> tensor<3xf32>
  %u1 = tensor.cast %1 : tensor<3xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()
  // CHECK: sizes = [3, 3]
  // CHECK-NEXT: [9, 9, 9]
  %2 = call @move(%dx) : (tensor<?x3xf32>) -> tensor<3x?xf32>
  %u2 = tensor.cast %2 : tensor<3x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()
  // CHECK: sizes = [0]
  %i = wax.constant dense<1> : tensor<0xi32>
  %di = tensor.cast %i : tensor<0xi32> to tensor<?xi32>
  %3 = call @take(%b, %di) : (tensor<3xf32>, tensor<?xi32>) -> tensor<?xf32>
  %u3 = tensor.cast %3 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u3) : (tensor<*xf32>) -> ()
  return
}
