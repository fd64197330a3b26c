// RUN: wax-opt %s | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @both
func.func @both(%x: tensor<?x8xf32>) -> (tensor<?x3xf32>, tensor<?x3xi32>) {
  // CHECK: wax.top_k (%{{.*}} = %{{.*}}) {dim = 1 : i64, gives = ["indices", "values"]} : (tensor<?x8xf32>) -> (tensor<?x3xi32>, tensor<?x3xf32>) {
  %i, %v = wax.top_k (%a = %x) {dim = 1 : i64, gives = ["indices", "values"]} : (tensor<?x8xf32>) -> (tensor<?x3xi32>, tensor<?x3xf32>) {
    %c0 = arith.constant 0 : index
    %n = tensor.dim %a, %c0 : tensor<?x8xf32>
    %0 = wax.slice %a offsets [0, 0] sizes [%n, 3] strides [1, 1] : (tensor<?x8xf32>) -> tensor<?x3xf32>
    %1 = wax.map arith.fptosi(%0) : (tensor<?x3xf32>) -> tensor<?x3xi32>
    wax.return %1, %0 : tensor<?x3xi32>, tensor<?x3xf32>
  }
  return %v, %i : tensor<?x3xf32>, tensor<?x3xi32>
}

// CHECK-LABEL: func.func @values
func.func @values(%x: tensor<3xi8>) -> tensor<3xi8> {
  // CHECK: wax.top_k (%{{.*}} = %{{.*}}) {dim = 0 : i64, gives = ["values"], is_unsigned} : (tensor<3xi8>) -> tensor<3xi8> {
  %v = wax.top_k (%a = %x) {dim = 0 : i64, gives = ["values"], is_unsigned} : (tensor<3xi8>) -> tensor<3xi8> {
    wax.return %a : tensor<3xi8>
  }
  return %v : tensor<3xi8>
}
