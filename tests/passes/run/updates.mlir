// reverse, insert and scatter, run by mlir-runner here and by IREE in test_updates.py.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | %run_main | FileCheck %s

func.func @turn(%x: tensor<?x2xf32>) -> tensor<?x2xf32> attributes {no_inline} {
  %0 = wax.reverse %x dims [0, 1] : (tensor<?x2xf32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

func.func @turn_a_slice(%x: tensor<7x?xf32>) -> tensor<3x?xf32> attributes {no_inline} {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<7x?xf32>
  %0 = wax.slice %x offsets [1, 0] sizes [3, %n] strides [2, 1] : (tensor<7x?xf32>) -> tensor<3x?xf32>
  %1 = wax.reverse %0 dims [0] : (tensor<3x?xf32>) -> tensor<3x?xf32>
  return %1 : tensor<3x?xf32>
}

func.func @insert_at(%u: tensor<2x?xf32>, %x: tensor<?x?xf32>, %at: tensor<i32>) -> tensor<?x?xf32> attributes {no_inline} {
  %i = tensor.extract %at[] : tensor<i32>
  %o = arith.index_cast %i : i32 to index
  %0 = wax.insert %u into %x offsets [%o, 0] strides [1, 1] : (tensor<2x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @insert_steps(%u: tensor<?x2xf32>, %x: tensor<?x5xf32>) -> tensor<?x5xf32> attributes {no_inline} {
  %0 = wax.insert %u into %x offsets [1, 0] strides [2, 3] : (tensor<?x2xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
  return %0 : tensor<?x5xf32>
}

func.func @add_rows(%u: tensor<?x2xf32>, %x: tensor<?x2xf32>, %i: tensor<?xi32>) -> tensor<?x2xf32> attributes {no_inline} {
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[0], 1] : (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?xi32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

func.func @set_along(%u: tensor<?x?xf32>, %x: tensor<?x?xf32>, %i: tensor<?x?xi64>) -> tensor<?x?xf32> attributes {no_inline} {
  %0 = wax.scatter (%a = %u) into(%acc = %x)[0, %i[0, 1]] : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xi64>) -> tensor<?x?xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<?x?xf32>
}

func.func @set_one(%u: tensor<f32>, %x: tensor<3x2xf32>, %i: tensor<i8>, %j: tensor<i32>) -> tensor<3x2xf32> attributes {no_inline} {
  %0 = wax.scatter (%a = %u) into(%acc = %x)[%i[], %j[]] : (tensor<f32>, tensor<3x2xf32>, tensor<i8>, tensor<i32>) -> tensor<3x2xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<3x2xf32>
}

// The order counts: acc * 10 + u.
func.func @digits(%u: tensor<?xi32>, %x: tensor<3xi32>, %i: tensor<?xi32>) -> tensor<3xi32> attributes {no_inline} {
  %0 = wax.scatter (%a = %u) into(%acc = %x)[%i[0]] : (tensor<?xi32>, tensor<3xi32>, tensor<?xi32>) -> tensor<3xi32> {
    %ten = arith.constant 10 : i32
    %0 = arith.muli %acc, %ten : i32
    %1 = arith.addi %0, %a : i32
    wax.yield %1 : i32
  }
  return %0 : tensor<3xi32>
}

// Accumulators of several types, and updates of others: the greatest, and how often it was beaten.
func.func @best_and_count(%u: tensor<?x?xf16>, %x: tensor<?x?xf32>, %n: tensor<?x?xi64>, %i: tensor<?xi8>) -> (tensor<?x?xf32>, tensor<?x?xi64>) attributes {no_inline} {
  %0:2 = wax.scatter (%a = %u) into(%best = %x, %count = %n)[1, %i[0]] : (tensor<?x?xf16>, tensor<?x?xf32>, tensor<?x?xi64>, tensor<?xi8>) -> (tensor<?x?xf32>, tensor<?x?xi64>) {
    %one = arith.constant 1 : i64
    %wide = arith.extf %a : f16 to f32
    %more = arith.cmpf ogt, %wide, %best : f32
    %v = arith.select %more, %wide, %best : f32
    %next = arith.addi %count, %one : i64
    %k = arith.select %more, %next, %count : i64
    wax.yield %v, %k : f32, i64
  }
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xi64>
}

// Bits, and dims of one element, in the general form.
func.func @flips(%u: tensor<?xi32>, %x: tensor<1x?xi1>, %i: tensor<?xi64>) -> tensor<1x?xi1> attributes {no_inline} {
  %j = wax.constant dense<0> : tensor<i8>
  %0 = wax.scatter (%a = %u) into(%acc = %x)[%j[], %i[0]] : (tensor<?xi32>, tensor<1x?xi1>, tensor<i8>, tensor<?xi64>) -> tensor<1x?xi1> {
    %zero = arith.constant 0 : i32
    %p = arith.cmpi sgt, %a, %zero : i32
    %s = arith.xori %p, %acc : i1
    wax.yield %s : i1
  }
  return %0 : tensor<1x?xi1>
}

// One place, and nothing that tells where it is.
func.func @only(%u: tensor<?xf32>, %x: tensor<1xi32>, %i: tensor<?xi32>) -> tensor<1xi32> attributes {no_inline} {
  %0 = wax.scatter (%a = %u) into(%acc = %x)[%i[0]] : (tensor<?xf32>, tensor<1xi32>, tensor<?xi32>) -> tensor<1xi32> {
    %one = arith.constant 1 : i32
    %s = arith.addi %acc, %one : i32
    wax.yield %s : i32
  }
  return %0 : tensor<1xi32>
}

// What is updated, and returned as it was.
func.func @both(%u: tensor<?x2xf32>, %x: tensor<?x2xf32>, %i: tensor<?xi32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) attributes {no_inline} {
  %0 = wax.scatter arith.addf(%u) into(%x)[%i[0], 1] : (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?xi32>) -> tensor<?x2xf32>
  return %x, %0 : tensor<?x2xf32>, tensor<?x2xf32>
}

// Driver

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(tensor<*xi32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func @main() {
  %x = wax.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %dx = tensor.cast %x : tensor<3x2xf32> to tensor<?x2xf32>
  %ddx = tensor.cast %x : tensor<3x2xf32> to tensor<?x?xf32>
  %u = wax.constant dense<[[10.0, 20.0], [30.0, 40.0]]> : tensor<2x2xf32>
  %du = tensor.cast %u : tensor<2x2xf32> to tensor<2x?xf32>
  %ddu = tensor.cast %u : tensor<2x2xf32> to tensor<?x2xf32>

  // CHECK: sizes = [3, 2]
  // CHECK-NEXT: [6, 5]
  // CHECK-NEXT: [4, 3]
  // CHECK-NEXT: [2, 1]
  %0 = call @turn(%dx) : (tensor<?x2xf32>) -> tensor<?x2xf32>
  %u0 = tensor.cast %0 : tensor<?x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()

  // An offset beyond the end is clamped.
  // CHECK: sizes = [3, 2]
  // CHECK-NEXT: [1, 2]
  // CHECK-NEXT: [10, 20]
  // CHECK-NEXT: [30, 40]
  %at = wax.constant dense<99> : tensor<i32>
  %1 = call @insert_at(%du, %ddx, %at) : (tensor<2x?xf32>, tensor<?x?xf32>, tensor<i32>) -> tensor<?x?xf32>
  %u1 = tensor.cast %1 : tensor<?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [4, 5]
  // CHECK-NEXT: [0, 0, 0, 0, 0]
  // CHECK-NEXT: [10, 0, 0, 20, 0]
  // CHECK-NEXT: [0, 0, 0, 0, 0]
  // CHECK-NEXT: [30, 0, 0, 40, 0]
  %z = wax.constant dense<0.0> : tensor<4x5xf32>
  %dz = tensor.cast %z : tensor<4x5xf32> to tensor<?x5xf32>
  %2 = call @insert_steps(%ddu, %dz) : (tensor<?x2xf32>, tensor<?x5xf32>) -> tensor<?x5xf32>
  %u2 = tensor.cast %2 : tensor<?x5xf32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()

  // What lies outside is dropped, duplicates add up.
  // CHECK: sizes = [3, 2]
  // CHECK-NEXT: [1, 2]
  // CHECK-NEXT: [43, 64]
  // CHECK-NEXT: [5, 6]
  %ids = wax.constant dense<1> : tensor<2xi32>
  %dids = tensor.cast %ids : tensor<2xi32> to tensor<?xi32>
  %3 = call @add_rows(%ddu, %dx, %dids) : (tensor<?x2xf32>, tensor<?x2xf32>, tensor<?xi32>) -> tensor<?x2xf32>
  %u3 = tensor.cast %3 : tensor<?x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u3) : (tensor<*xf32>) -> ()

  // CHECK: [12, 3, 0]
  %d = wax.constant dense<[1, 2, 3, 9, 9]> : tensor<5xi32>
  %dd = tensor.cast %d : tensor<5xi32> to tensor<?xi32>
  %zero = wax.constant dense<0> : tensor<3xi32>
  %into = wax.constant dense<[0, 0, 1, 3, -1]> : tensor<5xi32>
  %dinto = tensor.cast %into : tensor<5xi32> to tensor<?xi32>
  %4 = call @digits(%dd, %zero, %dinto) : (tensor<?xi32>, tensor<3xi32>, tensor<?xi32>) -> tensor<3xi32>
  %u4 = tensor.cast %4 : tensor<3xi32> to tensor<*xi32>
  call @printMemrefI32(%u4) : (tensor<*xi32>) -> ()
  return
}
