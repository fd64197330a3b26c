// RUN: wax-opt %s | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @collectives
func.func @collectives(%x: tensor<4x?xf32>, %n: index) {
  // CHECK: wax.axis_index "rows" : () -> tensor<i32>
  %0 = wax.axis_index "rows" : () -> tensor<i32>
  // CHECK: wax.all_gather %{{.*}} over "rows" sizes [8] : (tensor<4x?xf32>) -> tensor<8x4x?xf32>
  %1 = wax.all_gather %x over "rows" sizes [8] : (tensor<4x?xf32>) -> tensor<8x4x?xf32>
  // CHECK: wax.all_gather %{{.*}} over "rows" sizes [%{{.*}}] : (tensor<4x?xf32>) -> tensor<?x4x?xf32>
  %2 = wax.all_gather %x over "rows" sizes [%n] : (tensor<4x?xf32>) -> tensor<?x4x?xf32>
  // CHECK: wax.psum %{{.*}} over "rows" : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %3 = wax.psum %x over "rows" : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: wax.pmax %{{.*}} over "rows" : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %4 = wax.pmax %x over "rows" : (tensor<4x?xf32>) -> tensor<4x?xf32>
  // CHECK: wax.pmax %{{.*}} over "rows" minimum unsigned : (tensor<i32>) -> tensor<i32>
  %5 = wax.pmax %0 over "rows" minimum unsigned : (tensor<i32>) -> tensor<i32>
  // CHECK: wax.ppermute %{{.*}} over "rows" from [1, -1, 0] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  %6 = wax.ppermute %x over "rows" from [1, -1, 0] : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}
