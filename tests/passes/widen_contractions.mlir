// RUN: wax-opt %s --wax-widen-contractions | FileCheck %s

#lhs = affine_map<(d0, d1, d2) -> (d0, d2)>
#rhs = affine_map<(d0, d1, d2) -> (d2, d1)>
#out = affine_map<(d0, d1, d2) -> (d0, d1)>

// CHECK-LABEL: func @matmul
// CHECK-SAME: %[[A:.*]]: tensor<?x4xbf16>, %[[B:.*]]: tensor<4x8xbf16>
// CHECK: %[[ROWS:.*]] = tensor.dim %[[A]]
// CHECK: %[[TO:.*]] = tensor.empty(%[[ROWS]]) : tensor<?x4xf32>
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[A]] : tensor<?x4xbf16>) outs(%[[TO]]
// CHECK: ^bb0(%[[X:.*]]: bf16, %{{.*}}: f32):
// CHECK: %[[BITS:.*]] = arith.bitcast %[[X]] : bf16 to i16
// CHECK: %[[LOW:.*]] = arith.extui %[[BITS]] : i16 to i32
// CHECK: %[[HIGH:.*]] = arith.shli %[[LOW]], %c16
// CHECK: %[[R:.*]] = arith.bitcast %[[HIGH]] : i32 to f32
// CHECK: linalg.yield %[[R]]
// CHECK: %[[WIDE_B:.*]] = linalg.generic {{.*}} ins(%[[B]] : tensor<4x8xbf16>)
// CHECK: linalg.generic {{.*}} ins(%[[WIDE]], %[[WIDE_B]] : tensor<?x4xf32>, tensor<4x8xf32>)
// CHECK: ^bb0(%[[P:.*]]: f32, %[[Q:.*]]: f32, %{{.*}}: f32):
// CHECK: arith.mulf %[[P]], %[[Q]]
func.func @matmul(%a: tensor<?x4xbf16>, %b: tensor<4x8xbf16>, %c: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<?x4xbf16>, tensor<4x8xbf16>) outs(%c : tensor<?x8xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %1 = arith.extf %x : bf16 to f32
    %2 = arith.extf %y : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %3, %z : f32
    linalg.yield %4 : f32
  } -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// Each element is read once.
// CHECK-LABEL: func @one_row
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x4xbf16>, tensor<4x8xbf16>)
func.func @one_row(%a: tensor<1x4xbf16>, %b: tensor<4x8xbf16>, %c: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<1x4xbf16>, tensor<4x8xbf16>) outs(%c : tensor<1x8xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %1 = arith.extf %x : bf16 to f32
    %2 = arith.extf %y : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %3, %z : f32
    linalg.yield %4 : f32
  } -> tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// f16 has instructions that read it as f32.
// CHECK-LABEL: func @halves
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x4xf16>, tensor<4x8xf16>)
func.func @halves(%a: tensor<8x4xf16>, %b: tensor<4x8xf16>, %c: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = linalg.generic {indexing_maps = [#lhs, #rhs, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<8x4xf16>, tensor<4x8xf16>) outs(%c : tensor<8x8xf32>) {
  ^bb0(%x: f16, %y: f16, %z: f32):
    %1 = arith.extf %x : f16 to f32
    %2 = arith.extf %y : f16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %3, %z : f32
    linalg.yield %4 : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
