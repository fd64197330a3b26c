// Formulas at the ends of their ranges, run by mlir-runner, which flushes no subnormal number and has no fused
// operations of its own; in test_expand_math.py with IREE and many more numbers.
// RUN: wax-opt %s --wax-to-linalg --wax-expand-math | %to_llvm | %run_main | FileCheck %s

func.func private @printMemrefF64(tensor<*xf64>)
func.func private @printMemrefF32(tensor<*xf32>)

func.func @exp(%x: tensor<?xf64>) -> tensor<?xf64> attributes {no_inline} {
  %0 = wax.map math.exp(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

func.func @log(%x: tensor<?xf64>) -> tensor<?xf64> attributes {no_inline} {
  %0 = wax.map math.log2(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

func.func @sin(%x: tensor<?xf64>) -> tensor<?xf64> attributes {no_inline} {
  %0 = wax.map math.sin(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

func.func @sin_single(%x: tensor<?xf32>) -> tensor<?xf32> attributes {no_inline} {
  %0 = wax.map math.sin(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @remainder(%x: tensor<4xf64>, %y: tensor<4xf64>) -> tensor<4xf64> attributes {no_inline} {
  %0 = wax.broadcast arith.remf(%x[0], %y[0]) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  return %0 : tensor<4xf64>
}

func.func @main() {
  // The least numbers, subnormal ones, and beyond.
  // CHECK: sizes = [6]
  // CHECK-NEXT: [0,  4.94066e-324,  4.94066e-324,  4.47629e-309,  1.79282e+308,  inf]
  %e = wax.constant dense<[-745.14, -745.13, -744.5, -710.0, 709.78, 709.79]> : tensor<6xf64>
  %ed = tensor.cast %e : tensor<6xf64> to tensor<?xf64>
  %0 = func.call @exp(%ed) : (tensor<?xf64>) -> tensor<?xf64>
  %unranked0 = tensor.cast %0 : tensor<?xf64> to tensor<*xf64>
  func.call @printMemrefF64(%unranked0) : (tensor<*xf64>) -> ()

  // CHECK: sizes = [6]
  // CHECK-NEXT: [-inf,  -inf,  nan,  -1074,  1024,  inf]
  %l = wax.constant dense<[0.0, -0.0, -1.0, 4.9406564584124654e-324, 1.7976931348623157e308, 0x7FF0000000000000]> : tensor<6xf64>
  %ld = tensor.cast %l : tensor<6xf64> to tensor<?xf64>
  %1 = func.call @log(%ld) : (tensor<?xf64>) -> tensor<?xf64>
  %unranked1 = tensor.cast %1 : tensor<?xf64> to tensor<*xf64>
  func.call @printMemrefF64(%unranked1) : (tensor<*xf64>) -> ()

  // The number nearest to a multiple of π/2, the greatest one, 10^22, and a subnormal one.
  // CHECK: sizes = [4]
  // CHECK-NEXT: [1,  0.00496195,  -0.852201,  -1e-310]
  %s = wax.constant dense<[5.319372648326541e+255, 1.7976931348623157e308, 1.0e22, -1.0e-310]> : tensor<4xf64>
  %sd = tensor.cast %s : tensor<4xf64> to tensor<?xf64>
  %2 = func.call @sin(%sd) : (tensor<?xf64>) -> tensor<?xf64>
  %unranked2 = tensor.cast %2 : tensor<?xf64> to tensor<*xf64>
  func.call @printMemrefF64(%unranked2) : (tensor<*xf64>) -> ()

  // CHECK: sizes = [3]
  // CHECK-NEXT: [1,  -0.521877,  {{-?}}nan]
  %t = wax.constant dense<[7.729178919452902e+28, 3.4028235e38, 0xFF800000]> : tensor<3xf32>
  %td = tensor.cast %t : tensor<3xf32> to tensor<?xf32>
  %3 = func.call @sin_single(%td) : (tensor<?xf32>) -> tensor<?xf32>
  %unranked3 = tensor.cast %3 : tensor<?xf32> to tensor<*xf32>
  func.call @printMemrefF32(%unranked3) : (tensor<*xf32>) -> ()

  // The longest reduction there is, one of subnormal numbers, and signs.
  // CHECK: sizes = [4]
  // CHECK-NEXT: [9.88131e-324,  4.94066e-324,  -7,  1.5]
  %x = wax.constant dense<[1.7976931348623157e308, 5.0e-320, -7.0, 5.5]> : tensor<4xf64>
  %y = wax.constant dense<[1.4821969375237396e-323, 1.5e-323, 0x7FF0000000000000, -2.0]> : tensor<4xf64>
  %4 = func.call @remainder(%x, %y) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
  %unranked4 = tensor.cast %4 : tensor<4xf64> to tensor<*xf64>
  func.call @printMemrefF64(%unranked4) : (tensor<*xf64>) -> ()
  return
}
