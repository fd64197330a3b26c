// RUN: wax-opt %s --wax-scale-by-exponents=processor=avx512 --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-scale-by-exponents=processor=avxvnni --split-input-file | FileCheck %s --check-prefix=PLAIN

// As eˣ ends: the exponent is a number that an integer was made of.
// CHECK-LABEL: func @raised
// CHECK-SAME: %[[F:.*]]: vector<16xf32>, %[[K:.*]]: vector<16xf32>
// CHECK: %[[SUM:.*]] = arith.addf %[[F]], %{{.*}} : vector<16xf32>
// CHECK: %[[MADE:.*]] = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%[[SUM]], %[[K]], %[[SUM]], %c-1_i16, %c4_i32)
// CHECK: return %[[MADE]]
// PLAIN-LABEL: func @raised
// PLAIN-NOT: llvm
// PLAIN: return
func.func @raised(%f: vector<16xf32>, %k: vector<16xf32>) -> vector<16xf32> {
  %one = arith.constant dense<1> : vector<16xi32>
  %bias = arith.constant dense<127> : vector<16xi32>
  %bits = arith.constant dense<23> : vector<16xi32>
  %0 = arith.fptosi %k : vector<16xf32> to vector<16xi32>
  %1 = arith.shrsi %0, %one : vector<16xi32>
  %2 = arith.addi %1, %bias : vector<16xi32>
  %3 = arith.shli %2, %bits : vector<16xi32>
  %4 = arith.bitcast %3 : vector<16xi32> to vector<16xf32>
  %5 = arith.subi %0, %1 : vector<16xi32>
  %6 = arith.addi %5, %bias : vector<16xi32>
  %7 = arith.shli %6, %bits : vector<16xi32>
  %8 = arith.bitcast %7 : vector<16xi32> to vector<16xf32>
  %9 = math.fma %f, %4, %4 : vector<16xf32>
  %10 = arith.mulf %9, %8 : vector<16xf32>
  return %10 : vector<16xf32>
}

// -----

// Two registers, factors in another order, an exponent that was an integer.
// CHECK-LABEL: func @scaled
// CHECK-SAME: %[[X:.*]]: vector<16xf64>, %[[I:.*]]: vector<16xi64>
// CHECK: %[[K:.*]] = arith.sitofp %[[I]]
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.pd.512"
// CHECK: vector.shuffle
func.func @scaled(%x: vector<16xf64>, %k: vector<16xi64>) -> vector<16xf64> {
  %one = arith.constant dense<1> : vector<16xi64>
  %bias = arith.constant dense<1023> : vector<16xi64>
  %bits = arith.constant dense<52> : vector<16xi64>
  %1 = arith.shrsi %k, %one : vector<16xi64>
  %2 = arith.addi %1, %bias : vector<16xi64>
  %3 = arith.shli %2, %bits : vector<16xi64>
  %4 = arith.bitcast %3 : vector<16xi64> to vector<16xf64>
  %5 = arith.subi %k, %1 : vector<16xi64>
  %6 = arith.addi %5, %bias : vector<16xi64>
  %7 = arith.shli %6, %bits : vector<16xi64>
  %8 = arith.bitcast %7 : vector<16xi64> to vector<16xf64>
  %9 = arith.mulf %4, %x : vector<16xf64>
  %10 = arith.mulf %8, %9 : vector<16xf64>
  return %10 : vector<16xf64>
}

// -----

// Another bias, a vector of half a register, and a power that is not the rest.
// CHECK-LABEL: func @others
// CHECK-NOT: llvm
// CHECK: return
func.func @others(%x: vector<16xf32>, %y: vector<8xf32>, %k: vector<16xi32>, %l: vector<8xi32>) -> (vector<16xf32>, vector<8xf32>, vector<16xf32>) {
  %one = arith.constant dense<1> : vector<16xi32>
  %other = arith.constant dense<126> : vector<16xi32>
  %bias = arith.constant dense<127> : vector<16xi32>
  %bits = arith.constant dense<23> : vector<16xi32>
  %0 = arith.shrsi %k, %one : vector<16xi32>
  %1 = arith.addi %0, %bias : vector<16xi32>
  %2 = arith.shli %1, %bits : vector<16xi32>
  %3 = arith.bitcast %2 : vector<16xi32> to vector<16xf32>
  %4 = arith.mulf %x, %3 : vector<16xf32>
  %5 = arith.subi %k, %0 : vector<16xi32>
  %6 = arith.addi %5, %other : vector<16xi32>
  %7 = arith.shli %6, %bits : vector<16xi32>
  %8 = arith.bitcast %7 : vector<16xi32> to vector<16xf32>
  %9 = arith.mulf %4, %8 : vector<16xf32>
  %10 = arith.mulf %4, %3 : vector<16xf32>
  %one8 = arith.constant dense<1> : vector<8xi32>
  %bias8 = arith.constant dense<127> : vector<8xi32>
  %bits8 = arith.constant dense<23> : vector<8xi32>
  %11 = arith.shrsi %l, %one8 : vector<8xi32>
  %12 = arith.addi %11, %bias8 : vector<8xi32>
  %13 = arith.shli %12, %bits8 : vector<8xi32>
  %14 = arith.bitcast %13 : vector<8xi32> to vector<8xf32>
  %15 = arith.subi %l, %11 : vector<8xi32>
  %16 = arith.addi %15, %bias8 : vector<8xi32>
  %17 = arith.shli %16, %bits8 : vector<8xi32>
  %18 = arith.bitcast %17 : vector<8xi32> to vector<8xf32>
  %19 = arith.mulf %y, %14 : vector<8xf32>
  %20 = arith.mulf %19, %18 : vector<8xf32>
  return %9, %20, %10 : vector<16xf32>, vector<8xf32>, vector<16xf32>
}
