// RUN: wax-opt %s --split-input-file --wax-prepare-captured=captured=2 | FileCheck %s

// What is made of captured arguments alone is made once; what is a view of one stays, and so does what a call brings.
// CHECK-LABEL: func.func @main$prepare(
// CHECK-SAME:    %[[W:.*]]: tensor<80x40xf32>, %[[B:.*]]: tensor<40xf32>) -> tensor<40x80xf32> {
// CHECK:         %[[TURNED:.*]] = linalg.transpose ins(%[[W]] : tensor<80x40xf32>)
// CHECK:         return %[[TURNED]] : tensor<40x80xf32>
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<40x80xf32> {wax.name = "x"}, %[[B:.*]]: tensor<40xf32> {wax.name = "b"}, %[[MADE:.*]]: tensor<40x80xf32> {wax.name = "prepared0"})
// CHECK-SAME:    attributes {wax.kept = array<i64: 1>}
// CHECK:         %[[VIEW:.*]] = tensor.expand_shape %[[B]]
// CHECK:         linalg.add ins(%[[X]], %[[MADE]] :
// CHECK:         return %{{.*}}, %[[VIEW]]
func.func @main(%x: tensor<40x80xf32> {wax.name = "x"}, %w: tensor<80x40xf32> {wax.name = "w"}, %b: tensor<40xf32> {wax.name = "b"})
    -> (tensor<40x80xf32>, tensor<40x1xf32>) {
  %0 = tensor.empty() : tensor<40x80xf32>
  %turned = linalg.transpose ins(%w : tensor<80x40xf32>) outs(%0 : tensor<40x80xf32>) permutation = [1, 0]
  %view = tensor.expand_shape %b [[0, 1]] output_shape [40, 1] : tensor<40xf32> into tensor<40x1xf32>
  %1 = linalg.add ins(%x, %turned : tensor<40x80xf32>, tensor<40x80xf32>) outs(%0 : tensor<40x80xf32>) -> tensor<40x80xf32>
  return %1, %view : tensor<40x80xf32>, tensor<40x1xf32>
}

// -----

// What would take much more memory than what it is made of is made at each call, of what does not.
// CHECK-LABEL: func.func @main$prepare(
// CHECK-SAME:    %{{.*}}: tensor<2000xf32>, %{{.*}}: tensor<2000xf32>) -> tensor<2000xf32> {
// CHECK:         linalg.mul
// CHECK-NOT:     linalg.broadcast
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %{{.*}}: tensor<2000x2000xf32>, %[[MADE:.*]]: tensor<2000xf32> {wax.name = "prepared0"})
// CHECK-SAME:    attributes {wax.kept = array<i64>}
// CHECK:         linalg.broadcast ins(%[[MADE]] : tensor<2000xf32>)
func.func @main(%x: tensor<2000x2000xf32>, %a: tensor<2000xf32>, %b: tensor<2000xf32>) -> tensor<2000x2000xf32> {
  %0 = tensor.empty() : tensor<2000xf32>
  %1 = linalg.mul ins(%a, %b : tensor<2000xf32>, tensor<2000xf32>) outs(%0 : tensor<2000xf32>) -> tensor<2000xf32>
  %2 = tensor.empty() : tensor<2000x2000xf32>
  %3 = linalg.broadcast ins(%1 : tensor<2000xf32>) outs(%2 : tensor<2000x2000xf32>) dimensions = [0]
  %4 = linalg.add ins(%x, %3 : tensor<2000x2000xf32>, tensor<2000x2000xf32>) outs(%2 : tensor<2000x2000xf32>) -> tensor<2000x2000xf32>
  return %4 : tensor<2000x2000xf32>
}

// -----

// Each turn of a loop would make it again.
// CHECK-LABEL: func.func @main$prepare(
// CHECK:         linalg.transpose
// CHECK-LABEL: func.func @main(
// CHECK-NOT:     linalg.transpose
// CHECK:         scf.for
// CHECK-NOT:     linalg.transpose
func.func @main(%x: tensor<40x40xf32>, %w: tensor<40x40xf32>, %b: tensor<4xf32>) -> tensor<40x40xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %0 = tensor.empty() : tensor<40x40xf32>
  %1 = scf.for %i = %c0 to %c9 step %c1 iter_args(%carried = %x) -> (tensor<40x40xf32>) {
    %turned = linalg.transpose ins(%w : tensor<40x40xf32>) outs(%0 : tensor<40x40xf32>) permutation = [1, 0]
    %next = linalg.add ins(%carried, %turned : tensor<40x40xf32>, tensor<40x40xf32>) outs(%0 : tensor<40x40xf32>) -> tensor<40x40xf32>
    scf.yield %next : tensor<40x40xf32>
  }
  return %1 : tensor<40x40xf32>
}

// -----

// Few elements are computed again, each within what reads them; but not what folds others, or sorts them.
// CHECK-LABEL: func.func @main$prepare(
// CHECK-NOT:     linalg.exp
// CHECK:         linalg.reduce
// CHECK-LABEL: func.func @main(
// CHECK:         linalg.exp
// CHECK-NOT:     linalg.reduce
func.func @main(%x: tensor<4xf32>, %a: tensor<4xf32>, %b: tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.exp ins(%a : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %2 = linalg.reduce {arith.addf} ins(%b : tensor<4x4xf32>) outs(%zero : tensor<4xf32>) dimensions = [1]
  %3 = linalg.add ins(%x, %1 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %4 = linalg.add ins(%x, %2 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %3, %4 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Nothing is: what checks something does so at each call, and what is known to be the same, but is captured from nobody,
// is a constant.
// CHECK-LABEL: func.func @main(
// CHECK-NOT:     wax.kept
// CHECK-NOT:     @main$prepare
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %n: tensor<index>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %1 = linalg.exp ins(%one : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %size = tensor.extract %n[] : tensor<index>
  %c4 = arith.constant 4 : index
  %fits = arith.cmpi ule, %size, %c4 : index
  cf.assert %fits, "too large"
  %2 = linalg.add ins(%x, %w : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %2, %1 : tensor<4xf32>, tensor<4xf32>
}
