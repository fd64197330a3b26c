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

// CHECK-LABEL: func @powers_are_products
// CHECK-COUNT-60: arith.muli
// CHECK-NOT: arith.muli
// CHECK: %[[NEGATIVE:.*]] = arith.cmpi slt, %{{.*}}, %c0_i32
// CHECK: arith.select %[[NEGATIVE]]
// CHECK-NOT: math.ipowi
func.func @powers_are_products(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %0 = wax.broadcast math.ipowi(%x[0], %y[0]) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func @a_known_power_is_as_many_products_as_it_needs
// CHECK: %[[X2:.*]] = arith.muli %[[X:.*]], %[[X]] : i32
// CHECK: %[[X4:.*]] = arith.muli %[[X2]], %[[X2]] : i32
// CHECK: %[[X6:.*]] = arith.muli %[[X2]], %[[X4]] : i32
// CHECK: linalg.yield %[[X6]]
func.func @a_known_power_is_as_many_products_as_it_needs(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = wax.map (%a = %x) : (tensor<4xi32>) -> tensor<4xi32> {
    %six = arith.constant 6 : i32
    %1 = math.ipowi %a, %six : i32
    wax.yield %1 : i32
  }
  return %0 : tensor<4xi32>
}

// -----

// CHECK-LABEL: func @kinds_of_numbers_are_compared_sizes
// CHECK: arith.cmpf uno, %[[X:.*]], %[[X]] : f32
// CHECK: %[[SIZE:.*]] = math.absf %[[X]] : f32
// CHECK: arith.cmpf oeq, %[[SIZE]], %{{.*}} : f32
// CHECK: arith.cmpf olt, %{{.*}}, %{{.*}} : f32
// CHECK: arith.cmpf oge, %{{.*}}, %{{.*}} : f32
// CHECK-NOT: math.is
func.func @kinds_of_numbers_are_compared_sizes(%x: tensor<4xf32>) -> tensor<4xi1> {
  %0 = wax.map (%a = %x) : (tensor<4xf32>) -> tensor<4xi1> {
    %1 = math.isnan %a : f32
    %2 = math.isinf %a : f32
    %3 = math.isfinite %a : f32
    %4 = math.isnormal %a : f32
    %5 = arith.ori %1, %2 : i1
    %6 = arith.xori %3, %4 : i1
    %7 = arith.ori %5, %6 : i1
    wax.yield %7 : i1
  }
  return %0 : tensor<4xi1>
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

// -----

// Where both are constants, upstream would fold 0 and 0 to NaN.
// CHECK-LABEL: func @angles_of_constants_are_guarded
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: %[[ANGLE:.*]] = math.atan2 %[[A:.*]], %[[A]] : f32
// CHECK: arith.addf %[[ANGLE]], %[[ZERO]] : f32
func.func @angles_of_constants_are_guarded(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %zero = arith.constant 0.0 : f32
    %1 = math.atan2 %zero, %zero : f32
    %2 = math.atan2 %a, %a : f32
    %3 = arith.addf %1, %2 : f32
    wax.yield %3 : f32
  }
  return %0 : tensor<4xf32>
}
