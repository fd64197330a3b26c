// RUN: wax-opt %s "--wax-batch=function=extrema size=4 axis=i" | FileCheck %s --check-prefix=EXTREMA
// RUN: wax-opt %s "--wax-batch=function=permuted size=3 axis=i" | FileCheck %s --check-prefix=PERMUTED
// RUN: wax-opt %s "--wax-batch=function=another size=5 axis=j" | FileCheck %s --check-prefix=ANOTHER
// RUN: not wax-opt %s "--wax-batch=function=permuted size=4 axis=i" 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=permuted" | FileCheck %s --check-prefix=PULLED
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=greatest" "--wax-batch=function=greatest size=64 axis=i" | FileCheck %s --check-prefix=LINEAR

// EXTREMA-LABEL: func.func @extrema
// EXTREMA: %[[LEAST:.*]] = wax.constant dense<0xFF800000> : tensor<f32>
// EXTREMA: wax.reduce arith.maximumf(%{{.*}}) over [0] init(%[[LEAST]])
// EXTREMA: wax.reduce arith.minui(%{{.*}}) over [0]
// EXTREMA: wax.reduce arith.maxsi(%{{.*}}) over [0]
// EXTREMA: return %{{.*}} : tensor<3xf32>, tensor<3xi32>, tensor<3xi32>
func.func @extrema(%x: tensor<3xf32>, %n: tensor<3xi32>) -> (tensor<3xf32>, tensor<3xi32>, tensor<3xi32>) {
  %0 = wax.pmax %x over "i" : (tensor<3xf32>) -> tensor<3xf32>
  %1 = wax.pmax %n over "i" minimum unsigned : (tensor<3xi32>) -> tensor<3xi32>
  %2 = wax.pmax %n over "i" : (tensor<3xi32>) -> tensor<3xi32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xi32>, tensor<3xi32>
}

// PERMUTED-LABEL: func.func @permuted
// PERMUTED: wax.constant dense<[1, 0, 0]> : tensor<3xi64>
// PERMUTED: wax.gather
// PERMUTED: arith.select
// PERMUTED: return %{{.*}} : tensor<3x2xf32>

// SIZES: [ppermute_c2] has 3 sources for another number of rows

// The cotangent of row 0 is row 2's, that of row 1 is row 0's.
// PULLED-LABEL: func.func @permuted
// PULLED: %[[CX:.*]] = wax.ppermute %{{.*}} over "i" from [2, 0, -1]
// PULLED: return %{{.*}}, %[[CX]]
func.func @permuted(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = wax.ppermute %x over "i" from [1, -1, 0] : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// ANOTHER-LABEL: func.func @another
// ANOTHER: wax.ppermute %{{.*}} over "i" from [1, 0] : (tensor<5x2xf32>) -> tensor<5x2xf32>
// ANOTHER: wax.pmax %{{.*}} over "i" : (tensor<5x2xf32>) -> tensor<5x2xf32>
func.func @another(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = wax.ppermute %x over "i" from [1, 0] : (tensor<2xf32>) -> tensor<2xf32>
  %1 = wax.pmax %x over "i" : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// Nothing has the rows twice.
// LINEAR-LABEL: func.func @greatest
// LINEAR-NOT: 64x64
// LINEAR: return %{{.*}} : tensor<3xf32>, tensor<64x3xf32>
func.func @greatest(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = wax.pmax %x over "i" : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
