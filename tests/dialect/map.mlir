// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @named_kernel
// CHECK: wax.map math.exp(%{{.*}}) : (tensor<4x?xf32>) -> tensor<4x?xf32>
func.func @named_kernel(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = wax.map math.exp(%x) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// The result's element type is the kernel's.
// CHECK-LABEL: func.func @named_cast
// CHECK: wax.map arith.extf(%{{.*}}) : (tensor<bf16>) -> tensor<f32>
func.func @named_cast(%x: tensor<bf16>) -> tensor<f32> {
  %0 = wax.map arith.extf(%x) : (tensor<bf16>) -> tensor<f32>
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @long_kernel
// CHECK-SAME: (%[[X:.*]]: tensor<0x3xf32>)
// CHECK: wax.map (%[[A:.*]] = %[[X]]) : (tensor<0x3xf32>) -> tensor<0x3xf32> {
// CHECK:   %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK:   %[[Y:.*]] = arith.addf %[[A]], %[[ONE]] : f32
// CHECK:   wax.yield %[[Y]] : f32
func.func @long_kernel(%x: tensor<0x3xf32>) -> tensor<0x3xf32> {
  %0 = wax.map (%e = %x) : (tensor<0x3xf32>) -> tensor<0x3xf32> {
    %one = arith.constant 1.0 : f32
    %y = arith.addf %e, %one : f32
    wax.yield %y : f32
  }
  return %0 : tensor<0x3xf32>
}

// An operation with an attribute that is not the default has no short form.
// CHECK-LABEL: func.func @attribute_in_kernel
// CHECK: wax.map (%[[A:.*]] = %{{.*}}) :
// CHECK:   math.sqrt %[[A]] fastmath<contract> : f32
func.func @attribute_in_kernel(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = wax.map (%e = %x) : (tensor<3xf32>) -> tensor<3xf32> {
    %y = math.sqrt %e fastmath<contract> : f32
    wax.yield %y : f32
  }
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func.func @copy
// CHECK: wax.map (%[[A:.*]] = %{{.*}}) : (tensor<3xi1>) -> tensor<3xi1> {
// CHECK:   wax.yield %[[A]] : i1
func.func @copy(%x: tensor<3xi1>) -> tensor<3xi1> {
  %0 = wax.map (%e = %x) : (tensor<3xi1>) -> tensor<3xi1> {
    wax.yield %e : i1
  }
  return %0 : tensor<3xi1>
}

// CHECK-LABEL: func.func @discardable_attributes
// CHECK: wax.map math.exp(%{{.*}}) {note = "kept"} : (tensor<f64>) -> tensor<f64>
func.func @discardable_attributes(%x: tensor<f64>) -> tensor<f64> {
  %0 = wax.map math.exp(%x) {note = "kept"} : (tensor<f64>) -> tensor<f64>
  return %0 : tensor<f64>
}

// CHECK-LABEL: func.func @complex_elements
// CHECK: wax.map complex.abs(%{{.*}}) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
// CHECK: wax.map complex.exp(%{{.*}}) : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
func.func @complex_elements(%x: tensor<2xcomplex<f32>>, %y: tensor<2xcomplex<f64>>) {
  %0 = wax.map complex.abs(%x) : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = wax.map complex.exp(%y) : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @every_integer_and_float
// CHECK: math.ctpop(%{{.*}}) : (tensor<1xi8>) -> tensor<1xi8>
// CHECK: math.ctpop(%{{.*}}) : (tensor<1xi16>) -> tensor<1xi16>
// CHECK: math.ctpop(%{{.*}}) : (tensor<1xi32>) -> tensor<1xi32>
// CHECK: math.ctpop(%{{.*}}) : (tensor<1xi64>) -> tensor<1xi64>
// CHECK: math.absf(%{{.*}}) : (tensor<1xf16>) -> tensor<1xf16>
// CHECK: math.absf(%{{.*}}) : (tensor<1xbf16>) -> tensor<1xbf16>
func.func @every_integer_and_float(%a: tensor<1xi8>, %b: tensor<1xi16>, %c: tensor<1xi32>,
                                   %d: tensor<1xi64>, %e: tensor<1xf16>, %f: tensor<1xbf16>) {
  %0 = wax.map math.ctpop(%a) : (tensor<1xi8>) -> tensor<1xi8>
  %1 = wax.map math.ctpop(%b) : (tensor<1xi16>) -> tensor<1xi16>
  %2 = wax.map math.ctpop(%c) : (tensor<1xi32>) -> tensor<1xi32>
  %3 = wax.map math.ctpop(%d) : (tensor<1xi64>) -> tensor<1xi64>
  %4 = wax.map math.absf(%e) : (tensor<1xf16>) -> tensor<1xf16>
  %5 = wax.map math.absf(%f) : (tensor<1xbf16>) -> tensor<1xbf16>
  return
}
