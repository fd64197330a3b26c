// RUN: wax-opt %s --wax-fuse-counters --canonicalize --split-input-file | FileCheck %s

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d1, d2)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
#same = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (d0)>
#last = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>

// The rows' places are shifted by a number; the columns' are read by two maps.
// CHECK-LABEL: func @mask
// CHECK-SAME: %[[SHIFT:[a-z0-9]+]]: tensor<i32>
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}}"reduction"
// CHECK-NOT: tensor<320xi32>
// CHECK: %[[SCALED:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<128x320xf32>)
// CHECK: linalg.index 1
// CHECK: arith.select
// CHECK: %[[MADE:.*]] = linalg.generic {{.*}} ins(%[[SCALED]], %[[SHIFT]] : tensor<128x320xf32>, tensor<i32>)
// CHECK-DAG: %[[ROW:.*]] = linalg.index 0
// CHECK-DAG: %[[COLUMN:.*]] = linalg.index 1
// CHECK: arith.cmpi sle
// CHECK: return %[[MADE]]
func.func @mask(%a: tensor<128x64xf32>, %b: tensor<320x64xf32>, %shift: tensor<i32>) -> tensor<128x320xf32> {
  %zero = arith.constant 0.0 : f32
  %five = arith.constant 5 : i32
  %empty = tensor.empty() : tensor<128x320xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x320xf32>) -> tensor<128x320xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x64xf32>, tensor<320x64xf32>) outs(%init : tensor<128x320xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<128x320xf32>
  %few = tensor.empty() : tensor<128xi32>
  %3 = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]} outs(%few : tensor<128xi32>) {
  ^bb0(%z: i32):
    %4 = linalg.index 0 : index
    %5 = arith.index_cast %4 : index to i32
    linalg.yield %5 : i32
  } -> tensor<128xi32>
  %6 = linalg.generic {indexing_maps = [#one, #none, #one], iterator_types = ["parallel"]}
      ins(%3, %shift : tensor<128xi32>, tensor<i32>) outs(%few : tensor<128xi32>) {
  ^bb0(%x: i32, %y: i32, %z: i32):
    %7 = arith.addi %x, %y : i32
    linalg.yield %7 : i32
  } -> tensor<128xi32>
  %many = tensor.empty() : tensor<320xi32>
  %8 = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]} outs(%many : tensor<320xi32>) {
  ^bb0(%z: i32):
    %9 = linalg.index 0 : index
    %10 = arith.index_cast %9 : index to i32
    linalg.yield %10 : i32
  } -> tensor<320xi32>
  %11 = linalg.generic {indexing_maps = [#same, #last, #same], iterator_types = ["parallel", "parallel"]}
      ins(%0, %8 : tensor<128x320xf32>, tensor<320xi32>) outs(%empty : tensor<128x320xf32>) {
  ^bb0(%x: f32, %y: i32, %z: f32):
    %12 = arith.cmpi slt, %y, %five : i32
    %13 = arith.select %12, %x, %zero : f32
    linalg.yield %13 : f32
  } -> tensor<128x320xf32>
  %14 = linalg.generic {indexing_maps = [#same, #last, #first, #same], iterator_types = ["parallel", "parallel"]}
      ins(%11, %8, %6 : tensor<128x320xf32>, tensor<320xi32>, tensor<128xi32>) outs(%empty : tensor<128x320xf32>) {
  ^bb0(%x: f32, %column: i32, %row: i32, %z: f32):
    %15 = arith.cmpi sle, %column, %row : i32
    %16 = arith.select %15, %x, %zero : f32
    linalg.yield %16 : f32
  } -> tensor<128x320xf32>
  return %14 : tensor<128x320xf32>
}

// -----

#same = affine_map<(d0, d1) -> (d0, d1)>
#last = affine_map<(d0, d1) -> (d1)>
#one = affine_map<(d0) -> (d0)>

// Where there is no product counters are read.
// CHECK-LABEL: func @elsewhere
// CHECK: %[[COUNTED:.*]] = linalg.generic
// CHECK: linalg.index 0
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[COUNTED]] : tensor<128x320xf32>, tensor<320xi32>)
func.func @elsewhere(%a: tensor<128x320xf32>) -> tensor<128x320xf32> {
  %zero = arith.constant 0.0 : f32
  %five = arith.constant 5 : i32
  %empty = tensor.empty() : tensor<128x320xf32>
  %many = tensor.empty() : tensor<320xi32>
  %0 = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]} outs(%many : tensor<320xi32>) {
  ^bb0(%z: i32):
    %1 = linalg.index 0 : index
    %2 = arith.index_cast %1 : index to i32
    linalg.yield %2 : i32
  } -> tensor<320xi32>
  %3 = linalg.generic {indexing_maps = [#same, #last, #same], iterator_types = ["parallel", "parallel"]}
      ins(%a, %0 : tensor<128x320xf32>, tensor<320xi32>) outs(%empty : tensor<128x320xf32>) {
  ^bb0(%x: f32, %y: i32, %z: f32):
    %4 = arith.cmpi slt, %y, %five : i32
    %5 = arith.select %4, %x, %zero : f32
    linalg.yield %5 : f32
  } -> tensor<128x320xf32>
  return %3 : tensor<128x320xf32>
}
