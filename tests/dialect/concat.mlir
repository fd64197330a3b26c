// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @along_rows
// CHECK: wax.concat (%{{.*}}, %{{.*}}) along 0 : (tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
func.func @along_rows(%x: tensor<4x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = wax.concat (%x, %y) along 0 : (tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// A static size goes before a dynamic one.
// CHECK-LABEL: func.func @other_dims_join
// CHECK: wax.concat (%{{.*}}, %{{.*}}, %{{.*}}) along 1 {note} : (tensor<?x1xi1>, tensor<3x0xi1>, tensor<?x2xi1>) -> tensor<3x3xi1>
func.func @other_dims_join(%x: tensor<?x1xi1>, %y: tensor<3x0xi1>, %z: tensor<?x2xi1>) -> tensor<3x3xi1> {
  %0 = wax.concat (%x, %y, %z) along 1 {note} : (tensor<?x1xi1>, tensor<3x0xi1>, tensor<?x2xi1>) -> tensor<3x3xi1>
  return %0 : tensor<3x3xi1>
}
