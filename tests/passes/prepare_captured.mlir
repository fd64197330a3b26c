// RUN: wax-opt %s --split-input-file --wax-prepare-captured=captured=2 | FileCheck %s

// What is made of captured arguments alone is made once; what is a view of one stays, and so does what a call brings.
// CHECK-LABEL: func.func @main$prepare(
// CHECK-SAME:    %[[W:.*]]: tensor<80x40xf32>, %[[B:.*]]: tensor<40xf32>) -> tensor<40x80xf32> {
// CHECK:         %[[TURNED:.*]] = linalg.transpose ins(%[[W]] : tensor<80x40xf32>)
// CHECK:         return %[[TURNED]] : tensor<40x80xf32>
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %[[X:.*]]: tensor<9x40xf32> {wax.name = "x"}, %[[B:.*]]: tensor<40xf32> {wax.name = "b"}, %[[MADE:.*]]: tensor<40x80xf32> {wax.name = "prepared0"})
// CHECK-SAME:    attributes {wax.kept = array<i64: 1>}
// CHECK:         %[[VIEW:.*]] = tensor.expand_shape %[[B]]
// CHECK:         linalg.matmul ins(%[[X]], %[[MADE]] :
// CHECK:         return %{{.*}}, %[[VIEW]]
func.func @main(%x: tensor<9x40xf32> {wax.name = "x"}, %w: tensor<80x40xf32> {wax.name = "w"}, %b: tensor<40xf32> {wax.name = "b"})
    -> (tensor<9x80xf32>, tensor<40x1xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<9x80xf32>
  %0 = tensor.empty() : tensor<40x80xf32>
  %turned = linalg.transpose ins(%w : tensor<80x40xf32>) outs(%0 : tensor<40x80xf32>) permutation = [1, 0]
  %view = tensor.expand_shape %b [[0, 1]] output_shape [40, 1] : tensor<40xf32> into tensor<40x1xf32>
  %1 = linalg.matmul ins(%x, %turned : tensor<9x40xf32>, tensor<40x80xf32>) outs(%zeros : tensor<9x80xf32>) -> tensor<9x80xf32>
  return %1, %view : tensor<9x80xf32>, tensor<40x1xf32>
}

// -----

#each = affine_map<(d0) -> (d0)>

// What would take much more memory than what it is made of is made at each call, of what does not.
// CHECK-LABEL: func.func @main$prepare(
// CHECK-SAME:    %{{.*}}: tensor<2000xf32>, %{{.*}}: tensor<2000xf32>) -> tensor<2000xf32> {
// CHECK:         math.exp
// CHECK-NOT:     linalg.broadcast
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    %{{.*}}: tensor<2000x2000xf32>, %[[MADE:.*]]: tensor<2000xf32> {wax.name = "prepared0"})
// CHECK-SAME:    attributes {wax.kept = array<i64>}
// CHECK:         linalg.broadcast ins(%[[MADE]] : tensor<2000xf32>)
func.func @main(%x: tensor<2000x2000xf32>, %a: tensor<2000xf32>, %b: tensor<2000xf32>) -> tensor<2000x2000xf32> {
  %0 = tensor.empty() : tensor<2000xf32>
  %1 = linalg.generic {indexing_maps = [#each, #each, #each], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<2000xf32>, tensor<2000xf32>) outs(%0 : tensor<2000xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %5 = arith.mulf %p, %q : f32
    %6 = math.exp %5 : f32
    linalg.yield %6 : f32
  } -> tensor<2000xf32>
  %2 = tensor.empty() : tensor<2000x2000xf32>
  %3 = linalg.broadcast ins(%1 : tensor<2000xf32>) outs(%2 : tensor<2000x2000xf32>) dimensions = [0]
  %4 = linalg.add ins(%x, %3 : tensor<2000x2000xf32>, tensor<2000x2000xf32>) outs(%2 : tensor<2000x2000xf32>) -> tensor<2000x2000xf32>
  return %4 : tensor<2000x2000xf32>
}

// -----

#each = affine_map<(d0) -> (d0)>

// Nor is what takes as long to read as to make where it is read, or has few elements; but narrower ones, and folds, are.
// CHECK-LABEL: func.func @main$prepare(
// CHECK-SAME:    -> (tensor<4000xf16>, tensor<4xf32>)
// CHECK-NOT:     math.exp
// CHECK:         arith.truncf
// CHECK:         linalg.reduce
// CHECK-LABEL: func.func @main(
// CHECK:         arith.negf
// CHECK-NOT:     arith.truncf
// CHECK:         math.exp
// CHECK-NOT:     linalg.reduce
func.func @main(%x: tensor<4xf32>, %a: tensor<4000xf32>, %b: tensor<4x4xf32>)
    -> (tensor<4000xf32>, tensor<4000xf16>, tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %0 = tensor.empty() : tensor<4000xf32>
  %negated = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
      ins(%a : tensor<4000xf32>) outs(%0 : tensor<4000xf32>) {
  ^bb0(%p: f32, %out: f32):
    %10 = arith.negf %p : f32
    linalg.yield %10 : f32
  } -> tensor<4000xf32>
  %i = arith.constant 0 : index
  %1 = tensor.extract %x[%i] : tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
      ins(%negated : tensor<4000xf32>) outs(%0 : tensor<4000xf32>) {
  ^bb0(%p: f32, %out: f32):
    %10 = arith.mulf %p, %1 : f32
    linalg.yield %10 : f32
  } -> tensor<4000xf32>
  %3 = tensor.empty() : tensor<4000xf16>
  %short = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
      ins(%a : tensor<4000xf32>) outs(%3 : tensor<4000xf16>) {
  ^bb0(%p: f32, %out: f16):
    %10 = arith.truncf %p : f32 to f16
    linalg.yield %10 : f16
  } -> tensor<4000xf16>
  %half = linalg.add ins(%short, %short : tensor<4000xf16>, tensor<4000xf16>) outs(%3 : tensor<4000xf16>) -> tensor<4000xf16>
  %sums = linalg.reduce {arith.addf} ins(%b : tensor<4x4xf32>) outs(%zero : tensor<4xf32>) dimensions = [1]
  %4 = tensor.empty() : tensor<4xf32>
  %row = tensor.extract_slice %b[1, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<4xf32>
  %few = linalg.generic {indexing_maps = [#each, #each], iterator_types = ["parallel"]}
      ins(%row : tensor<4xf32>) outs(%4 : tensor<4xf32>) {
  ^bb0(%p: f32, %out: f32):
    %10 = math.exp %p : f32
    linalg.yield %10 : f32
  } -> tensor<4xf32>
  %5 = linalg.add ins(%x, %sums : tensor<4xf32>, tensor<4xf32>) outs(%4 : tensor<4xf32>) -> tensor<4xf32>
  %6 = linalg.add ins(%x, %few : tensor<4xf32>, tensor<4xf32>) outs(%4 : tensor<4xf32>) -> tensor<4xf32>
  return %2, %half, %5, %6 : tensor<4000xf32>, tensor<4000xf16>, tensor<4xf32>, tensor<4xf32>
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
    %next = linalg.matmul ins(%carried, %turned : tensor<40x40xf32>, tensor<40x40xf32>) outs(%carried : tensor<40x40xf32>) -> tensor<40x40xf32>
    scf.yield %next : tensor<40x40xf32>
  }
  return %1 : tensor<40x40xf32>
}

// -----

// Nothing is: what checks something does so at each call, and what is the same, but of no captured argument, is a
// constant.
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
