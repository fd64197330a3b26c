// RUN: wax-opt %s --wax-resolve-dims --wax-lower --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func @division_is_guarded
// CHECK: ^bb0(%[[X:.*]]: i32, %[[Y:.*]]: i32, %{{.*}}: i32):
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[Y]], %c0_i32
// CHECK: %[[MIN:.*]] = arith.cmpi eq, %[[X]], %c-2147483648_i32
// CHECK: %[[MINUS:.*]] = arith.cmpi eq, %[[Y]], %c-1_i32
// CHECK: %[[OVER:.*]] = arith.andi %[[MIN]], %[[MINUS]]
// CHECK: %[[UNSAFE:.*]] = arith.ori %[[ZERO]], %[[OVER]]
// CHECK: %[[SAFE:.*]] = arith.select %[[UNSAFE]], %c1_i32, %[[Y]]
// CHECK: %[[Q:.*]] = arith.divsi %[[X]], %[[SAFE]]
// CHECK: arith.select %[[ZERO]], %c0_i32, %[[Q]]
func.func @division_is_guarded(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = wax.broadcast arith.divsi(%x[0], %y[0]) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func @a_constant_divisor_needs_no_guard
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.divsi %{{.*}}, %c3_i32
// CHECK-NEXT: linalg.yield
func.func @a_constant_divisor_needs_no_guard(%x: tensor<4xi32>) -> tensor<4xi32> {
  %three = wax.constant dense<3> : tensor<i32>
  %0 = wax.broadcast arith.divsi(%x[0], %three[]) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func @a_constant_count_needs_no_guard
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.shli %{{.*}}, %c3_i32
// CHECK-NEXT: linalg.yield
func.func @a_constant_count_needs_no_guard(%x: tensor<4xi32>) -> tensor<4xi32> {
  %three = wax.constant dense<3> : tensor<i32>
  %0 = wax.broadcast arith.shli(%x[0], %three[]) : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func @an_arithmetic_shift_keeps_the_sign
// CHECK: %[[COUNT:.*]] = arith.minui %{{.*}}, %c31_i32
// CHECK: arith.shrsi %{{.*}}, %[[COUNT]]
func.func @an_arithmetic_shift_keeps_the_sign(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = wax.broadcast arith.shrsi(%x[0], %y[0]) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func @a_conversion_saturates_and_takes_nan_for_0
// CHECK-DAG: %[[HIGH:.*]] = arith.constant 1.280000e+02 : f32
// CHECK-DAG: %[[LOW:.*]] = arith.constant -1.280000e+02 : f32
// CHECK: %[[X:.*]] = arith.extf %{{.*}} : f16 to f32
// CHECK-DAG: arith.cmpf oge, %[[X]], %[[LOW]]
// CHECK-DAG: arith.cmpf oge, %[[X]], %[[HIGH]]
// CHECK: %[[SAFE:.*]] = arith.select %{{.*}}, %[[X]]
// CHECK: %[[I:.*]] = arith.fptosi %[[SAFE]] : f32 to i8
// CHECK: %[[J:.*]] = arith.select %{{.*}}, %c127_i8, %[[I]]
// CHECK: arith.select %{{.*}}, %c-128_i8, %[[J]]
func.func @a_conversion_saturates_and_takes_nan_for_0(%x: tensor<4xf16>) -> tensor<4xi8> {
  %0 = wax.map arith.fptosi(%x) : (tensor<4xf16>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

// CHECK-LABEL: func @division_of_bits_is_their_conjunction
// CHECK: arith.andi
// CHECK-NOT: arith.div
func.func @division_of_bits_is_their_conjunction(%x: tensor<4xi1>, %y: tensor<4xi1>) -> tensor<4xi1> {
  %0 = wax.broadcast arith.divui(%x[0], %y[0]) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  return %0 : tensor<4xi1>
}

// -----

// CHECK-LABEL: func @zero_to_a_negative_power_is_guarded
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[X:.*]], %c0_i32
// CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %[[Y:.*]], %c0_i32
// CHECK: %[[DIVIDES:.*]] = arith.andi %[[ZERO]], %[[NEGATIVE]]
// CHECK: %[[SAFE:.*]] = arith.select %[[DIVIDES]], %c1_i32, %[[X]]
// CHECK: %[[P:.*]] = math.ipowi %[[SAFE]], %[[Y]]
// CHECK: arith.select %[[DIVIDES]], %c0_i32, %[[P]]
func.func @zero_to_a_negative_power_is_guarded(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = wax.broadcast math.ipowi(%x[0], %y[0]) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func @bounds_in_the_wrong_order_clamp_to_the_upper
// CHECK: %[[RAISED:.*]] = arith.maximumf %{{.*}}, %[[LOW:.*]] : f32
// CHECK: arith.minimumf %[[RAISED]], %{{.*}} : f32
// CHECK-NOT: math.clampf
func.func @bounds_in_the_wrong_order_clamp_to_the_upper(%x: tensor<4xf32>, %low: tensor<4xf32>, %high: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.broadcast math.clampf(%x[0], %low[0], %high[0]) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
