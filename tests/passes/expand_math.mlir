// RUN: wax-opt %s --wax-expand-math | FileCheck %s
// RUN: wax-opt %s --wax-expand-math | FileCheck %s --check-prefix=GONE
// RUN: wax-opt %s --wax-expand-math=branches | FileCheck %s --check-prefix=BRANCH

// GONE-NOT: {{(math\.(exp|sin|sincos|powf|tanh|erfc) |arith\.remf)}}

// No branch and no call.

// CHECK-LABEL: func @exp
// CHECK-SAME: %[[X:.*]]: f32
// CHECK: %[[LOW:.*]] = arith.constant -1.050000e+02
// CHECK: arith.cmpf ogt, %[[LOW]], %[[X]]
// CHECK: %[[K:.*]] = math.floor
// CHECK: math.fma %[[K]],
// CHECK: arith.fptosi %[[K]] : f32 to i32
// CHECK-NOT: {{scf|cf|call}}
// CHECK: %[[E:.*]] = arith.mulf
// CHECK-NEXT: return %[[E]] : f32
func.func @exp(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// Great angles are for a branch. What is left of any is for one polynomial.
// BRANCH-LABEL: func @of_f64
// BRANCH-SAME: %[[X:.*]]: f64
// BRANCH: %[[MAGNITUDE:.*]] = math.absf %[[X]]
// BRANCH: arith.cmpf olt, %[[MAGNITUDE]]
// BRANCH: %[[SUM:.*]] = math.fma %[[MAGNITUDE]],
// BRANCH: arith.cmpf ogt, %[[SUM]],
// BRANCH: %[[WHOLE:.*]] = arith.select %{{.*}}, %[[SUM]],
// BRANCH: arith.subf %[[WHOLE]],
// BRANCH: arith.bitcast %[[WHOLE]] : f64 to i64
// BRANCH: %[[R:.*]]:2 = scf.if
// BRANCH: arith.muli
// BRANCH: } else {
// BRANCH-NEXT: scf.yield
// BRANCH-NEXT: } {rare}
// BRANCH-NOT: arith.{{muli|select}}
// BRANCH: return

// CHECK-LABEL: func @of_f64
// CHECK-SAME: %[[X:.*]]: f64
// CHECK-NOT: f32
// CHECK: arith.bitcast %{{.*}} : f64 to i64
// CHECK: arith.muli
// CHECK: return %{{.*}} : f64
func.func @of_f64(%x: f64) -> f64 {
  %0 = math.sin %x : f64
  return %0 : f64
}

// CHECK-LABEL: func @of_bf16
// CHECK-SAME: %[[X:.*]]: bf16, %[[Y:.*]]: bf16
// CHECK: %[[WX:.*]] = arith.extf %[[X]] : bf16 to f32
// CHECK: %[[WY:.*]] = arith.extf %[[Y]] : bf16 to f32
// CHECK-NOT: bf16
// CHECK: %[[R:.*]] = arith.truncf %{{.*}} : f32 to bf16
// CHECK-NEXT: return %[[R]] : bf16
func.func @of_bf16(%x: bf16, %y: bf16) -> bf16 {
  %0 = math.powf %x, %y : bf16
  return %0 : bf16
}

// CHECK-LABEL: func @of_two_results
// CHECK: return %[[S:.*]], %[[C:.*]] : f32, f32
func.func @of_two_results(%x: f32) -> (f32, f32) {
  %0, %1 = math.sincos %x : f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func @remainder
// CHECK-NOT: scf
// CHECK: return %{{.*}} : f64
func.func @remainder(%x: f64, %y: f64) -> f64 {
  %0 = arith.remf %x, %y : f64
  return %0 : f64
}

// CHECK-LABEL: func @in_a_kernel
// CHECK: linalg.generic
// CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[MAGNITUDE:.*]] = math.absf %[[X]]
// CHECK: arith.cmpf oge, %[[MAGNITUDE]]
// CHECK: linalg.yield
func.func @in_a_kernel(%x: tensor<?xf32>, %out: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<?xf32>) outs(%out : tensor<?xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = math.tanh %a : f32
    linalg.yield %1 : f32
  } -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Functions of vectors and of what is not a float of the four formats stay.

// CHECK-LABEL: func @stays
// CHECK: math.sqrt %{{.*}} : f64
// CHECK: math.log1p %{{.*}} : vector<4xf32>
// CHECK: math.log1p %{{.*}} : f80
func.func @stays(%x: f64, %y: vector<4xf32>, %z: f80) -> (f64, vector<4xf32>, f80) {
  %0 = math.sqrt %x : f64
  %1 = math.log1p %y : vector<4xf32>
  %2 = math.log1p %z : f80
  return %0, %1, %2 : f64, vector<4xf32>, f80
}

// CHECK-LABEL: func @erfc_of_f16
// CHECK: arith.extf %{{.*}} : f16 to f32
// CHECK: return %{{.*}} : f16
func.func @erfc_of_f16(%x: f16) -> f16 {
  %0 = math.erfc %x : f16
  return %0 : f16
}
