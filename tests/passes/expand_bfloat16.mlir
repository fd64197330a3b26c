// RUN: wax-opt %s --wax-expand-bfloat16 --canonicalize --cse | FileCheck %s
// RUN: wax-opt %s --wax-expand-bfloat16 | FileCheck %s --check-prefix=GONE

// GONE-NOT: {{(truncf|tofp).* to (vector<8x)?bf16}}

// CHECK-LABEL: func @round
// CHECK-SAME: %[[X:.*]]: f32
// CHECK: %[[BITS:.*]] = arith.bitcast %[[X]] : f32 to i32
// CHECK: %[[UPPER:.*]] = arith.shrui %[[BITS]], %c16
// CHECK: %[[LAST:.*]] = arith.andi %[[UPPER]], %c1
// CHECK: %[[BIAS:.*]] = arith.addi %[[LAST]], %c32767
// CHECK: %[[SUM:.*]] = arith.addi %[[BITS]], %[[BIAS]]
// CHECK: %[[ROUNDED:.*]] = arith.shrui %[[SUM]], %c16
// CHECK: %[[QUIET:.*]] = arith.ori %[[UPPER]], %c64
// CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]]
// CHECK: %[[TAKEN:.*]] = arith.select %[[NAN]], %[[QUIET]], %[[ROUNDED]]
// CHECK: %[[HALF:.*]] = arith.trunci %[[TAKEN]] : i32 to i16
// CHECK: %[[R:.*]] = arith.bitcast %[[HALF]] : i16 to bf16
// CHECK: return %[[R]]
func.func @round(%x: f32) -> bf16 {
  %0 = arith.truncf %x : f32 to bf16
  return %0 : bf16
}

// What f32 cannot hold becomes its last bit.
// CHECK-LABEL: func @of_f64
// CHECK-SAME: %[[X:.*]]: f64
// CHECK: %[[NARROW:.*]] = arith.truncf %[[X]] : f64 to f32
// CHECK: %[[BACK:.*]] = arith.extf %[[NARROW]]
// CHECK: arith.cmpf one, %[[BACK]], %[[X]]
// CHECK: arith.ori %{{.*}}, %c1
func.func @of_f64(%x: f64) -> bf16 {
  %0 = arith.truncf %x : f64 to bf16
  return %0 : bf16
}

// CHECK-LABEL: func @of_integers
// CHECK: arith.sitofp %{{.*}} : i8 to f32
// CHECK: arith.uitofp %{{.*}} : i32 to f64
// CHECK: arith.sitofp %{{.*}} : i64 to f64
func.func @of_integers(%x: i8, %y: i32, %z: i64) -> (bf16, bf16, bf16) {
  %0 = arith.sitofp %x : i8 to bf16
  %1 = arith.uitofp %y : i32 to bf16
  %2 = arith.sitofp %z : i64 to bf16
  return %0, %1, %2 : bf16, bf16, bf16
}

// CHECK-LABEL: func @computed
// CHECK-SAME: %[[X:.*]]: vector<8xbf16>, %[[Y:.*]]: vector<8xbf16>
// CHECK-DAG: %[[WX:.*]] = arith.extf %[[X]] : vector<8xbf16> to vector<8xf32>
// CHECK-DAG: %[[WY:.*]] = arith.extf %[[Y]] : vector<8xbf16> to vector<8xf32>
// CHECK: math.fma %[[WX]], %[[WY]], %[[WX]] : vector<8xf32>
// CHECK: arith.cmpf olt, %[[WX]], %[[WY]] : vector<8xf32>
// CHECK: arith.fptosi %[[WX]] : vector<8xf32> to vector<8xi32>
func.func @computed(%x: vector<8xbf16>, %y: vector<8xbf16>) -> (vector<8xbf16>, vector<8xi1>, vector<8xi32>) {
  %0 = math.fma %x, %y, %x : vector<8xbf16>
  %1 = arith.cmpf olt, %x, %y : vector<8xbf16>
  %2 = arith.fptosi %x : vector<8xbf16> to vector<8xi32>
  return %0, %1, %2 : vector<8xbf16>, vector<8xi1>, vector<8xi32>
}

// CHECK-LABEL: func @moved
// CHECK-NEXT: arith.select
// CHECK-NEXT: arith.extf
// CHECK-NEXT: return
func.func @moved(%c: i1, %x: bf16, %y: bf16) -> f64 {
  %0 = arith.select %c, %x, %y : bf16
  %1 = arith.extf %0 : bf16 to f64
  return %1 : f64
}

// What is one of the operands, or has fewer digits, is not rounded.
// CHECK-LABEL: func @exact
// CHECK: %[[MOST:.*]] = arith.maximumf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: %[[BITS:.*]] = arith.bitcast %[[MOST]] : f32 to i32
// CHECK-NEXT: %[[UPPER:.*]] = arith.shrui %[[BITS]], %{{.*}} : i32
// CHECK-NEXT: %[[HALF:.*]] = arith.trunci %[[UPPER]] : i32 to i16
// CHECK-NEXT: arith.bitcast %[[HALF]] : i16 to bf16
func.func @exact(%x: bf16, %y: bf16) -> bf16 {
  %0 = arith.maximumf %x, %y : bf16
  return %0 : bf16
}
