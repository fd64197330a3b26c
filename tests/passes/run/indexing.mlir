// gather, iota and constant, run by mlir-runner here and by IREE in test_iree_accepts.py.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | %run_main | FileCheck %s
// RUN: wax-opt %s --wax-to-linalg=split-complex=true | %to_llvm | %run_main | FileCheck %s

func.func @take_rows(%table: tensor<?x2xf32>, %ids: tensor<?xi32>) -> tensor<?x2xf32> attributes {no_inline} {
  %0 = wax.gather %table[%ids[0], 1] : (tensor<?x2xf32>, tensor<?xi32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

func.func @take_along(%x: tensor<?x?xf32>, %ids: tensor<?x?xi64>) -> tensor<?x?xf32> attributes {no_inline} {
  %0 = wax.gather %x[0, %ids[0, 1]] : (tensor<?x?xf32>, tensor<?x?xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @pick(%x: tensor<3x2xf32>, %i: tensor<i8>, %j: tensor<4xi32>) -> tensor<4xf32> attributes {no_inline} {
  %0 = wax.gather %x[%i[], %j[0]] : (tensor<3x2xf32>, tensor<i8>, tensor<4xi32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @iota_i32(%x: tensor<?xf32>) -> tensor<?x3xi32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = wax.iota along 0 sizes [%n] : tensor<?x3xi32>
  return %0 : tensor<?x3xi32>
}

// Integers wrap: 255 is -1, 256 is 0.
func.func @iota_i8() -> tensor<300xi8> attributes {no_inline} {
  %0 = wax.iota along 0 : tensor<300xi8>
  return %0 : tensor<300xi8>
}

func.func @iota_f32() -> tensor<4xf32> attributes {no_inline} {
  %0 = wax.iota along 0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @iota_f16() -> tensor<5xf16> attributes {no_inline} {
  %0 = wax.iota along 0 : tensor<5xf16>
  return %0 : tensor<5xf16>
}

func.func @iota_i1() -> tensor<5xi1> attributes {no_inline} {
  %0 = wax.iota along 0 : tensor<5xi1>
  return %0 : tensor<5xi1>
}

func.func @constant_complex() -> tensor<2xcomplex<f32>> attributes {no_inline} {
  %0 = wax.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
  return %0 : tensor<2xcomplex<f32>>
}

// Driver

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(tensor<*xi32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func @main() {
  %x = wax.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %dx = tensor.cast %x : tensor<3x2xf32> to tensor<?x2xf32>
  %ddx = tensor.cast %x : tensor<3x2xf32> to tensor<?x?xf32>

  // Indices beyond the end and before the start are clamped.
  // CHECK: sizes = [4, 2]
  // CHECK-NEXT: [5, 6]
  // CHECK-NEXT: [1, 2]
  // CHECK-NEXT: [3, 4]
  // CHECK-NEXT: [1, 2]
  %ids = wax.constant dense<[2147483647, -1, 1, -2147483648]> : tensor<4xi32>
  %dids = tensor.cast %ids : tensor<4xi32> to tensor<?xi32>
  %0 = call @take_rows(%dx, %dids) : (tensor<?x2xf32>, tensor<?xi32>) -> tensor<?x2xf32>
  %u0 = tensor.cast %0 : tensor<?x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [3, 1]
  // CHECK-NEXT: [2]
  // CHECK-NEXT: [3]
  // CHECK-NEXT: [6]
  %along = wax.constant dense<[[1], [0], [9223372036854775807]]> : tensor<3x1xi64>
  %dalong = tensor.cast %along : tensor<3x1xi64> to tensor<?x?xi64>
  %1 = call @take_along(%ddx, %dalong) : (tensor<?x?xf32>, tensor<?x?xi64>) -> tensor<?x?xf32>
  %u1 = tensor.cast %1 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()

  // CHECK: [6, 5, 5, 6]
  %i = wax.constant dense<127> : tensor<i8>
  %j = wax.constant dense<[1, 0, -5, 7]> : tensor<4xi32>
  %2 = call @pick(%x, %i, %j) : (tensor<3x2xf32>, tensor<i8>, tensor<4xi32>) -> tensor<4xf32>
  %u2 = tensor.cast %2 : tensor<4xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [2, 3]
  // CHECK-NEXT: [0, 0, 0]
  // CHECK-NEXT: [1, 1, 1]
  %two = wax.constant dense<0.0> : tensor<2xf32>
  %dtwo = tensor.cast %two : tensor<2xf32> to tensor<?xf32>
  %3 = call @iota_i32(%dtwo) : (tensor<?xf32>) -> tensor<?x3xi32>
  %u3 = tensor.cast %3 : tensor<?x3xi32> to tensor<*xi32>
  call @printMemrefI32(%u3) : (tensor<*xi32>) -> ()

  // CHECK: [0, 1, 2, 3]
  %4 = call @iota_f32() : () -> tensor<4xf32>
  %u4 = tensor.cast %4 : tensor<4xf32> to tensor<*xf32>
  call @printMemrefF32(%u4) : (tensor<*xf32>) -> ()
  return
}
