// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @every_element_type
// CHECK: wax.constant dense<true> : tensor<i1>
// CHECK: wax.constant dense<[1, -2]> : tensor<2xi8>
// CHECK: wax.constant dense<3> : tensor<2xi16>
// CHECK: wax.constant dense<4> : tensor<2xi32>
// CHECK: wax.constant dense<5> : tensor<2xi64>
// CHECK: wax.constant dense<1.500000e+00> : tensor<f16>
// CHECK: wax.constant dense<0x7FC0> : tensor<bf16>
// CHECK: wax.constant dense<-0.000000e+00> : tensor<f32>
// CHECK: wax.constant dense<0x7FF0000000000000> : tensor<f64>
// CHECK: wax.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
// CHECK: wax.constant dense<[(1.000000e+00,2.000000e+00), (3.000000e+00,4.000000e+00)]> : tensor<2xcomplex<f64>>
func.func @every_element_type() {
  %0 = wax.constant dense<true> : tensor<i1>
  %1 = wax.constant dense<[1, -2]> : tensor<2xi8>
  %2 = wax.constant dense<3> : tensor<2xi16>
  %3 = wax.constant dense<4> : tensor<2xi32>
  %4 = wax.constant dense<5> : tensor<2xi64>
  %5 = wax.constant dense<1.5> : tensor<f16>
  %6 = wax.constant dense<0x7FC0> : tensor<bf16>
  %7 = wax.constant dense<-0.0> : tensor<f32>
  %8 = wax.constant dense<0x7FF0000000000000> : tensor<f64>
  %9 = wax.constant dense<(1.0, 2.0)> : tensor<complex<f32>>
  %10 = wax.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @no_element
// CHECK: wax.constant {note} dense<> : tensor<3x0xf32>
func.func @no_element() {
  %0 = wax.constant {note} dense<> : tensor<3x0xf32>
  return
}
