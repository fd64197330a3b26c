// RUN: wax-opt %s --wax-resolve-dims --wax-lower=target=iree --canonicalize --cse --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-resolve-dims --wax-lower="target=iree gpu=true" --split-input-file | FileCheck %s --check-prefix=GPU

// Four digits of eight bits, counted at once; the first walk reads what is given.
// CHECK-LABEL: func @integers
// CHECK: tensor.empty() : tensor<1024xi32>
// CHECK: %[[X:.*]] = tensor.extract %arg0
// CHECK: %[[BITS:.*]] = arith.xori %[[X]], %c-2147483648_i32
// CHECK: arith.andi %[[BITS]], %c255_i32
// CHECK: arith.shrui %[[BITS]], %c8_i32
// CHECK: arith.shrui %[[BITS]], %c16_i32
// CHECK: arith.shrui %[[BITS]], %c24_i32
// CHECK-NOT: scf.while
// CHECK: tensor.extract %arg0
// CHECK-NOT: tensor.extract %arg0
// CHECK-NOT: scf.while
// CHECK: return
// GPU-LABEL: func @integers
// GPU: scf.while
func.func @integers(%x: tensor<5x96xi32>) -> tensor<5x96xi32> {
  %0 = wax.sort (%a, %b = %x) along 1 : (tensor<5x96xi32>) -> tensor<5x96xi32> {
    %l = arith.cmpi slt, %a, %b : i32
    wax.yield %l : i1
  }
  return %0 : tensor<5x96xi32>
}

// -----

// Few are compared.
// CHECK-LABEL: func @few
// CHECK-NOT: tensor<1024xi32>
// CHECK: scf.while
func.func @few(%x: tensor<5x95xi32>) -> tensor<5x95xi32> {
  %0 = wax.sort (%a, %b = %x) along 1 : (tensor<5x95xi32>) -> tensor<5x95xi32> {
    %l = arith.cmpi slt, %a, %b : i32
    wax.yield %l : i1
  }
  return %0 : tensor<5x95xi32>
}

// -----

// What is not known to be many is looked at.
// CHECK-LABEL: func @open
// CHECK: arith.cmpi uge, %{{.*}}, %c96 : index
// CHECK: scf.if
// CHECK: tensor.empty() : tensor<1024xi64>
// CHECK: } else {
// CHECK: scf.while
func.func @open(%x: tensor<5x?xi32>) -> tensor<5x?xi32> {
  %0 = wax.sort (%a, %b = %x) along 1 : (tensor<5x?xi32>) -> tensor<5x?xi32> {
    %l = arith.cmpi slt, %a, %b : i32
    wax.yield %l : i1
  }
  return %0 : tensor<5x?xi32>
}

// -----

// The greatest first, by the second operand, whose NaN is the greatest, and whose zeros are equal.
// CHECK-LABEL: func @numbers
// CHECK: tensor.empty() : tensor<512xi32>
// CHECK: %[[X:.*]] = tensor.extract %arg1
// CHECK: %[[B:.*]] = arith.bitcast %[[X]] : bf16 to i16
// CHECK: %[[M:.*]] = arith.andi %[[B]], %c32767_i16
// CHECK: arith.cmpi eq, %[[M]], %c0_i16
// CHECK: arith.cmpi ugt, %[[M]], %c32640_i16
// CHECK: arith.xori %{{.*}}, %c-1_i16
// CHECK-NOT: scf.while
// CHECK: return
func.func @numbers(%n: tensor<300xi32>, %x: tensor<300xbf16>) -> (tensor<300xi32>, tensor<300xbf16>) {
  %0:2 = wax.sort (%c, %d = %n, %a, %b = %x) along 0
      : (tensor<300xi32>, tensor<300xbf16>) -> (tensor<300xi32>, tensor<300xbf16>) {
    %is = arith.cmpf ord, %b, %b : bf16
    %less = arith.cmpf ult, %b, %a : bf16
    %l = arith.andi %is, %less : i1
    wax.yield %l : i1
  }
  return %0#0, %0#1 : tensor<300xi32>, tensor<300xbf16>
}

// -----

// No order of numbers: NaN is less than none, and none less than it.
// CHECK-LABEL: func @ordered
// CHECK: scf.while
func.func @ordered(%x: tensor<300xf32>) -> tensor<300xf32> {
  %0 = wax.sort (%a, %b = %x) along 0 : (tensor<300xf32>) -> tensor<300xf32> {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0 : tensor<300xf32>
}

// -----

// The wrong one of both is to be a number.
// CHECK-LABEL: func @other_number
// CHECK: scf.while
func.func @other_number(%x: tensor<300xf32>) -> tensor<300xf32> {
  %0 = wax.sort (%a, %b = %x) along 0 : (tensor<300xf32>) -> tensor<300xf32> {
    %less = arith.cmpf ult, %a, %b : f32
    %is = arith.cmpf ord, %b, %b : f32
    %l = arith.andi %less, %is : i1
    wax.yield %l : i1
  }
  return %0 : tensor<300xf32>
}

// -----

// Not less, but no greater.
// CHECK-LABEL: func @no_greater
// CHECK: scf.while
func.func @no_greater(%x: tensor<300xi32>) -> tensor<300xi32> {
  %0 = wax.sort (%a, %b = %x) along 0 : (tensor<300xi32>) -> tensor<300xi32> {
    %l = arith.cmpi sle, %a, %b : i32
    wax.yield %l : i1
  }
  return %0 : tensor<300xi32>
}

// -----

// One operand's element is compared with another's.
// CHECK-LABEL: func @two_operands
// CHECK: scf.while
func.func @two_operands(%x: tensor<300xi32>, %y: tensor<300xi32>) -> (tensor<300xi32>, tensor<300xi32>) {
  %0:2 = wax.sort (%a, %b = %x, %c, %d = %y) along 0
      : (tensor<300xi32>, tensor<300xi32>) -> (tensor<300xi32>, tensor<300xi32>) {
    %l = arith.cmpi slt, %a, %d : i32
    wax.yield %l : i1
  }
  return %0#0, %0#1 : tensor<300xi32>, tensor<300xi32>
}

// -----

// What is made of a number has another order.
// CHECK-LABEL: func @by_the_rest
// CHECK: scf.while
func.func @by_the_rest(%x: tensor<300xi32>) -> tensor<300xi32> {
  %0 = wax.sort (%a, %b = %x) along 0 : (tensor<300xi32>) -> tensor<300xi32> {
    %k = arith.constant 3 : i32
    %r = arith.andi %a, %k : i32
    %s = arith.andi %b, %k : i32
    %l = arith.cmpi slt, %r, %s : i32
    wax.yield %l : i1
  }
  return %0 : tensor<300xi32>
}
