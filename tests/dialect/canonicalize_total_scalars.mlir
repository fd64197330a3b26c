// RUN: wax-opt %s --canonicalize --cse --split-input-file | FileCheck %s

// Folders of arith know nothing of the dialect's scalar semantics. They must
// give nothing, or the dialect's result, where upstream gives none.

// CHECK-LABEL: func.func @division_by_zero_is_not_folded
// CHECK: arith.divsi
// CHECK: arith.divui
// CHECK: arith.floordivsi
// CHECK: arith.ceildivsi
// CHECK: arith.ceildivui
// CHECK: arith.remsi
// CHECK: arith.remui
func.func @division_by_zero_is_not_folded() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %x = wax.constant dense<7> : tensor<2xi32>
  %z = wax.constant dense<0> : tensor<2xi32>
  %0 = wax.broadcast arith.divsi(%x[0], %z[0]) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = wax.broadcast arith.divui(%x[0], %z[0]) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %2 = wax.broadcast arith.floordivsi(%x[0], %z[0]) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %3 = wax.broadcast arith.ceildivsi(%x[0], %z[0]) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %4 = wax.broadcast arith.ceildivui(%x[0], %z[0]) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %5 = wax.broadcast arith.remsi(%x[0], %z[0]) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %6 = wax.broadcast arith.remui(%x[0], %z[0]) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

// 0 / x and x / x have the result 0 when x is 0.
// CHECK-LABEL: func.func @division_of_unknown_values_is_not_folded
// CHECK: arith.divsi
// CHECK: arith.divsi
func.func @division_of_unknown_values_is_not_folded(%x: tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %0 = wax.map (%a = %x) : (tensor<2xi32>) -> tensor<2xi32> {
    %q = arith.divsi %a, %a : i32
    wax.yield %q : i32
  }
  %1 = wax.map (%a = %x) : (tensor<2xi32>) -> tensor<2xi32> {
    %z = arith.constant 0 : i32
    %q = arith.divsi %a, %z : i32
    wax.yield %q : i32
  }
  return %0, %1 : tensor<2xi32>, tensor<2xi32>
}

// CHECK-LABEL: func.func @minimum_by_minus_one_is_not_folded_to_another_value
// CHECK-DAG: arith.divsi
// CHECK-DAG: arith.floordivsi
// CHECK-DAG: arith.ceildivsi
// CHECK-DAG: wax.constant dense<0> : tensor<2xi8>
func.func @minimum_by_minus_one_is_not_folded_to_another_value() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %x = wax.constant dense<-128> : tensor<2xi8>
  %m = wax.constant dense<-1> : tensor<2xi8>
  %0 = wax.broadcast arith.divsi(%x[0], %m[0]) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %1 = wax.broadcast arith.floordivsi(%x[0], %m[0]) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %2 = wax.broadcast arith.ceildivsi(%x[0], %m[0]) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %3 = wax.broadcast arith.remsi(%x[0], %m[0]) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  return %0, %1, %2, %3 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// CHECK-LABEL: func.func @oversized_shifts_are_not_folded
// CHECK: arith.shli
// CHECK: arith.shrui
// CHECK: arith.shrsi
func.func @oversized_shifts_are_not_folded() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %x = wax.constant dense<-3> : tensor<2xi8>
  %n = wax.constant dense<8> : tensor<2xi8>
  %0 = wax.broadcast arith.shli(%x[0], %n[0]) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %1 = wax.broadcast arith.shrui(%x[0], %n[0]) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %2 = wax.broadcast arith.shrsi(%x[0], %n[0]) : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  return %0, %1, %2 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// CHECK-LABEL: func.func @conversions_out_of_range_are_not_folded
// CHECK: arith.fptosi
// CHECK: arith.fptoui
// CHECK: arith.fptosi
func.func @conversions_out_of_range_are_not_folded() -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %x = wax.constant dense<1.0e9> : tensor<2xf32>
  %m = wax.constant dense<-1.0> : tensor<2xf32>
  %n = wax.constant dense<0x7FC00000> : tensor<2xf32>
  %0 = wax.map arith.fptosi(%x) : (tensor<2xf32>) -> tensor<2xi8>
  %1 = wax.map arith.fptoui(%m) : (tensor<2xf32>) -> tensor<2xi8>
  %2 = wax.map arith.fptosi(%n) : (tensor<2xf32>) -> tensor<2xi8>
  return %0, %1, %2 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}

// −0 + 0 is 0: adding 0 is not nothing, adding −0 is. NaN times 0 is NaN.
// CHECK-LABEL: func.func @floats
// CHECK-SAME: (%[[X:.*]]: tensor<2xf32>)
// CHECK-DAG: arith.addf
// CHECK-DAG: arith.mulf
// CHECK-DAG: arith.subf
// CHECK: return %{{.*}}, %[[X]], %{{.*}}, %{{.*}} :
func.func @floats(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = wax.map (%a = %x) : (tensor<2xf32>) -> tensor<2xf32> {
    %z = arith.constant 0.0 : f32
    %y = arith.addf %a, %z : f32
    wax.yield %y : f32
  }
  %1 = wax.map (%a = %x) : (tensor<2xf32>) -> tensor<2xf32> {
    %z = arith.constant -0.0 : f32
    %y = arith.addf %a, %z : f32
    wax.yield %y : f32
  }
  %2 = wax.map (%a = %x) : (tensor<2xf32>) -> tensor<2xf32> {
    %z = arith.constant 0.0 : f32
    %y = arith.mulf %a, %z : f32
    wax.yield %y : f32
  }
  %3 = wax.map (%a = %x) : (tensor<2xf32>) -> tensor<2xf32> {
    %y = arith.subf %a, %a : f32
    wax.yield %y : f32
  }
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// A NaN among the operands of maximumf is the result, and −0 is below 0; maxnumf
// gives the other operand.
// CHECK-LABEL: func.func @maxima_of_constants
// CHECK-DAG: %[[NAN:.*]] = wax.constant dense<0x7FC00000> : tensor<2xf32>
// CHECK-DAG: %[[ONE:.*]] = wax.constant dense<1.000000e+00> : tensor<2xf32>
// CHECK-DAG: %[[ZERO:.*]] = wax.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK-DAG: %[[MINUS:.*]] = wax.constant dense<-0.000000e+00> : tensor<2xf32>
// CHECK: return %[[NAN]], %[[ONE]], %[[ZERO]], %[[MINUS]] :
func.func @maxima_of_constants() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %n = wax.constant dense<0x7FC00000> : tensor<2xf32>
  %o = wax.constant dense<1.0> : tensor<2xf32>
  %z = wax.constant dense<0.0> : tensor<2xf32>
  %m = wax.constant dense<-0.0> : tensor<2xf32>
  %0 = wax.broadcast arith.maximumf(%o[0], %n[0]) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = wax.broadcast arith.maxnumf(%n[0], %o[0]) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = wax.broadcast arith.maximumf(%m[0], %z[0]) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = wax.broadcast arith.minimumf(%m[0], %z[0]) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @powers_of_zero_and_crossed_bounds_are_not_folded
// CHECK: math.ipowi
// CHECK: math.clampf
func.func @powers_of_zero_and_crossed_bounds_are_not_folded() -> (tensor<2xi32>, tensor<2xf32>) {
  %z = wax.constant dense<0> : tensor<2xi32>
  %m = wax.constant dense<-3> : tensor<2xi32>
  %low = wax.constant dense<2.0> : tensor<2xf32>
  %high = wax.constant dense<1.0> : tensor<2xf32>
  %0 = wax.broadcast math.ipowi(%z[0], %m[0]) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = wax.broadcast math.clampf(%low[0], %low[0], %high[0]) : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<2xi32>, tensor<2xf32>
}
