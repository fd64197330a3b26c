// Float operations that upstream leaves undefined, or whose results depend on
// care, for some inputs; run by mlir-runner here and by IREE in
// test_iree_accepts.py.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | %run_main | FileCheck %s

func.func @fptosi_f32_i1(%x: tensor<?xf32>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf32>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @fptoui_f32_i1(%x: tensor<?xf32>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf32>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @fptosi_f32_i8(%x: tensor<?xf32>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf32>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @fptoui_f32_i8(%x: tensor<?xf32>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf32>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @fptosi_f32_i16(%x: tensor<?xf32>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf32>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @fptoui_f32_i16(%x: tensor<?xf32>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf32>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @fptosi_f32_i32(%x: tensor<?xf32>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @fptoui_f32_i32(%x: tensor<?xf32>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @fptosi_f32_i64(%x: tensor<?xf32>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf32>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @fptoui_f32_i64(%x: tensor<?xf32>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf32>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @fptosi_f64_i1(%x: tensor<?xf64>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf64>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @fptoui_f64_i1(%x: tensor<?xf64>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf64>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @fptosi_f64_i8(%x: tensor<?xf64>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf64>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @fptoui_f64_i8(%x: tensor<?xf64>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf64>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @fptosi_f64_i16(%x: tensor<?xf64>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf64>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @fptoui_f64_i16(%x: tensor<?xf64>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf64>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @fptosi_f64_i32(%x: tensor<?xf64>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf64>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @fptoui_f64_i32(%x: tensor<?xf64>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf64>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @fptosi_f64_i64(%x: tensor<?xf64>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @fptoui_f64_i64(%x: tensor<?xf64>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @fptosi_f16_i1(%x: tensor<?xf16>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf16>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @fptoui_f16_i1(%x: tensor<?xf16>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf16>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @fptosi_f16_i8(%x: tensor<?xf16>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf16>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @fptoui_f16_i8(%x: tensor<?xf16>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf16>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @fptosi_f16_i16(%x: tensor<?xf16>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf16>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @fptoui_f16_i16(%x: tensor<?xf16>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf16>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @fptosi_f16_i32(%x: tensor<?xf16>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf16>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @fptoui_f16_i32(%x: tensor<?xf16>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf16>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @fptosi_f16_i64(%x: tensor<?xf16>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xf16>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @fptoui_f16_i64(%x: tensor<?xf16>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xf16>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @fptosi_bf16_i1(%x: tensor<?xbf16>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xbf16>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @fptoui_bf16_i1(%x: tensor<?xbf16>) -> tensor<?xi1> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xbf16>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

func.func @fptosi_bf16_i8(%x: tensor<?xbf16>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xbf16>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @fptoui_bf16_i8(%x: tensor<?xbf16>) -> tensor<?xi8> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xbf16>) -> tensor<?xi8>
  return %0 : tensor<?xi8>
}

func.func @fptosi_bf16_i16(%x: tensor<?xbf16>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xbf16>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @fptoui_bf16_i16(%x: tensor<?xbf16>) -> tensor<?xi16> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xbf16>) -> tensor<?xi16>
  return %0 : tensor<?xi16>
}

func.func @fptosi_bf16_i32(%x: tensor<?xbf16>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xbf16>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @fptoui_bf16_i32(%x: tensor<?xbf16>) -> tensor<?xi32> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xbf16>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

func.func @fptosi_bf16_i64(%x: tensor<?xbf16>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.map arith.fptosi(%x) : (tensor<?xbf16>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @fptoui_bf16_i64(%x: tensor<?xbf16>) -> tensor<?xi64> attributes {no_inline} {
  %0 = wax.map arith.fptoui(%x) : (tensor<?xbf16>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

func.func @minimumf_f32(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> attributes {no_inline} {
  %0 = wax.broadcast arith.minimumf(%x[0], %y[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @maximumf_f32(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> attributes {no_inline} {
  %0 = wax.broadcast arith.maximumf(%x[0], %y[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @minnumf_f32(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> attributes {no_inline} {
  %0 = wax.broadcast arith.minnumf(%x[0], %y[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @maxnumf_f32(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> attributes {no_inline} {
  %0 = wax.broadcast arith.maxnumf(%x[0], %y[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

func.func @minimumf_f64(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {no_inline} {
  %0 = wax.broadcast arith.minimumf(%x[0], %y[0]) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

func.func @maximumf_f64(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {no_inline} {
  %0 = wax.broadcast arith.maximumf(%x[0], %y[0]) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

func.func @minnumf_f64(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {no_inline} {
  %0 = wax.broadcast arith.minnumf(%x[0], %y[0]) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

func.func @maxnumf_f64(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {no_inline} {
  %0 = wax.broadcast arith.maxnumf(%x[0], %y[0]) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

func.func @minimumf_f16(%x: tensor<?xf16>, %y: tensor<?xf16>) -> tensor<?xf16> attributes {no_inline} {
  %0 = wax.broadcast arith.minimumf(%x[0], %y[0]) : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xf16>
  return %0 : tensor<?xf16>
}

func.func @maximumf_f16(%x: tensor<?xf16>, %y: tensor<?xf16>) -> tensor<?xf16> attributes {no_inline} {
  %0 = wax.broadcast arith.maximumf(%x[0], %y[0]) : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xf16>
  return %0 : tensor<?xf16>
}

func.func @minnumf_f16(%x: tensor<?xf16>, %y: tensor<?xf16>) -> tensor<?xf16> attributes {no_inline} {
  %0 = wax.broadcast arith.minnumf(%x[0], %y[0]) : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xf16>
  return %0 : tensor<?xf16>
}

func.func @maxnumf_f16(%x: tensor<?xf16>, %y: tensor<?xf16>) -> tensor<?xf16> attributes {no_inline} {
  %0 = wax.broadcast arith.maxnumf(%x[0], %y[0]) : (tensor<?xf16>, tensor<?xf16>) -> tensor<?xf16>
  return %0 : tensor<?xf16>
}

func.func @minimumf_bf16(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> attributes {no_inline} {
  %0 = wax.broadcast arith.minimumf(%x[0], %y[0]) : (tensor<?xbf16>, tensor<?xbf16>) -> tensor<?xbf16>
  return %0 : tensor<?xbf16>
}

func.func @maximumf_bf16(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> attributes {no_inline} {
  %0 = wax.broadcast arith.maximumf(%x[0], %y[0]) : (tensor<?xbf16>, tensor<?xbf16>) -> tensor<?xbf16>
  return %0 : tensor<?xbf16>
}

func.func @minnumf_bf16(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> attributes {no_inline} {
  %0 = wax.broadcast arith.minnumf(%x[0], %y[0]) : (tensor<?xbf16>, tensor<?xbf16>) -> tensor<?xbf16>
  return %0 : tensor<?xbf16>
}

func.func @maxnumf_bf16(%x: tensor<?xbf16>, %y: tensor<?xbf16>) -> tensor<?xbf16> attributes {no_inline} {
  %0 = wax.broadcast arith.maxnumf(%x[0], %y[0]) : (tensor<?xbf16>, tensor<?xbf16>) -> tensor<?xbf16>
  return %0 : tensor<?xbf16>
}

func.func @reduce_minimumf(%x: tensor<?xf32>) -> tensor<f32> attributes {no_inline} {
  %start = wax.constant dense<0x7F800000> : tensor<f32>
  %0 = wax.reduce arith.minimumf(%x) over [0] init(%start) : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

func.func @reduce_maximumf(%x: tensor<?xf32>) -> tensor<f32> attributes {no_inline} {
  %start = wax.constant dense<0xFF800000> : tensor<f32>
  %0 = wax.reduce arith.maximumf(%x) over [0] init(%start) : (tensor<?xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// Driver

func.func private @printMemrefI32(tensor<*xi32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @printMemrefI64(tensor<*xi64> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}
func.func private @printMemrefF32(tensor<*xf32> {bufferization.access = "read"}) attributes {llvm.emit_c_interface}

func.func @main() {
  // inf, -inf, NaN, 2^31, -2^31, 1e30, -1.5, 2.9
  %x = wax.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 2147483648.0, -2147483648.0, 1.0e30, -1.5, 2.9]> : tensor<8xf32>
  %a = tensor.cast %x : tensor<8xf32> to tensor<?xf32>
  // CHECK: [2147483647, -2147483648, 0, 2147483647, -2147483648, 2147483647, -1, 2]
  %0 = call @fptosi_f32_i32(%a) : (tensor<?xf32>) -> tensor<?xi32>
  %u0 = tensor.cast %0 : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u0) : (tensor<*xi32>) -> ()
  // CHECK: [-1, 0, 0, -2147483648, 0, -1, 0, 2]
  %1 = call @fptoui_f32_i32(%a) : (tensor<?xf32>) -> tensor<?xi32>
  %u1 = tensor.cast %1 : tensor<?xi32> to tensor<*xi32>
  call @printMemrefI32(%u1) : (tensor<*xi32>) -> ()
  // CHECK: [9223372036854775807, -9223372036854775808, 0, 2147483648, -2147483648, 9223372036854775807, -1, 2]
  %2 = call @fptosi_f32_i64(%a) : (tensor<?xf32>) -> tensor<?xi64>
  %u2 = tensor.cast %2 : tensor<?xi64> to tensor<*xi64>
  call @printMemrefI64(%u2) : (tensor<*xi64>) -> ()

  %nans = wax.constant dense<[0x7FC00000, 1.0, 0.0, -0.0, 2.0]> : tensor<5xf32>
  %others = wax.constant dense<[1.0, 0x7FC00000, -0.0, 0.0, 3.0]> : tensor<5xf32>
  %n = tensor.cast %nans : tensor<5xf32> to tensor<?xf32>
  %o = tensor.cast %others : tensor<5xf32> to tensor<?xf32>
  // CHECK: [{{-?}}nan, {{-?}}nan, -0, -0, 2]
  %3 = call @minimumf_f32(%n, %o) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %u3 = tensor.cast %3 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u3) : (tensor<*xf32>) -> ()
  // CHECK: [{{-?}}nan, {{-?}}nan, 0, 0, 3]
  %4 = call @maximumf_f32(%n, %o) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %u4 = tensor.cast %4 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u4) : (tensor<*xf32>) -> ()
  // CHECK: [1, 1, {{-?0, -?0}}, 2]
  %5 = call @minnumf_f32(%n, %o) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %u5 = tensor.cast %5 : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u5) : (tensor<*xf32>) -> ()
  // CHECK: rank = 0
  // CHECK-NEXT: [{{-?}}nan]
  %6 = call @reduce_minimumf(%n) : (tensor<?xf32>) -> tensor<f32>
  %u6 = tensor.cast %6 : tensor<f32> to tensor<*xf32>
  call @printMemrefF32(%u6) : (tensor<*xf32>) -> ()
  return
}
