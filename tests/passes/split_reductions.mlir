// RUN: wax-opt %s --wax-split-reductions --split-input-file | FileCheck %s

#all = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
// A workgroup for each of 512 parts of a row, and one for these.
// CHECK-DAG: #[[$PARTS:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$EACH:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: @row
// CHECK-SAME: (%[[X:.*]]: tensor<1048576xf32>, %[[START:.*]]: tensor<f32>)
// CHECK-DAG: %[[ROWS:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0, 1]] output_shape [512, 2048]
// CHECK-DAG: %[[ZERO:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: %[[ZEROS:.*]] = linalg.fill ins(%[[ZERO]] : f32)
// CHECK: %[[P:.*]] = linalg.generic {indexing_maps = [#[[$PARTS]], #[[$EACH]]], iterator_types = ["parallel", "reduction"]}
// CHECK-SAME: ins(%[[ROWS]] : tensor<512x2048xf32>) outs(%[[ZEROS]] : tensor<512xf32>)
// CHECK: math.absf
// CHECK: arith.addf
// CHECK: %[[R:.*]] = linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[P]] : tensor<512xf32>) outs(%[[START]] : tensor<f32>)
// CHECK-NOT: math.absf
// CHECK: arith.addf
// CHECK: return %[[R]]
func.func @row(%x: tensor<1048576xf32>, %start: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]}
      ins(%x : tensor<1048576xf32>) outs(%start : tensor<f32>) {
  ^bb0(%in: f32, %s: f32):
    %a = math.absf %in : f32
    %t = arith.addf %a, %s : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

#x = affine_map<(c, r) -> (r, c)>
#c = affine_map<(c, r) -> (c)>
// Of columns each part has every so manieth row, and threads go on to read neighbours: 32 x 4096 columns of 128.
// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
// CHECK-DAG: #[[$C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: @columns
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %arg0 {{\[\[}}0, 1], [2]] output_shape [128, 32, 4096]
// CHECK: %[[P:.*]] = linalg.generic {indexing_maps = [#[[$X]], #[[$C]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%[[ROWS]] : tensor<128x32x4096xi32>) outs({{.*}} : tensor<32x4096xi32>)
// CHECK: arith.maxsi
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%[[P]] : tensor<32x4096xi32>) outs(%arg1 : tensor<4096xi32>)
// CHECK: arith.maxsi
func.func @columns(%x: tensor<4096x4096xi32>, %start: tensor<4096xi32>) -> tensor<4096xi32> {
  %0 = linalg.generic {indexing_maps = [#x, #c], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4096x4096xi32>) outs(%start : tensor<4096xi32>) {
  ^bb0(%in: i32, %s: i32):
    %t = arith.maxsi %s, %in : i32
    linalg.yield %t : i32
  } -> tensor<4096xi32>
  return %0 : tensor<4096xi32>
}

// -----

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#ab = affine_map<(i, j, k) -> (i, j)>
// Of a product with few tiles, what is summed up is cut: 24 tiles become 192.
// CHECK-LABEL: @product
// CHECK-DAG: %[[A:.*]] = tensor.expand_shape %arg0 {{\[\[}}0], [1, 2]] output_shape [128, 8, 384]
// CHECK-DAG: %[[B:.*]] = tensor.expand_shape %arg1 {{\[\[}}0, 1], [2]] output_shape [8, 384, 768]
// CHECK: %[[P:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[B]] : {{.*}}) outs({{.*}} : tensor<8x128x768xf32>)
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel", "parallel"]} ins(%[[P]]
func.func @product(%a: tensor<128x3072xf16>, %b: tensor<3072x768xf16>, %start: tensor<128x768xf32>) -> tensor<128x768xf32> {
  %0 = linalg.generic {indexing_maps = [#a, #b, #ab], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x3072xf16>, tensor<3072x768xf16>) outs(%start : tensor<128x768xf32>) {
  ^bb0(%p: f16, %q: f16, %s: f32):
    %x = arith.extf %p : f16 to f32
    %y = arith.extf %q : f16 to f32
    %m = arith.mulf %x, %y : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<128x768xf32>
  return %0 : tensor<128x768xf32>
}

// -----

#x = affine_map<(c, b, h, w) -> (b, c, h, w)>
#m = affine_map<(c, b, h, w) -> (c)>
#r = affine_map<(c, b, h, w) -> (c)>
// Of several loops the outermost is cut that has as many parts as half of the best; what lacks the loop is read as it is.
// CHECK-LABEL: @channels
// CHECK: tensor.expand_shape %arg0 {{\[\[}}0, 1], [2], [3], [4]] output_shape [8, 2, 64, 56, 56]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %arg1 : tensor<8x2x64x56x56xf32>, tensor<64xf32>) outs({{.*}} : tensor<8x64xf32>)
func.func @channels(%x: tensor<16x64x56x56xf32>, %mean: tensor<64xf32>, %start: tensor<64xf32>) -> tensor<64xf32> {
  %0 = linalg.generic {indexing_maps = [#x, #m, #r], iterator_types = ["parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %mean : tensor<16x64x56x56xf32>, tensor<64xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%in: f32, %mu: f32, %s: f32):
    %d = arith.subf %in, %mu : f32
    %t = arith.addf %d, %s : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

#x = affine_map<(i, j) -> (i, j)>
#r = affine_map<(i, j) -> (i)>
// Enough results, few elements, open sizes, sizes that nothing divides, none at all, differences, which have an order,
// and products of matrices with many tiles.
// CHECK-LABEL: @others
// CHECK-NOT: tensor.expand_shape
func.func @others(%many: tensor<512x8192xf32>, %few: tensor<4x4096xf32>, %open: tensor<?x8192xf32>, %prime: tensor<1x99991xf32>,
                  %empty: tensor<4x0xf32>, %x: tensor<2x65536xf32>, %m: tensor<512xf32>, %f: tensor<4xf32>,
                  %o: tensor<?xf32>, %p: tensor<1xf32>, %d: tensor<2xf32>, %a: tensor<1024x1024xf32>)
    -> (tensor<512xf32>, tensor<4xf32>, tensor<?xf32>, tensor<1xf32>, tensor<4xf32>, tensor<2xf32>, tensor<1024x1024xf32>) {
  %0 = linalg.generic {indexing_maps = [#x, #r], iterator_types = ["parallel", "reduction"]}
      ins(%many : tensor<512x8192xf32>) outs(%m : tensor<512xf32>) {
  ^bb0(%in: f32, %s: f32):
    %t = arith.addf %in, %s : f32
    linalg.yield %t : f32
  } -> tensor<512xf32>
  %1 = linalg.generic {indexing_maps = [#x, #r], iterator_types = ["parallel", "reduction"]}
      ins(%few : tensor<4x4096xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32):
    %t = arith.addf %in, %s : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#x, #r], iterator_types = ["parallel", "reduction"]}
      ins(%open : tensor<?x8192xf32>) outs(%o : tensor<?xf32>) {
  ^bb0(%in: f32, %s: f32):
    %t = arith.addf %in, %s : f32
    linalg.yield %t : f32
  } -> tensor<?xf32>
  %3 = linalg.generic {indexing_maps = [#x, #r], iterator_types = ["parallel", "reduction"]}
      ins(%prime : tensor<1x99991xf32>) outs(%p : tensor<1xf32>) {
  ^bb0(%in: f32, %s: f32):
    %t = arith.addf %in, %s : f32
    linalg.yield %t : f32
  } -> tensor<1xf32>
  %4 = linalg.generic {indexing_maps = [#x, #r], iterator_types = ["parallel", "reduction"]}
      ins(%empty : tensor<4x0xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %s: f32):
    %t = arith.addf %in, %s : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %5 = linalg.generic {indexing_maps = [#x, #r], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<2x65536xf32>) outs(%d : tensor<2xf32>) {
  ^bb0(%in: f32, %s: f32):
    %t = arith.subf %s, %in : f32
    linalg.yield %t : f32
  } -> tensor<2xf32>
  %6 = linalg.matmul ins(%a, %a : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%a : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<512xf32>, tensor<4xf32>, tensor<?xf32>, tensor<1xf32>, tensor<4xf32>, tensor<2xf32>, tensor<1024x1024xf32>
}
