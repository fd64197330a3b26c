// RUN: wax-opt %s --wax-split-constants --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @each_a_number
// CHECK-DAG: %[[RE:.*]] = arith.constant dense<[1.000000e+00, -0.000000e+00]> : tensor<2xf64>
// CHECK-DAG: %[[IM:.*]] = arith.constant dense<[2.000000e+00, 0x7FF8000000000000]> : tensor<2xf64>
// CHECK: %[[NUMBERS:.*]] = linalg.generic {{.*}} ins(%[[RE]], %[[IM]] : tensor<2xf64>, tensor<2xf64>)
// CHECK: ^bb0(%[[A:.*]]: f64, %[[B:.*]]: f64, %{{.*}}: complex<f64>):
// CHECK: %[[NUMBER:.*]] = complex.create %[[A]], %[[B]]
// CHECK: linalg.yield %[[NUMBER]]
// CHECK: return %[[NUMBERS]]
func.func @each_a_number() -> tensor<2xcomplex<f64>> {
  %0 = arith.constant dense<[(1.0, 2.0), (-0.0, 0x7FF8000000000000)]> : tensor<2xcomplex<f64>>
  return %0 : tensor<2xcomplex<f64>>
}

// -----

// CHECK-LABEL: func.func @all_alike
// CHECK-DAG: arith.constant dense<1.000000e+00> : tensor<2x3xf32>
// CHECK-DAG: arith.constant dense<2.000000e+00> : tensor<2x3xf32>
// CHECK: linalg.generic
func.func @all_alike() -> tensor<2x3xcomplex<f32>> {
  %0 = arith.constant dense<(1.0, 2.0)> : tensor<2x3xcomplex<f32>>
  return %0 : tensor<2x3xcomplex<f32>>
}

// -----

// CHECK-LABEL: func.func @without_dims
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], iterator_types = []}
func.func @without_dims() -> tensor<complex<f64>> {
  %0 = arith.constant dense<(1.0, 2.0)> : tensor<complex<f64>>
  return %0 : tensor<complex<f64>>
}

// -----

// CHECK-LABEL: func.func @of_what_is_yielded
// CHECK: linalg.generic
// CHECK-DAG: %[[RE:.*]] = arith.constant 1.000000e+00 : f64
// CHECK-DAG: %[[IM:.*]] = arith.constant 2.000000e+00 : f64
// CHECK: %[[NUMBER:.*]] = complex.create %[[RE]], %[[IM]]
// CHECK: linalg.yield %[[NUMBER]]
func.func @of_what_is_yielded(%like: tensor<?xi8>, %empty: tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>> {
  %cst = complex.constant [1.0, 2.0] : complex<f64>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%like : tensor<?xi8>) outs(%empty : tensor<?xcomplex<f64>>) {
  ^bb0(%in: i8, %out: complex<f64>):
    linalg.yield %cst : complex<f64>
  } -> tensor<?xcomplex<f64>>
  return %0 : tensor<?xcomplex<f64>>
}

// -----

// CHECK-LABEL: func.func @of_real_numbers
// CHECK-NEXT: arith.constant dense<1.000000e+00> : tensor<2xf64>
// CHECK-NEXT: return
func.func @of_real_numbers() -> tensor<2xf64> {
  %0 = arith.constant dense<1.0> : tensor<2xf64>
  return %0 : tensor<2xf64>
}

// -----

// More booleans than a hundred are said by bytes.
// CHECK-LABEL: func @booleans
// CHECK: %[[BYTES:.*]] = arith.constant dense<"0x{{[01]+}}"> : tensor<128xi8>
// CHECK: %[[BITS:.*]] = linalg.generic {{.*}} ins(%[[BYTES]] : tensor<128xi8>)
// CHECK: arith.trunci %{{.*}} : i8 to i1
// CHECK: return %[[BITS]]
func.func @booleans() -> tensor<128xi1> {
  %0 = arith.constant dense<"0xAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"> : tensor<128xi1>
  return %0 : tensor<128xi1>
}
