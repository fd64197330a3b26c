// map and broadcast, run by mlir-runner here and by IREE in test_iree_accepts.py.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | %run_main | FileCheck %s
// RUN: wax-opt %s --wax-to-linalg=split-complex=true | %to_llvm | %run_main | FileCheck %s

func.func @map_static(%x: tensor<2x3xf32>) -> tensor<2x3xf32> attributes {no_inline} {
  %0 = wax.map (%a = %x) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
    %two = arith.constant 2.0 : f32
    %b = arith.mulf %a, %two : f32
    wax.yield %b : f32
  }
  return %0 : tensor<2x3xf32>
}

func.func @map_dynamic(%x: tensor<?x?xf32>) -> tensor<?x?xi32> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?x?xf32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

func.func @map_scalar(%x: tensor<f32>) -> tensor<f32> attributes {no_inline} {
  %0 = wax.map arith.negf(%x) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @add_bias(%x: tensor<?x3xf32>, %b: tensor<3xf32>) -> tensor<?x3xf32> attributes {no_inline} {
  %0 = wax.broadcast arith.addf(%x[0, 1], %b[1]) : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

func.func @outer_transposed(%x: tensor<?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?x?xf32> attributes {no_inline} {
  %0 = wax.broadcast arith.mulf(%x[2], %y[1, 0]) : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

func.func @free_dims(%x: tensor<?xf32>) -> tensor<?x2x?xf32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = wax.broadcast (%a = %x[0]) sizes [2, %n] : (tensor<?xf32>) -> tensor<?x2x?xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<?x2x?xf32>
}

func.func @where(%c: tensor<?xi1>, %x: tensor<?xf32>, %y: tensor<f32>) -> tensor<?xf32> attributes {no_inline} {
  %0 = wax.broadcast arith.select(%c[0], %x[0], %y[]) : (tensor<?xi1>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @full(%x: tensor<?xf32>) -> tensor<?xf32> attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %c = wax.constant dense<2.5> : tensor<f32>
  %0 = wax.broadcast (%a = %c[]) sizes [%n] : (tensor<f32>) -> tensor<?xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<?xf32>
}

func.func @full_of_argument(%x: tensor<f32>) -> tensor<2x2xf32> attributes {no_inline} {
  %0 = wax.broadcast (%a = %x[]) sizes [2, 2] : (tensor<f32>) -> tensor<2x2xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<2x2xf32>
}

func.func @complex_magnitude(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> attributes {no_inline} {
  %0 = wax.broadcast complex.create(%x[0], %y[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xcomplex<f32>>
  %i = wax.constant dense<(0.0, 1.0)> : tensor<complex<f32>>
  %1 = wax.broadcast complex.add(%0[0], %i[]) : (tensor<?xcomplex<f32>>, tensor<complex<f32>>) -> tensor<?xcomplex<f32>>
  %2 = wax.map complex.abs(%1) : (tensor<?xcomplex<f32>>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// Driver

func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @printMemrefI32(tensor<*xi32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func @main() {
  %x = wax.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %v = wax.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %s = wax.constant dense<5.0> : tensor<f32>
  %cond = wax.constant dense<[true, false, true]> : tensor<3xi1>
  %dx = tensor.cast %x : tensor<2x3xf32> to tensor<?x?xf32>
  %dx3 = tensor.cast %x : tensor<2x3xf32> to tensor<?x3xf32>
  %dv = tensor.cast %v : tensor<3xf32> to tensor<?xf32>
  %dc = tensor.cast %cond : tensor<3xi1> to tensor<?xi1>

  // CHECK: sizes = [2, 3]
  // CHECK-NEXT: [2, 4, 6]
  // CHECK-NEXT: [8, 10, 12]
  %0 = call @map_static(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %u0 = tensor.cast %0 : tensor<2x3xf32> to tensor<*xf32>
  call @printMemrefF32(%u0) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [2, 3]
  // CHECK-NEXT: [1, 2, 3]
  // CHECK-NEXT: [4, 5, 6]
  %1 = call @map_dynamic(%dx) : (tensor<?x?xf32>) -> tensor<?x?xi32>
  %u1 = tensor.cast %1 : tensor<?x?xi32> to tensor<*xi32>
  call @printMemrefI32(%u1) : (tensor<*xi32>) -> ()

  // CHECK: rank = 0
  // CHECK-NEXT: [-5]
  %2 = call @map_scalar(%s) : (tensor<f32>) -> tensor<f32>
  %u2 = tensor.cast %2 : tensor<f32> to tensor<*xf32>
  call @printMemrefF32(%u2) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [2, 3]
  // CHECK-NEXT: [11, 22, 33]
  // CHECK-NEXT: [14, 25, 36]
  %3 = call @add_bias(%dx3, %v) : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
  %u3 = tensor.cast %3 : tensor<?x3xf32> to tensor<*xf32>
  call @printMemrefF32(%u3) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [3, 2, 3]
  // CHECK-NEXT: [10, 20, 30]
  // CHECK-NEXT: [40, 80, 120]
  // CHECK-NEXT: [20, 40, 60]
  %4 = call @outer_transposed(%dv, %dx) : (tensor<?xf32>, tensor<?x?xf32>) -> tensor<?x?x?xf32>
  %u4 = tensor.cast %4 : tensor<?x?x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u4) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [3, 2, 3]
  // CHECK-NEXT: [10, 10, 10]
  // CHECK-NEXT: [10, 10, 10]
  // CHECK-NEXT: [20, 20, 20]
  %5 = call @free_dims(%dv) : (tensor<?xf32>) -> tensor<?x2x?xf32>
  %u5 = tensor.cast %5 : tensor<?x2x?xf32> to tensor<*xf32>
  call @printMemrefF32(%u5) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [3]
  // CHECK-NEXT: [10, 5, 30]
  %6 = call @where(%dc, %dv, %s) : (tensor<?xi1>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  %u6 = tensor.cast %6 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u6) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [3]
  // CHECK-NEXT: [2.5, 2.5, 2.5]
  %7 = call @full(%dv) : (tensor<?xf32>) -> tensor<?xf32>
  %u7 = tensor.cast %7 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u7) : (tensor<*xf32>) -> ()

  // CHECK: sizes = [2, 2]
  // CHECK-NEXT: [5, 5]
  // CHECK-NEXT: [5, 5]
  %8 = call @full_of_argument(%s) : (tensor<f32>) -> tensor<2x2xf32>
  %u8 = tensor.cast %8 : tensor<2x2xf32> to tensor<*xf32>
  call @printMemrefF32(%u8) : (tensor<*xf32>) -> ()

  // |3 + (3 + 1)i| = 5
  // CHECK: sizes = [1]
  // CHECK-NEXT: [5]
  %three = wax.constant dense<3.0> : tensor<1xf32>
  %d3 = tensor.cast %three : tensor<1xf32> to tensor<?xf32>
  %9 = call @complex_magnitude(%d3, %d3) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %u9 = tensor.cast %9 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u9) : (tensor<*xf32>) -> ()
  return
}
