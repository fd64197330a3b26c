// fft, run by mlir-runner; test_fft.py runs many more transforms, there and by IREE.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | %run_main | FileCheck %s
// RUN: wax-opt %s --wax-to-linalg=split-complex=true | %to_llvm | %run_main | FileCheck %s

func.func @forward(%x: tensor<?x4xf64>) -> tensor<?x3xcomplex<f64>> attributes {no_inline} {
  %0 = wax.fft %x over [1] : (tensor<?x4xf64>) -> tensor<?x3xcomplex<f64>>
  return %0 : tensor<?x3xcomplex<f64>>
}

func.func @back(%x: tensor<?x3xcomplex<f64>>) -> tensor<?x4xf64> attributes {no_inline} {
  %0 = wax.fft inverse %x over [1] length 4 : (tensor<?x3xcomplex<f64>>) -> tensor<?x4xf64>
  return %0 : tensor<?x4xf64>
}

func.func @along_two_dims(%x: tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>> attributes {no_inline} {
  %0 = wax.fft %x over [1, 0] : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  return %0 : tensor<2x2xcomplex<f32>>
}

// Two stages and the roots between them: the transform of a transform is the operand backwards, 64 times.
func.func @twice(%x: tensor<64xcomplex<f32>>) -> tensor<64xcomplex<f32>> attributes {no_inline} {
  %0 = wax.fft %x over [0] : (tensor<64xcomplex<f32>>) -> tensor<64xcomplex<f32>>
  %1 = wax.fft %0 over [0] : (tensor<64xcomplex<f32>>) -> tensor<64xcomplex<f32>>
  return %1 : tensor<64xcomplex<f32>>
}

// A prime that is no small factor, so a convolution: there and back is the operand, 37 times.
func.func @there_and_back(%x: tensor<37xcomplex<f64>>) -> tensor<37xcomplex<f64>> attributes {no_inline} {
  %0 = wax.fft %x over [0] : (tensor<37xcomplex<f64>>) -> tensor<37xcomplex<f64>>
  %1 = wax.fft inverse %0 over [0] : (tensor<37xcomplex<f64>>) -> tensor<37xcomplex<f64>>
  return %1 : tensor<37xcomplex<f64>>
}

func.func @of_nothing(%x: tensor<2x0xf32>) -> tensor<2x1xcomplex<f32>> attributes {no_inline} {
  %0 = wax.fft %x over [1] : (tensor<2x0xf32>) -> tensor<2x1xcomplex<f32>>
  return %0 : tensor<2x1xcomplex<f32>>
}

// Driver

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(tensor<*xi32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @printMemrefF64(tensor<*xf64> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func @main() {
  %x = wax.constant dense<[[1.0, 2.0, 3.0, 5.0], [1.0, 0.0, 0.0, 0.0]]> : tensor<2x4xf64>
  %dx = tensor.cast %x : tensor<2x4xf64> to tensor<?x4xf64>
  %0 = call @forward(%dx) : (tensor<?x4xf64>) -> tensor<?x3xcomplex<f64>>
  // CHECK: sizes = [2, 3]
  // CHECK-NEXT: [11, -2, -3]
  // CHECK-NEXT: [1, 1, 1]
  %re = wax.map complex.re(%0) : (tensor<?x3xcomplex<f64>>) -> tensor<?x3xf64>
  %u0 = tensor.cast %re : tensor<?x3xf64> to tensor<*xf64>
  call @printMemrefF64(%u0) : (tensor<*xf64>) -> ()
  // CHECK: sizes = [2, 3]
  // CHECK-NEXT: [{{-?}}0, 3, {{-?}}0]
  // CHECK-NEXT: [{{-?}}0, {{-?}}0, {{-?}}0]
  %im = wax.map complex.im(%0) : (tensor<?x3xcomplex<f64>>) -> tensor<?x3xf64>
  %u1 = tensor.cast %im : tensor<?x3xf64> to tensor<*xf64>
  call @printMemrefF64(%u1) : (tensor<*xf64>) -> ()
  // CHECK: sizes = [2, 4]
  // CHECK-NEXT: [4, 8, 12, 20]
  // CHECK-NEXT: [4, 0, 0, 0]
  %1 = call @back(%0) : (tensor<?x3xcomplex<f64>>) -> tensor<?x4xf64>
  %u2 = tensor.cast %1 : tensor<?x4xf64> to tensor<*xf64>
  call @printMemrefF64(%u2) : (tensor<*xf64>) -> ()

  // CHECK: sizes = [2, 2]
  // CHECK-NEXT: [10, -2]
  // CHECK-NEXT: [-4, 0]
  %y = wax.constant dense<[[(1.0, 4.0), (2.0, 3.0)], [(3.0, 2.0), (4.0, 1.0)]]> : tensor<2x2xcomplex<f32>>
  %2 = call @along_two_dims(%y) : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  %re2 = wax.map complex.re(%2) : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xf32>
  %u3 = tensor.cast %re2 : tensor<2x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u3) : (tensor<*xf32>) -> ()
  // CHECK: sizes = [2, 2]
  // CHECK-NEXT: [10, 2]
  // CHECK-NEXT: [4, 0]
  %im2 = wax.map complex.im(%2) : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xf32>
  %u4 = tensor.cast %im2 : tensor<2x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u4) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [5]
  // CHECK-NEXT: [0, 63, 62, 61, 60]
  %numbers = wax.iota along 0 : tensor<64xf32>
  %z = wax.map (%n = %numbers) : (tensor<64xf32>) -> tensor<64xcomplex<f32>> {
    %none = arith.constant 0.0 : f32
    %c = complex.create %n, %none : complex<f32>
    wax.yield %c : complex<f32>
  }
  %3 = call @twice(%z) : (tensor<64xcomplex<f32>>) -> tensor<64xcomplex<f32>>
  %r3 = wax.map (%c = %3) : (tensor<64xcomplex<f32>>) -> tensor<64xi32> {
    %share = arith.constant 0.015625 : f32
    %half = arith.constant 0.5 : f32
    %part = complex.re %c : complex<f32>
    %mean = arith.mulf %part, %share : f32
    %above = arith.addf %mean, %half : f32
    %n = arith.fptosi %above : f32 to i32
    wax.yield %n : i32
  }
  %f3 = wax.slice %r3 offsets [0] sizes [5] strides [1] : (tensor<64xi32>) -> tensor<5xi32>
  %u5 = tensor.cast %f3 : tensor<5xi32> to tensor<*xi32>
  call @printMemrefI32(%u5) : (tensor<*xi32>) -> ()

  // CHECK: sizes = [5]
  // CHECK-NEXT: [0, 1, 2, 3, 4]
  %wide = wax.iota along 0 : tensor<37xf64>
  %v = wax.map (%n = %wide) : (tensor<37xf64>) -> tensor<37xcomplex<f64>> {
    %none = arith.constant 0.0 : f64
    %c = complex.create %n, %none : complex<f64>
    wax.yield %c : complex<f64>
  }
  %4 = call @there_and_back(%v) : (tensor<37xcomplex<f64>>) -> tensor<37xcomplex<f64>>
  %r4 = wax.map (%c = %4) : (tensor<37xcomplex<f64>>) -> tensor<37xi32> {
    %count = arith.constant 37.0 : f64
    %half = arith.constant 0.5 : f64
    %part = complex.re %c : complex<f64>
    %mean = arith.divf %part, %count : f64
    %above = arith.addf %mean, %half : f64
    %n = arith.fptosi %above : f64 to i32
    wax.yield %n : i32
  }
  %f4 = wax.slice %r4 offsets [0] sizes [5] strides [1] : (tensor<37xi32>) -> tensor<5xi32>
  %u6 = tensor.cast %f4 : tensor<5xi32> to tensor<*xi32>
  call @printMemrefI32(%u6) : (tensor<*xi32>) -> ()

  // CHECK: sizes = [2, 1]
  // CHECK-NEXT: [0]
  // CHECK-NEXT: [0]
  %none = wax.constant dense<> : tensor<2x0xf32>
  %5 = call @of_nothing(%none) : (tensor<2x0xf32>) -> tensor<2x1xcomplex<f32>>
  %re5 = wax.map complex.re(%5) : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xf32>
  %u7 = tensor.cast %re5 : tensor<2x1xf32> to tensor<*xf32>
  call @printMemrefF32(%u7) : (tensor<*xf32>) -> ()
  return
}
