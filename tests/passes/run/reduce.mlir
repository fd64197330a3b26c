// Reductions, run by mlir-runner here and by IREE in test_iree_accepts.py.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | %run_main | FileCheck %s

func.func @sum_all(%x: tensor<?x?xf32>) -> tensor<f32> attributes {no_inline} {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [0, 1] init(%zero) : (tensor<?x?xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @max_rows(%x: tensor<?x?xf32>) -> tensor<?xf32> attributes {no_inline} {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %0 = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @sum_from(%x: tensor<2x3xf32>, %start: tensor<f32>) -> tensor<3xf32> attributes {no_inline} {
  %0 = wax.reduce ordered arith.addf(%x) over [0] init(%start) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// acc * 10 + x: what comes out tells the order.
func.func @ordered(%x: tensor<?x?x?xf32>) -> tensor<?xf32> attributes {no_inline} {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce (%a = %x) over [0, 2] init(%acc = %zero) : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?xf32> {
    %ten = arith.constant 10.0 : f32
    %shifted = arith.mulf %acc, %ten : f32
    %next = arith.addf %shifted, %a : f32
    wax.yield %next : f32
  }
  return %0 : tensor<?xf32>
}

// Sums that show whether they were reordered.
func.func @ordered_sum(%x: tensor<4096xf32>) -> tensor<f32> attributes {no_inline} {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce ordered arith.addf(%x) over [0] init(%zero) : (tensor<4096xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @ordered_product(%x: tensor<4096xf32>) -> tensor<f32> attributes {no_inline} {
  %one = wax.constant dense<1.0> : tensor<f32>
  %0 = wax.reduce ordered arith.mulf(%x) over [0] init(%one) : (tensor<4096xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @argmax(%x: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xi32>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %none = wax.constant dense<0> : tensor<i32>
  %iota = wax.iota along 1 sizes [%m, %n] : tensor<?x?xi32>
  %v, %i = wax.reduce (%a = %x, %k = %iota) over [1] init(%best = %low, %at = %none)
      : (tensor<?x?xf32>, tensor<?x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>) {
    %more = arith.cmpf ogt, %a, %best : f32
    %value = arith.select %more, %a, %best : f32
    %index = arith.select %more, %k, %at : i32
    wax.yield %value, %index : f32, i32
  }
  return %v, %i : tensor<?xf32>, tensor<?xi32>
}

// Counts elements: the operand is a constant, and gives the loops their sizes.
func.func @count(%start: tensor<i32>) -> tensor<i32> attributes {no_inline} {
  %ones = wax.constant dense<1> : tensor<4x5xi32>
  %0 = wax.reduce arith.addi(%ones) over [0, 1] init(%start) : (tensor<4x5xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// Each step is the same constant, seen at once, or after fusion.
func.func @count_of(%x: tensor<?xf32>) -> tensor<i32> attributes {no_inline} {
  %zero = wax.constant dense<0> : tensor<i32>
  %0 = wax.reduce (%a = %x) over [0] init(%n = %zero) : (tensor<?xf32>, tensor<i32>) -> tensor<i32> {
    %one = arith.constant 1 : i32
    %next = arith.addi %n, %one : i32
    wax.yield %next : i32
  } combine (%a, %b) {
    %both = arith.addi %a, %b : i32
    wax.yield %both : i32
  }
  return %0 : tensor<i32>
}

func.func @sum_of_ones(%x: tensor<?x?xf32>) -> tensor<?xf32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %zero = wax.constant dense<0.0> : tensor<f32>
  %one = wax.constant dense<1.0> : tensor<f32>
  %ones = wax.broadcast (%a = %one[]) sizes [%m, %n] : (tensor<f32>) -> tensor<?x?xf32> {
    wax.yield %a : f32
  }
  %0 = wax.map math.sqrt(%ones) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = wax.reduce arith.addf(%0) over [1] init(%zero) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func @count_17(%start: tensor<i32>) -> tensor<i32> attributes {no_inline} {
  %ones = wax.constant dense<1> : tensor<17xi32>
  %0 = wax.reduce arith.addi(%ones) over [0] init(%start) : (tensor<17xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

func.func @matmul(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> attributes {no_inline} {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %p = wax.broadcast arith.mulf(%a[0, 2], %b[2, 1]) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %0 = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @matmul_f16(%a: tensor<?x4xf16>, %b: tensor<4x3xf16>) -> tensor<?x3xf16> attributes {no_inline} {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %p = wax.broadcast (%x = %a[0, 2], %y = %b[2, 1]) : (tensor<?x4xf16>, tensor<4x3xf16>) -> tensor<?x3x4xf32> {
    %wx = arith.extf %x : f16 to f32
    %wy = arith.extf %y : f16 to f32
    %xy = arith.mulf %wx, %wy : f32
    wax.yield %xy : f32
  }
  %s = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<?x3x4xf32>, tensor<f32>) -> tensor<?x3xf32>
  %0 = wax.map arith.truncf(%s) : (tensor<?x3xf32>) -> tensor<?x3xf16>
  return %0 : tensor<?x3xf16>
}

// Driver

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(tensor<*xi32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func @main() {
  %x = wax.constant dense<[[1.0, 5.0, 3.0], [4.0, 2.0, 6.0]]> : tensor<2x3xf32>
  %dx = tensor.cast %x : tensor<2x3xf32> to tensor<?x?xf32>
  %s = wax.constant dense<100.0> : tensor<f32>

  // CHECK: rank = 0
  // CHECK-NEXT: [21]
  %0 = call @sum_all(%dx) : (tensor<?x?xf32>) -> tensor<f32>
  %u0 = tensor.cast %0 : tensor<f32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()

  // CHECK: [5, 6]
  %1 = call @max_rows(%dx) : (tensor<?x?xf32>) -> tensor<?xf32>
  %u1 = tensor.cast %1 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()

  // CHECK: [105, 107, 109]
  %2 = call @sum_from(%x, %s) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  %u2 = tensor.cast %2 : tensor<3xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()

  // CHECK: [1256, 3478]
  %c = wax.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %dc = tensor.cast %c : tensor<2x2x2xf32> to tensor<?x?x?xf32>
  %3 = call @ordered(%dc) : (tensor<?x?x?xf32>) -> tensor<?xf32>
  %u3 = tensor.cast %3 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u3) : (tensor<*xf32>) -> ()

  // CHECK: [5, 6]
  // CHECK: [1, 2]
  %4:2 = call @argmax(%dx) : (tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?xi32>)
  %u4 = tensor.cast %4#0 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u4) : (tensor<*xf32>) -> ()
  %u5 = tensor.cast %4#1 : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u5) : (tensor<*xi32>) -> ()

  // CHECK: rank = 0
  // CHECK-NEXT: [23]
  %three = wax.constant dense<3> : tensor<i32>
  %5 = call @count(%three) : (tensor<i32>) -> tensor<i32>
  %u6 = tensor.cast %5 : tensor<i32> to tensor<*xi32>
  call @printMemrefI32(%u6) : (tensor<*xi32>) -> ()

  // CHECK: sizes = [2, 2]
  // CHECK-NEXT: [22, 28]
  // CHECK-NEXT: [22, 28]
  %y = wax.constant dense<[[1.0, 2.0], [3.0, 4.0], [2.0, 2.0]]> : tensor<3x2xf32>
  %dy = tensor.cast %y : tensor<3x2xf32> to tensor<?x?xf32>
  %6 = call @matmul(%dx, %dy) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %u7 = tensor.cast %6 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u7) : (tensor<*xf32>) -> ()
  return
}
