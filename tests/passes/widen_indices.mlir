// RUN: wax-opt %s --wax-widen-indices | FileCheck %s

// CHECK-LABEL: func.func @of_a_byte
// CHECK: %[[BYTE:.*]] = tensor.extract
// CHECK: %[[WIDE:.*]] = arith.extsi %[[BYTE]] : i8 to i32
// CHECK: %[[UNUSED:.*]] = arith.constant 24 : i32
// CHECK: %[[UP:.*]] = arith.shli %[[WIDE]], %[[UNUSED]] : i32
// CHECK: %[[SIGNED:.*]] = arith.shrsi %[[UP]], %[[UNUSED]] : i32
// CHECK: arith.index_cast %[[SIGNED]] : i32 to index
func.func @of_a_byte(%x: tensor<i8>) -> index {
  %0 = tensor.extract %x[] : tensor<i8>
  %1 = arith.index_cast %0 : i8 to index
  return %1 : index
}

// CHECK-LABEL: func.func @of_enough_bits
// CHECK-NOT: arith.shli
func.func @of_enough_bits(%x: i32, %y: i64) -> (index, index) {
  %0 = arith.index_cast %x : i32 to index
  %1 = arith.index_cast %y : i64 to index
  return %0, %1 : index, index
}

// CHECK-LABEL: func.func @to_a_byte
// CHECK-NOT: arith.shli
func.func @to_a_byte(%x: index) -> i8 {
  %0 = arith.index_cast %x : index to i8
  return %0 : i8
}

// CHECK-LABEL: func.func @in_a_kernel
// CHECK-NOT: arith.shli
func.func @in_a_kernel(%x: tensor<4xi8>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xi8>) outs(%0 : tensor<4xf32>) {
  ^bb0(%a: i8, %out: f32):
    %2 = arith.index_cast %a : i8 to index
    %3 = tensor.extract %y[%2] : tensor<4xf32>
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
