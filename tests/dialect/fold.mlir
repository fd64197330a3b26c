// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK: wax.fold arith.addf(%{{.*}}) dims [1] sizes [9] strides [2] dilations [1] init(%{{.*}}) {note} : (tensor<?x4x16x3xf32>, tensor<f32>) -> tensor<?x9x16xf32>
func.func @sum(%x: tensor<?x4x16x3xf32>, %i: tensor<f32>) {
  %0 = wax.fold arith.addf(%x) dims [1] sizes [9] strides [2] dilations [1] init(%i) {note} : (tensor<?x4x16x3xf32>, tensor<f32>) -> tensor<?x9x16xf32>
  return
}

// CHECK-LABEL: func.func @in_order
// CHECK: wax.fold ordered arith.addf(%{{.*}}) dims [0] sizes [%{{.*}}] strides [1] dilations [2] init(%{{.*}}) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
func.func @in_order(%x: tensor<?x?xf32>, %i: tensor<f32>, %n: index) {
  %0 = wax.fold ordered arith.addf(%x) dims [0] sizes [%n] strides [1] dilations [2] init(%i) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func.func @a_kernel
// CHECK: wax.fold (%[[E:.*]] = %{{.*}}) dims [0, 1] sizes [4, 7] strides [1, 2] dilations [1, 2] init(%[[A:.*]] = %{{.*}}) : (tensor<3x3x2x2xi32>, tensor<f32>) -> tensor<4x7xf32> {
// CHECK: arith.sitofp %[[E]]
// CHECK: wax.yield
func.func @a_kernel(%x: tensor<3x3x2x2xi32>, %i: tensor<f32>) {
  %0 = wax.fold (%e = %x) dims [0, 1] sizes [4, 7] strides [1, 2] dilations [1, 2] init(%a = %i) : (tensor<3x3x2x2xi32>, tensor<f32>) -> tensor<4x7xf32> {
    %f = arith.sitofp %e : i32 to f32
    %r = arith.subf %a, %f : f32
    wax.yield %r : f32
  }
  return
}

// CHECK-LABEL: func.func @no_window
// CHECK: sizes [4] {{.*}} -> tensor<4xf32>
func.func @no_window(%x: tensor<0x5xf32>, %i: tensor<f32>) {
  %0 = wax.fold arith.addf(%x) dims [0] sizes [4] strides [1] dilations [1] init(%i) : (tensor<0x5xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
