// RUN: wax-opt %s --wax-widen-folds | FileCheck %s

// CHECK-LABEL: func @largest
// CHECK: %[[LEAST:.*]] = arith.constant dense<0xFF800000> : tensor<f32>
// CHECK: %[[WIDE:.*]] = {{.*}}arith.extf{{.*}}tensor<8x9xf32>
// CHECK: %[[MOST:.*]] = wax.reduce arith.maximumf(%[[WIDE]]) over [1] init(%[[LEAST]]) : (tensor<8x9xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK: %[[NARROW:.*]] = {{.*}}arith.truncf(%[[MOST]]{{.*}}tensor<8xbf16>
// CHECK: return %[[NARROW]]
func.func @largest(%x: tensor<8x9xbf16>) -> tensor<8xbf16> {
  %low = arith.constant dense<0xFF80> : tensor<bf16>
  %0 = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<8x9xbf16>, tensor<bf16>) -> tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// What is compared, chosen, or summed up in f32.
// CHECK-LABEL: func @several
// CHECK: wax.reduce (%[[X:[a-z]+]] = %{{[0-9]+}}, %[[I:[a-z]+]] = %{{[a-z0-9]+}}) over [1]
// CHECK-SAME: init(%[[BEST:[a-z0-9_]+]] = %{{[a-z0-9]+}}, %[[AT:[a-z0-9_]+]] = %{{[a-z0-9]+}}, %[[SUM:[a-z0-9_]+]] = %{{[a-z0-9]+}})
// CHECK-SAME: -> (tensor<8xf32>, tensor<8xi32>, tensor<8xf32>)
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpf ogt, %[[X]], %[[BEST]] : f32
// CHECK-NEXT: arith.select %[[MORE]], %[[X]], %[[BEST]] : f32
// CHECK-NEXT: arith.select %[[MORE]], %[[I]], %[[AT]] : i32
// CHECK-NEXT: arith.addf %[[X]], %[[SUM]] : f32
func.func @several(%x: tensor<8x9xf16>, %i: tensor<8x9xi32>, %low: tensor<f16>, %none: tensor<i32>, %zero: tensor<f32>) -> (tensor<8xf16>, tensor<8xi32>, tensor<8xf32>) {
  %0:3 = wax.reduce (%a = %x, %n = %i) over [1] init(%best = %low, %at = %none, %sum = %zero)
      : (tensor<8x9xf16>, tensor<8x9xi32>, tensor<f16>, tensor<i32>, tensor<f32>) -> (tensor<8xf16>, tensor<8xi32>, tensor<8xf32>) {
    %more = arith.cmpf ogt, %a, %best : f16
    %v = arith.select %more, %a, %best : f16
    %k = arith.select %more, %n, %at : i32
    %wide = arith.extf %a : f16 to f32
    %s = arith.addf %wide, %sum : f32
    wax.yield %v, %k, %s : f16, i32, f32
  }
  return %0#0, %0#1, %0#2 : tensor<8xf16>, tensor<8xi32>, tensor<8xf32>
}

// Sums of bf16 are rounded each.
// CHECK-LABEL: func @sum
// CHECK: wax.reduce arith.addf(%{{.*}}) over [1] init(%{{.*}}) : (tensor<8x9xbf16>, tensor<bf16>) -> tensor<8xbf16>
func.func @sum(%x: tensor<8x9xbf16>, %zero: tensor<bf16>) -> tensor<8xbf16> {
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<8x9xbf16>, tensor<bf16>) -> tensor<8xbf16>
  return %0 : tensor<8xbf16>
}

// CHECK-LABEL: func @of_f32
// CHECK-NEXT: wax.reduce arith.maximumf
// CHECK-NEXT: return
func.func @of_f32(%x: tensor<8x9xf32>, %low: tensor<f32>) -> tensor<8xf32> {
  %0 = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<8x9xf32>, tensor<f32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
