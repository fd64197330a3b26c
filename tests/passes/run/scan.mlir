// Scans, run by mlir-runner here; test_loops_in_dispatch.py runs them on IREE.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | %run_main | FileCheck %s

func.func @sums(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) attributes {no_inline} {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.scan arith.addf(%x) along 1 init(%zero) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  %1 = wax.scan arith.addf(%x) along 0 exclusive init(%zero) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0, %1 : tensor<?x?xf32>, tensor<?x?xf32>
}

// acc * 10 + x: what comes out tells the order.
func.func @digits(%x: tensor<2x3x2xf32>) -> tensor<2x3x2xf32> attributes {no_inline} {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.scan (%a = %x) along 1 reverse init(%acc = %zero) : (tensor<2x3x2xf32>, tensor<f32>) -> tensor<2x3x2xf32> {
    %ten = arith.constant 10.0 : f32
    %shifted = arith.mulf %acc, %ten : f32
    %next = arith.addf %shifted, %a : f32
    wax.yield %next : f32
  }
  return %0 : tensor<2x3x2xf32>
}

func.func @records(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %none = wax.constant dense<-1> : tensor<i32>
  %iota = wax.iota along 0 sizes [%n] : tensor<?xi32>
  %v, %i = wax.scan (%a = %x, %k = %iota) along 0 exclusive init(%best = %low, %at = %none)
      : (tensor<?xf32>, tensor<?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>) {
    %more = arith.cmpf ogt, %a, %best : f32
    %value = arith.select %more, %a, %best : f32
    %index = arith.select %more, %k, %at : i32
    wax.yield %value, %index : f32, i32
  }
  return %v, %i : tensor<?xf32>, tensor<?xi32>
}

// Driver

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(tensor<*xi32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func @main() {
  %x = wax.constant dense<[[1.0, 5.0, 3.0], [4.0, 2.0, 6.0]]> : tensor<2x3xf32>
  %dx = tensor.cast %x : tensor<2x3xf32> to tensor<?x?xf32>

  // CHECK: [1, 6, 9]
  // CHECK-NEXT: [4, 6, 12]
  // CHECK: [0, 0, 0]
  // CHECK-NEXT: [1, 5, 3]
  %0:2 = call @sums(%dx) : (tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>)
  %u0 = tensor.cast %0#0 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()
  %u1 = tensor.cast %0#1 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()

  // CHECK: 531, 642
  // CHECK: 53, 64
  // CHECK: 5, 6
  // CHECK: 975, 864
  // CHECK: 97, 86
  // CHECK: 9, 8
  %y = wax.constant dense<[[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[5.0, 4.0], [7.0, 6.0], [9.0, 8.0]]]> : tensor<2x3x2xf32>
  %1 = call @digits(%y) : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %u2 = tensor.cast %1 : tensor<2x3x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()

  // CHECK: [-inf, 2, 2, 7, 7]
  // CHECK: [-1, 0, 0, 2, 2]
  %z = wax.constant dense<[2.0, 1.0, 7.0, 7.0, 9.0]> : tensor<5xf32>
  %dz = tensor.cast %z : tensor<5xf32> to tensor<?xf32>
  %2:2 = call @records(%dz) : (tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>)
  %u3 = tensor.cast %2#0 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u3) : (tensor<*xf32>) -> ()
  %u4 = tensor.cast %2#1 : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u4) : (tensor<*xi32>) -> ()
  return
}
