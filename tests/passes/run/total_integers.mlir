// Integer operations that upstream leaves undefined for some inputs, run by
// mlir-runner here and, over more types, by IREE in test_iree_accepts.py.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | %run_main | FileCheck %s

func.func @divsi_i32(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.broadcast arith.divsi(%x[0], %y[0]) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @divui_i32(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.broadcast arith.divui(%x[0], %y[0]) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @floordivsi_i32(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.broadcast arith.floordivsi(%x[0], %y[0]) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @ceildivsi_i32(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.broadcast arith.ceildivsi(%x[0], %y[0]) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @ceildivui_i32(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.broadcast arith.ceildivui(%x[0], %y[0]) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @remsi_i32(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.broadcast arith.remsi(%x[0], %y[0]) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @remui_i32(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.broadcast arith.remui(%x[0], %y[0]) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @shli_i32(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.broadcast arith.shli(%x[0], %y[0]) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @shrui_i32(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.broadcast arith.shrui(%x[0], %y[0]) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @shrsi_i32(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.broadcast arith.shrsi(%x[0], %y[0]) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @divsi_i1(%x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.broadcast arith.divsi(%x[0], %y[0]) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @divui_i1(%x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.broadcast arith.divui(%x[0], %y[0]) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @floordivsi_i1(%x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.broadcast arith.floordivsi(%x[0], %y[0]) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @ceildivsi_i1(%x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.broadcast arith.ceildivsi(%x[0], %y[0]) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @ceildivui_i1(%x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.broadcast arith.ceildivui(%x[0], %y[0]) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @remsi_i1(%x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.broadcast arith.remsi(%x[0], %y[0]) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @remui_i1(%x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.broadcast arith.remui(%x[0], %y[0]) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @shli_i1(%x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.broadcast arith.shli(%x[0], %y[0]) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @shrui_i1(%x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.broadcast arith.shrui(%x[0], %y[0]) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @shrsi_i1(%x: tensor<?xi1>, %y: tensor<?xi1>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.broadcast arith.shrsi(%x[0], %y[0]) : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @divsi_i8(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.broadcast arith.divsi(%x[0], %y[0]) : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @divui_i8(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.broadcast arith.divui(%x[0], %y[0]) : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @floordivsi_i8(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.broadcast arith.floordivsi(%x[0], %y[0]) : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @ceildivsi_i8(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.broadcast arith.ceildivsi(%x[0], %y[0]) : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @ceildivui_i8(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.broadcast arith.ceildivui(%x[0], %y[0]) : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @remsi_i8(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.broadcast arith.remsi(%x[0], %y[0]) : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @remui_i8(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.broadcast arith.remui(%x[0], %y[0]) : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @shli_i8(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.broadcast arith.shli(%x[0], %y[0]) : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @shrui_i8(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.broadcast arith.shrui(%x[0], %y[0]) : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @shrsi_i8(%x: tensor<?xi8>, %y: tensor<?xi8>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.broadcast arith.shrsi(%x[0], %y[0]) : (tensor<?xi8>, tensor<?xi8>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @divsi_i16(%x: tensor<?xi16>, %y: tensor<?xi16>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.broadcast arith.divsi(%x[0], %y[0]) : (tensor<?xi16>, tensor<?xi16>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @divui_i16(%x: tensor<?xi16>, %y: tensor<?xi16>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.broadcast arith.divui(%x[0], %y[0]) : (tensor<?xi16>, tensor<?xi16>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @floordivsi_i16(%x: tensor<?xi16>, %y: tensor<?xi16>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.broadcast arith.floordivsi(%x[0], %y[0]) : (tensor<?xi16>, tensor<?xi16>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @ceildivsi_i16(%x: tensor<?xi16>, %y: tensor<?xi16>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.broadcast arith.ceildivsi(%x[0], %y[0]) : (tensor<?xi16>, tensor<?xi16>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @ceildivui_i16(%x: tensor<?xi16>, %y: tensor<?xi16>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.broadcast arith.ceildivui(%x[0], %y[0]) : (tensor<?xi16>, tensor<?xi16>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @remsi_i16(%x: tensor<?xi16>, %y: tensor<?xi16>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.broadcast arith.remsi(%x[0], %y[0]) : (tensor<?xi16>, tensor<?xi16>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @remui_i16(%x: tensor<?xi16>, %y: tensor<?xi16>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.broadcast arith.remui(%x[0], %y[0]) : (tensor<?xi16>, tensor<?xi16>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @shli_i16(%x: tensor<?xi16>, %y: tensor<?xi16>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.broadcast arith.shli(%x[0], %y[0]) : (tensor<?xi16>, tensor<?xi16>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @shrui_i16(%x: tensor<?xi16>, %y: tensor<?xi16>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.broadcast arith.shrui(%x[0], %y[0]) : (tensor<?xi16>, tensor<?xi16>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @shrsi_i16(%x: tensor<?xi16>, %y: tensor<?xi16>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.broadcast arith.shrsi(%x[0], %y[0]) : (tensor<?xi16>, tensor<?xi16>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @divsi_i64(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.broadcast arith.divsi(%x[0], %y[0]) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @divui_i64(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.broadcast arith.divui(%x[0], %y[0]) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @floordivsi_i64(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.broadcast arith.floordivsi(%x[0], %y[0]) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @ceildivsi_i64(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.broadcast arith.ceildivsi(%x[0], %y[0]) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @ceildivui_i64(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.broadcast arith.ceildivui(%x[0], %y[0]) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @remsi_i64(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.broadcast arith.remsi(%x[0], %y[0]) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @remui_i64(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.broadcast arith.remui(%x[0], %y[0]) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @shli_i64(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.broadcast arith.shli(%x[0], %y[0]) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @shrui_i64(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.broadcast arith.shrui(%x[0], %y[0]) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @shrsi_i64(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.broadcast arith.shrsi(%x[0], %y[0]) : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

// A constant operand that needs no guard, and one that does.
func.func @div_by_constants(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) attributes {no_inline} {
  %three = wax.constant dense<3> : tensor<i32>
  %zero = wax.constant dense<0> : tensor<i32>
  %minus = wax.constant dense<-1> : tensor<i32>
  %0 = wax.broadcast arith.divsi(%x[0], %three[]) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  %1 = wax.broadcast arith.divsi(%x[0], %zero[]) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  %2 = wax.broadcast arith.divsi(%x[0], %minus[]) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  return %0, %1, %2 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

func.func @shift_by_constants(%x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) attributes {no_inline} {
  %four = wax.constant dense<4> : tensor<i32>
  %forty = wax.constant dense<40> : tensor<i32>
  %0 = wax.broadcast arith.shli(%x[0], %four[]) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  %1 = wax.broadcast arith.shli(%x[0], %forty[]) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  %2 = wax.broadcast arith.shrsi(%x[0], %forty[]) : (tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  return %0, %1, %2 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}

// Driver

func.func private @printMemrefI32(tensor<*xi32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func @main() {
  %x = wax.constant dense<[7, -7, 7, -7, 5, -2147483648, -2147483648]> : tensor<7xi32>
  %y = wax.constant dense<[2, 2, -2, -2, 0, -1, 33]> : tensor<7xi32>
  %a = tensor.cast %x : tensor<7xi32> to tensor<?xi32>
  %b = tensor.cast %y : tensor<7xi32> to tensor<?xi32>
  // divsi
  // CHECK: [3, -3, -3, 3, 0, -2147483648, -65075262]
  %divsi = call @divsi_i32(%a, %b) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %u0 = tensor.cast %divsi : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u0) : (tensor<*xi32>) -> ()
  // divui
  // CHECK: [3, 2147483644, 0, 0, 0, 0, 65075262]
  %divui = call @divui_i32(%a, %b) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %u1 = tensor.cast %divui : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u1) : (tensor<*xi32>) -> ()
  // floordivsi
  // CHECK: [3, -4, -4, 3, 0, -2147483648, -65075263]
  %floordivsi = call @floordivsi_i32(%a, %b) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %u2 = tensor.cast %floordivsi : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u2) : (tensor<*xi32>) -> ()
  // ceildivsi
  // CHECK: [4, -3, -3, 4, 0, -2147483648, -65075262]
  %ceildivsi = call @ceildivsi_i32(%a, %b) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %u3 = tensor.cast %ceildivsi : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u3) : (tensor<*xi32>) -> ()
  // ceildivui
  // CHECK: [4, 2147483645, 1, 1, 0, 1, 65075263]
  %ceildivui = call @ceildivui_i32(%a, %b) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %u4 = tensor.cast %ceildivui : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u4) : (tensor<*xi32>) -> ()
  // remsi
  // CHECK: [1, -1, 1, -1, 0, 0, -2]
  %remsi = call @remsi_i32(%a, %b) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %u5 = tensor.cast %remsi : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u5) : (tensor<*xi32>) -> ()
  // remui
  // CHECK: [1, 1, 7, -7, 0, -2147483648, 2]
  %remui = call @remui_i32(%a, %b) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %u6 = tensor.cast %remui : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u6) : (tensor<*xi32>) -> ()
  // shli
  // CHECK: [28, -28, 0, 0, 5, 0, 0]
  %shli = call @shli_i32(%a, %b) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %u7 = tensor.cast %shli : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u7) : (tensor<*xi32>) -> ()
  // shrui
  // CHECK: [1, 1073741822, 0, 0, 5, 0, 0]
  %shrui = call @shrui_i32(%a, %b) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %u8 = tensor.cast %shrui : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u8) : (tensor<*xi32>) -> ()
  // shrsi
  // CHECK: [1, -2, 0, -1, 5, -1, -1]
  %shrsi = call @shrsi_i32(%a, %b) : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  %u9 = tensor.cast %shrsi : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u9) : (tensor<*xi32>) -> ()
  return
}
