// Sorts, run by mlir-runner here; test_loops_in_dispatch.py runs them on IREE.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | %run_main | FileCheck %s

func.func @rows(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {no_inline} {
  %0 = wax.sort (%a, %b = %x) along 1 : (tensor<?x?xf32>) -> tensor<?x?xf32> {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0 : tensor<?x?xf32>
}

func.func @columns(%x: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {no_inline} {
  %0 = wax.sort (%a, %b = %x) along 0 : (tensor<?x?xf32>) -> tensor<?x?xf32> {
    %l = arith.cmpf ogt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0 : tensor<?x?xf32>
}

// Longer than a run, so that runs are merged: by the last digit, else as they were.
func.func @by_last_digit() -> (tensor<40xi32>, tensor<40xi32>) attributes {no_inline} {
  %n = wax.iota along 0 : tensor<40xi32>
  %digit = wax.map (%a = %n) : (tensor<40xi32>) -> tensor<40xi32> {
    %ten = arith.constant 10 : i32
    %d = arith.remsi %a, %ten : i32
    wax.yield %d : i32
  }
  %0, %1 = wax.sort (%a, %b = %digit, %c, %d = %n) along 0 : (tensor<40xi32>, tensor<40xi32>) -> (tensor<40xi32>, tensor<40xi32>) {
    %l = arith.cmpi slt, %a, %b : i32
    wax.yield %l : i1
  }
  return %0, %1 : tensor<40xi32>, tensor<40xi32>
}

// Driver

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(tensor<*xi32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func @main() {
  %x = wax.constant dense<[[1.0, 5.0, 3.0], [4.0, 2.0, 6.0]]> : tensor<2x3xf32>
  %dx = tensor.cast %x : tensor<2x3xf32> to tensor<?x?xf32>

  // CHECK: [1, 3, 5]
  // CHECK-NEXT: [2, 4, 6]
  %0 = call @rows(%dx) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %u0 = tensor.cast %0 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()

  // CHECK: [4, 5, 6]
  // CHECK-NEXT: [1, 2, 3]
  %1 = call @columns(%dx) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %u1 = tensor.cast %1 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()

  // CHECK: [0, 0, 0, 0, 1, 1, 1, 1, 2,
  // CHECK: [0, 10, 20, 30, 1, 11, 21, 31, 2, 12, 22, 32, 3, 13, 23, 33, 4, 14, 24, 34, 5, 15, 25, 35, 6, 16, 26, 36, 7, 17, 27, 37, 8, 18, 28, 38, 9, 19, 29, 39]
  %2:2 = call @by_last_digit() : () -> (tensor<40xi32>, tensor<40xi32>)
  %u2 = tensor.cast %2#0 : tensor<40xi32> to tensor<*xi32>
  call @printMemrefI32(%u2) : (tensor<*xi32>) -> ()
  %u3 = tensor.cast %2#1 : tensor<40xi32> to tensor<*xi32>
  call @printMemrefI32(%u3) : (tensor<*xi32>) -> ()
  return
}
