// permute, reshape and slice, run by mlir-runner here and by IREE in test_iree_accepts.py.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | %run_main | FileCheck %s

func.func @permute(%x: tensor<?x2x3xf32>) -> tensor<3x?x2xf32> attributes {no_inline} {
  %0 = wax.permute %x [2, 0, 1] : (tensor<?x2x3xf32>) -> tensor<3x?x2xf32>
  return %0 : tensor<3x?x2xf32>
}

func.func @merge_and_split(%x: tensor<4x2x?xf32>) -> tensor<2x2x?xf32> attributes {no_inline} {
  %0 = wax.reshape %x [[0], [1, 2]] into [[0, 1], [2]] : (tensor<4x2x?xf32>) -> tensor<2x2x?xf32>
  return %0 : tensor<2x2x?xf32>
}

func.func @unit_dims(%x: tensor<1x?x1xf32>) -> tensor<?x1xf32> attributes {no_inline} {
  %0 = wax.reshape %x [[0], [1], [2], []] into [[], [0], [], [1]] : (tensor<1x?x1xf32>) -> tensor<?x1xf32>
  return %0 : tensor<?x1xf32>
}

func.func @to_scalar(%x: tensor<1x1xf32>) -> tensor<f32> attributes {no_inline} {
  %0 = wax.reshape %x [[0], [1]] into [[], []] : (tensor<1x1xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @from_scalar(%x: tensor<f32>) -> tensor<1x1xf32> attributes {no_inline} {
  %0 = wax.reshape %x [[], []] into [[0], [1]] : (tensor<f32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

func.func @dynamic_unit_dim(%x: tensor<?x3xf32>) -> tensor<3xf32> attributes {no_inline} {
  %0 = wax.reshape %x [[0], [1]] into [[], [0]] : (tensor<?x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

func.func @split_in_two(%x: tensor<?xf32>) -> tensor<?x?xf32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %half = arith.divsi %n, %c2 : index
  %0 = wax.reshape %x [[0]] into [[0, 1]] sizes [%half, %c2] : (tensor<?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @slice_static(%x: tensor<4x5xf32>) -> tensor<2x3xf32> attributes {no_inline} {
  %0 = wax.slice %x offsets [1, 0] sizes [2, 3] strides [2, 2] : (tensor<4x5xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

func.func @slice_at(%x: tensor<?x?xf32>, %at: tensor<i32>) -> tensor<2x?xf32> attributes {no_inline} {
  %c1 = arith.constant 1 : index
  %e = tensor.extract %at[] : tensor<i32>
  %i = arith.index_cast %e : i32 to index
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %0 = wax.slice %x offsets [%i, 0] sizes [2, %n] strides [1, 1] : (tensor<?x?xf32>) -> tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// Driver

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func @main() {
  %x = wax.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]]> : tensor<2x2x3xf32>
  %dx = tensor.cast %x : tensor<2x2x3xf32> to tensor<?x2x3xf32>
  // CHECK: sizes = [3, 2, 2]
  // CHECK-NEXT: [1, 4]
  // CHECK-NEXT: [7, 10]
  // CHECK-NEXT: [2, 5]
  // CHECK-NEXT: [8, 11]
  %0 = call @permute(%dx) : (tensor<?x2x3xf32>) -> tensor<3x?x2xf32>
  %u0 = tensor.cast %0 : tensor<3x?x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [2, 2, 2]
  // CHECK-NEXT: [1, 2]
  // CHECK-NEXT: [3, 4]
  // CHECK-NEXT: [5, 6]
  // CHECK-NEXT: [7, 8]
  %y = wax.constant dense<[[[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]], [[7.0], [8.0]]]> : tensor<4x2x1xf32>
  %dy = tensor.cast %y : tensor<4x2x1xf32> to tensor<4x2x?xf32>
  %1 = call @merge_and_split(%dy) : (tensor<4x2x?xf32>) -> tensor<2x2x?xf32>
  %u1 = tensor.cast %1 : tensor<2x2x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [2, 1]
  // CHECK-NEXT: [3]
  // CHECK-NEXT: [4]
  %z = wax.constant dense<[[[3.0], [4.0]]]> : tensor<1x2x1xf32>
  %dz = tensor.cast %z : tensor<1x2x1xf32> to tensor<1x?x1xf32>
  %2 = call @unit_dims(%dz) : (tensor<1x?x1xf32>) -> tensor<?x1xf32>
  %u2 = tensor.cast %2 : tensor<?x1xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()

  // CHECK: rank = 0
  // CHECK-NEXT: [7]
  %seven = wax.constant dense<7.0> : tensor<1x1xf32>
  %3 = call @to_scalar(%seven) : (tensor<1x1xf32>) -> tensor<f32>
  %u3 = tensor.cast %3 : tensor<f32> to tensor<*xf32>
  call @printMemrefF32(%u3) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [1, 1]
  // CHECK-NEXT: [7]
  %4 = call @from_scalar(%3) : (tensor<f32>) -> tensor<1x1xf32>
  %u4 = tensor.cast %4 : tensor<1x1xf32> to tensor<*xf32>
  call @printMemrefF32(%u4) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [3]
  // CHECK-NEXT: [1, 2, 3]
  %r = wax.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %dr = tensor.cast %r : tensor<1x3xf32> to tensor<?x3xf32>
  %5 = call @dynamic_unit_dim(%dr) : (tensor<?x3xf32>) -> tensor<3xf32>
  %u5 = tensor.cast %5 : tensor<3xf32> to tensor<*xf32>
  call @printMemrefF32(%u5) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [2, 2]
  // CHECK-NEXT: [1, 2]
  // CHECK-NEXT: [3, 4]
  %four = wax.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %d4 = tensor.cast %four : tensor<4xf32> to tensor<?xf32>
  %6 = call @split_in_two(%d4) : (tensor<?xf32>) -> tensor<?x?xf32>
  %u6 = tensor.cast %6 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u6) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [2, 3]
  // CHECK-NEXT: [6, 8, 10]
  // CHECK-NEXT: [16, 18, 20]
  %g = wax.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0], [11.0, 12.0, 13.0, 14.0, 15.0], [16.0, 17.0, 18.0, 19.0, 20.0]]> : tensor<4x5xf32>
  %7 = call @slice_static(%g) : (tensor<4x5xf32>) -> tensor<2x3xf32>
  %u7 = tensor.cast %7 : tensor<2x3xf32> to tensor<*xf32>
  call @printMemrefF32(%u7) : (tensor<*xf32>) -> ()

  // An offset beyond the end, and one before the start, are clamped.
  // CHECK: sizes = [2, 5]
  // CHECK-NEXT: [11, 12, 13, 14, 15]
  // CHECK-NEXT: [16, 17, 18, 19, 20]
  %dg = tensor.cast %g : tensor<4x5xf32> to tensor<?x?xf32>
  %hundred = wax.constant dense<100> : tensor<i32>
  %8 = call @slice_at(%dg, %hundred) : (tensor<?x?xf32>, tensor<i32>) -> tensor<2x?xf32>
  %u8 = tensor.cast %8 : tensor<2x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u8) : (tensor<*xf32>) -> ()
  // CHECK: sizes = [2, 5]
  // CHECK-NEXT: [1, 2, 3, 4, 5]
  // CHECK-NEXT: [6, 7, 8, 9, 10]
  %minus = wax.constant dense<-2147483648> : tensor<i32>
  %9 = call @slice_at(%dg, %minus) : (tensor<?x?xf32>, tensor<i32>) -> tensor<2x?xf32>
  %u9 = tensor.cast %9 : tensor<2x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u9) : (tensor<*xf32>) -> ()
  return
}
