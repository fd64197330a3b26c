// window, fold and convolve, run by mlir-runner here; both targets, on many more: test_sliding.py.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | %run_main | FileCheck %s

func.func @window(%x: tensor<?xf32>) -> tensor<?x2xf32> attributes {no_inline} {
  %0 = wax.window %x dims [0] sizes [2] strides [2] dilations [3] : (tensor<?xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// 3 · acc + element: windows come in their order.
func.func @fold(%x: tensor<?x2xf32>, %n: index) -> tensor<?xf32> attributes {no_inline} {
  %one = wax.constant dense<1.0> : tensor<f32>
  %0 = wax.fold (%e = %x) dims [0] sizes [%n] strides [1] dilations [1] init(%a = %one) : (tensor<?x2xf32>, tensor<f32>) -> tensor<?xf32> {
    %three = arith.constant 3.0 : f32
    %s = arith.mulf %a, %three : f32
    %r = arith.addf %s, %e : f32
    wax.yield %r : f32
  }
  return %0 : tensor<?xf32>
}

func.func @convolve(%x: tensor<1x?x1xf32>, %w: tensor<?x1x1xf32>) -> tensor<1x?x1xf32> attributes {no_inline} {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [2] low [1] high [2] rhs_dilations [2]
      : (tensor<1x?x1xf32>, tensor<?x1x1xf32>) -> tensor<1x?x1xf32>
  return %0 : tensor<1x?x1xf32>
}

// Driver

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func @main() {
  %c3 = arith.constant 3 : index
  %x = wax.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %d = tensor.cast %x : tensor<6xf32> to tensor<?xf32>

  // CHECK: sizes = [2, 2]
  // CHECK-NEXT: {{\[\[}}1, 4],
  // CHECK-NEXT: [3, 6]]
  %0 = call @window(%d) : (tensor<?xf32>) -> tensor<?x2xf32>
  %u0 = tensor.cast %0 : tensor<?x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()

  // 3 + 1, 3 · (3 + 4) + 3, 3 + 6
  // CHECK: sizes = [3]
  // CHECK-NEXT: [4, 24, 9]
  %1 = call @fold(%0, %c3) : (tensor<?x2xf32>, index) -> tensor<?xf32>
  %u1 = tensor.cast %1 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()

  // 0 1 2 3 4 5 6 0 0 by 10 · first + third: at 0, 2, 4, 6
  // CHECK: sizes = [1, 4, 1]
  // CHECK-NEXT: {{\[\[\[}}2],
  // CHECK-NEXT: [24],
  // CHECK-NEXT: [46],
  // CHECK-NEXT: [60]]]
  %lhs = wax.constant dense<[[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]]> : tensor<1x6x1xf32>
  %rhs = wax.constant dense<[[[10.0]], [[1.0]]]> : tensor<2x1x1xf32>
  %dl = tensor.cast %lhs : tensor<1x6x1xf32> to tensor<1x?x1xf32>
  %dr = tensor.cast %rhs : tensor<2x1x1xf32> to tensor<?x1x1xf32>
  %2 = call @convolve(%dl, %dr) : (tensor<1x?x1xf32>, tensor<?x1x1xf32>) -> tensor<1x?x1xf32>
  %u2 = tensor.cast %2 : tensor<1x?x1xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()
  return
}
