// RUN: wax-opt %s --wax-pad-rows | FileCheck %s

// A row is what stands before, what is copied, and what stands behind; those before and behind all rows are the number.
// CHECK-LABEL: func @around
// CHECK: "flow.dispatch.region"
// CHECK: %[[ROW:.*]] = arith.subi %{{.*}}, %c2
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[ROW]], %c100
// CHECK: scf.if %[[INSIDE]]
// CHECK: vector.transfer_write %{{.*}} : vector<1xf32>, tensor<?x104xf32>
// CHECK: vector.transfer_read %arg0[%[[ROW]], %{{.*}}]{{.*}} : tensor<100x100xf32>, vector<64xf32>
// CHECK: vector.transfer_write %{{.*}} : vector<2xf32>, tensor<?x104xf32>
// CHECK: } else {
// CHECK-NOT: transfer_read
// CHECK: vector.transfer_write %{{.*}} : vector<64xf32>, tensor<?x104xf32>
// CHECK-NOT: tensor.pad
func.func @around(%x: tensor<100x100xf32>) -> tensor<105x104xf32> {
  %number = arith.constant 1.0 : f32
  %0 = tensor.pad %x low[2, 1] high[3, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %number : f32
  } : tensor<100x100xf32> to tensor<105x104xf32>
  return %0 : tensor<105x104xf32>
}

// -----

// Elements of the last dim are of rows, of which there are those of both dims before.
// CHECK-LABEL: func @images
// CHECK: tensor.collapse_shape %arg0 {{\[\[}}0], [1], [2, 3]] : tensor<2x9x9x64xf32> into tensor<2x9x576xf32>
// CHECK: "flow.dispatch.region"
// CHECK: vector.transfer_write %{{.*}} : vector<64xf32>, tensor<?x704xf32>
// CHECK-NOT: tensor.pad
func.func @images(%x: tensor<2x9x9x64xf32>) -> tensor<2x11x11x64xf32> {
  %number = arith.constant 0.0 : f32
  %0 = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %number : f32
  } : tensor<2x9x9x64xf32> to tensor<2x11x11x64xf32>
  return %0 : tensor<2x11x11x64xf32>
}

// -----

// Few elements, booleans, one row, and what is not known beforehand stay.
// CHECK-LABEL: func @others
// CHECK-COUNT-4: tensor.pad
// CHECK-NOT: flow.dispatch.region
// CHECK: return
func.func @others(%a: tensor<20x20xf32>, %b: tensor<5000x3xi1>, %c: tensor<9000xf32>, %d: tensor<100x100xf32>, %low: index)
    -> (tensor<22x22xf32>, tensor<5000x4xi1>, tensor<9001xf32>, tensor<100x?xf32>) {
  %false = arith.constant false
  %number = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %number : f32
  } : tensor<20x20xf32> to tensor<22x22xf32>
  %1 = tensor.pad %b low[0, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %false : i1
  } : tensor<5000x3xi1> to tensor<5000x4xi1>
  %2 = tensor.pad %c low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %number : f32
  } : tensor<9000xf32> to tensor<9001xf32>
  %3 = tensor.pad %d low[0, %low] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %number : f32
  } : tensor<100x100xf32> to tensor<100x?xf32>
  return %0, %1, %2, %3 : tensor<22x22xf32>, tensor<5000x4xi1>, tensor<9001xf32>, tensor<100x?xf32>
}
