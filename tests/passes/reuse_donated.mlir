// RUN: wax-opt %s --wax-reuse-donated --split-input-file | FileCheck %s

#map = affine_map<(d0) -> (d0)>

// CHECK-LABEL: func.func @moved
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32> {iree.abi.consume, wax.donated}
// CHECK: %[[ZERO:.*]] = arith.constant 0
// CHECK: %[[HIDDEN:.*]] = "util.optimization_barrier"(%[[ZERO]])
// CHECK: %[[MADE:.*]] = linalg.generic
// CHECK: %[[SIZE:.*]] = arith.addi %[[HIDDEN]], %{{.*}} : index
// CHECK: %[[UPDATE:.*]] = "flow.tensor.reshape"(%[[MADE]], %[[SIZE]]) {{.*}} : (tensor<4xf32>, index) -> tensor<?xf32>
// CHECK: %[[RESULT:.*]] = "flow.tensor.update"(%[[X]], %[[ZERO]], %[[UPDATE]], %[[SIZE]])
// CHECK: return %[[RESULT]]
func.func @moved(%x: tensor<4xf32> {wax.donated}) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %2 = arith.addf %in, %in : f32
    linalg.yield %2 : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

#map = affine_map<(d0) -> (d0)>

// Each result is written over the argument that it is computed from, if it can be.
// CHECK-LABEL: func.func @by_another
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32> {iree.abi.consume, wax.donated}
// CHECK: linalg.exp
// CHECK: %[[MADE:.*]] = linalg.negf ins(%[[X]]
// CHECK: %[[UPDATE:.*]] = "flow.tensor.reshape"(%[[MADE]]
// CHECK: "flow.tensor.update"(%[[X]], %{{.*}}, %[[UPDATE]]
func.func @by_another(%x: tensor<4xf32> {wax.donated}, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.sqrt ins(%y : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.exp ins(%1 : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %3 = linalg.negf ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// IREE writes a result where it is made, before what else reads the argument.
// CHECK-LABEL: func.func @read_by_others
// CHECK-NOT: iree.abi.consume
// CHECK-NOT: flow.tensor.update
func.func @read_by_others(%x: tensor<4xf32> {wax.donated}, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.sqrt ins(%y : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.empty() : tensor<f32>
  %3 = linalg.reduce ins(%x : tensor<4xf32>) outs(%2 : tensor<f32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %4 = arith.addf %a, %b : f32
      linalg.yield %4 : f32
    }
  return %1, %3 : tensor<4xf32>, tensor<f32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @read_elsewhere
// CHECK-NOT: iree.abi.consume
// CHECK-NOT: flow.tensor.update
func.func @read_elsewhere(%x: tensor<4x4xf32> {wax.donated}) -> tensor<4x4xf32> {
  %0 = tensor.empty() : tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#map, #turned, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%0 : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %2 = arith.addf %a, %b : f32
    linalg.yield %2 : f32
  } -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// What is summed up would lie in the argument that is to be read after it.
// CHECK-LABEL: func.func @summed
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32> {iree.abi.consume, wax.donated}
// CHECK: %[[SUM:.*]] = linalg.reduce
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[SUM]])
// CHECK: linalg.add ins(%[[X]], %[[APART]] :
// CHECK: "flow.tensor.update"(%[[X]]
func.func @summed(%x: tensor<4xf32> {wax.donated}, %y: tensor<9x4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.reduce ins(%y : tensor<9x4xf32>) outs(%1 : tensor<4xf32>) dimensions = [0]
    (%a: f32, %b: f32) {
      %4 = arith.addf %a, %b : f32
      linalg.yield %4 : f32
    }
  %3 = linalg.add ins(%x, %2 : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// Each result once, and each argument.
// CHECK-LABEL: func.func @several
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32> {iree.abi.consume, wax.donated}
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<2xf32> {wax.donated}
// CHECK-SAME: %[[Z:[a-z0-9]+]]: tensor<4xf32> {iree.abi.consume, wax.donated}
// CHECK: %[[A:.*]] = linalg.sqrt ins(%[[Z]]
// CHECK: %[[C:.*]] = "flow.tensor.reshape"(%[[A]]
// CHECK: "flow.tensor.update"(%[[Z]], %{{.*}}, %[[C]]
// CHECK: %[[B:.*]] = linalg.sqrt ins(%[[X]]
// CHECK: %[[D:.*]] = "flow.tensor.reshape"(%[[B]]
// CHECK: "flow.tensor.update"(%[[X]], %{{.*}}, %[[D]]
func.func @several(%x: tensor<4xf32> {wax.donated}, %y: tensor<2xf32> {wax.donated}, %z: tensor<4xf32> {wax.donated})
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.sqrt ins(%z : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %2 = linalg.sqrt ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @kept
// CHECK-NOT: flow.tensor
func.func @kept(%x: tensor<4xf32> {wax.donated}, %scalar: tensor<f32> {wax.donated}, %sized: tensor<?xf32> {wax.donated},
                %other: tensor<3xf32>, %i: index, %f: f32)
    -> (tensor<4xf32>, tensor<f32>, tensor<?xf32>, tensor<3xf32>) {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = tensor.insert %f into %x[%i] : tensor<4xf32>
  %2 = linalg.sqrt ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  %3 = tensor.empty() : tensor<f32>
  %4 = linalg.sqrt ins(%scalar : tensor<f32>) outs(%3 : tensor<f32>) -> tensor<f32>
  %5 = linalg.sqrt ins(%sized : tensor<?xf32>) outs(%sized : tensor<?xf32>) -> tensor<?xf32>
  %6 = tensor.empty() : tensor<3xf32>
  %7 = linalg.sqrt ins(%other : tensor<3xf32>) outs(%6 : tensor<3xf32>) -> tensor<3xf32>
  return %2, %4, %5, %7 : tensor<4xf32>, tensor<f32>, tensor<?xf32>, tensor<3xf32>
}

// -----

#map = affine_map<(d0, d1) -> (d0, d1)>

// A table whose rows a dispatch reads, before some of them are added to.
// CHECK-LABEL: func.func @scattered
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<9x4xf32> {iree.abi.consume, wax.donated}
// CHECK-NOT: flow.tensor
// CHECK: "iree_linalg_ext.scatter"
func.func @scattered(%table: tensor<9x4xf32> {wax.donated}, %at: tensor<2xi64>, %mask: tensor<2xi1>) -> tensor<9x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %0 = tensor.empty() : tensor<2x4xf32>
    %1 = vector.transfer_read %table[%c0, %c0], %zero {in_bounds = [true]} : tensor<9x4xf32>, vector<4xf32>
    %2 = vector.transfer_write %1, %0[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, tensor<2x4xf32>
    "flow.return"(%2) : (tensor<2x4xf32>) -> ()
  }, {
  }) : () -> tensor<2x4xf32>
  %made = "iree_linalg_ext.scatter"(%rows, %at, %mask, %table) <{dimension_map = array<i64: 0>, unique_indices = false}> ({
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    "iree_linalg_ext.yield"(%sum) : (f32) -> ()
  }) : (tensor<2x4xf32>, tensor<2xi64>, tensor<2xi1>, tensor<9x4xf32>) -> tensor<9x4xf32>
  return %made : tensor<9x4xf32>
}

// -----

// Two of them need a table each.
// CHECK-LABEL: func.func @scattered_twice
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<9x4xf32> {wax.donated}
func.func @scattered_twice(%table: tensor<9x4xf32> {wax.donated}, %rows: tensor<2x4xf32>, %at: tensor<2xi64>, %mask: tensor<2xi1>)
    -> (tensor<9x4xf32>, tensor<9x4xf32>) {
  %0 = "iree_linalg_ext.scatter"(%rows, %at, %mask, %table) <{dimension_map = array<i64: 0>, unique_indices = false}> ({
  ^bb0(%a: f32, %b: f32):
    %sum = arith.addf %a, %b : f32
    "iree_linalg_ext.yield"(%sum) : (f32) -> ()
  }) : (tensor<2x4xf32>, tensor<2xi64>, tensor<2xi1>, tensor<9x4xf32>) -> tensor<9x4xf32>
  %1 = "iree_linalg_ext.scatter"(%rows, %at, %mask, %table) <{dimension_map = array<i64: 0>, unique_indices = false}> ({
  ^bb0(%a: f32, %b: f32):
    "iree_linalg_ext.yield"(%a) : (f32) -> ()
  }) : (tensor<2x4xf32>, tensor<2xi64>, tensor<2xi1>, tensor<9x4xf32>) -> tensor<9x4xf32>
  return %0, %1 : tensor<9x4xf32>, tensor<9x4xf32>
}
