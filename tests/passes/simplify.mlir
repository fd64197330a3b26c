// RUN: wax-opt %s --wax-simplify | FileCheck %s

// CHECK-LABEL: @complex_numbers
func.func @complex_numbers(%x: tensor<4xcomplex<f32>>, %y: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  // CHECK: complex.exp
  // CHECK-NEXT: complex.log
  // CHECK-NEXT: complex.add
  // CHECK-NEXT: complex.sub
  // CHECK-NEXT: complex.mul
  // CHECK-NEXT: complex.sub
  // CHECK-NEXT: wax.yield
  %0 = wax.broadcast (%a = %x[0], %b = %y[0]) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
    %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
    %zero = complex.constant [-0.0 : f32, -0.0 : f32] : complex<f32>
    %1 = complex.exp %a : complex<f32>
    %2 = complex.log %1 : complex<f32>
    %3 = complex.add %2, %b : complex<f32>
    %4 = complex.sub %3, %b : complex<f32>
    %5 = complex.mul %4, %one : complex<f32>
    %6 = complex.sub %5, %zero : complex<f32>
    wax.yield %6 : complex<f32>
  }
  return %0 : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: @parts
func.func @parts(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: return %arg0
  %0 = wax.map (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = complex.create %a, %a : complex<f32>
    %2 = complex.neg %1 : complex<f32>
    %3 = complex.neg %2 : complex<f32>
    %4 = complex.re %3 : complex<f32>
    wax.yield %4 : f32
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @constants
func.func @constants() -> index {
  // CHECK-NEXT: %[[FIVE:.*]] = arith.constant 5 : index
  // CHECK-NEXT: return %[[FIVE]]
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %0 = arith.addi %c2, %c3 : index
  return %0 : index
}

// A choice between tensors is no operation of the basis.
// CHECK-LABEL: @choice
func.func @choice(%holds: i1, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: scf.if
  %0 = scf.if %holds -> (tensor<4xf32>) {
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %y : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @angles_of_zeros
func.func @angles_of_zeros() -> (f32, f32, f32, f32, f32) {
  %p = arith.constant 0.0 : f32
  %m = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  // CHECK-DAG: %[[PP:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-DAG: %[[MP:.*]] = arith.constant -0.000000e+00 : f32
  // CHECK-DAG: %[[PM:.*]] = arith.constant 3.14159274 : f32
  // CHECK-DAG: %[[MM:.*]] = arith.constant -3.14159274 : f32
  // CHECK: %[[REST:.*]] = math.atan2
  // CHECK: return %[[PP]], %[[MP]], %[[PM]], %[[MM]], %[[REST]]
  %0 = math.atan2 %p, %p : f32
  %1 = math.atan2 %m, %p : f32
  %2 = math.atan2 %p, %m : f32
  %3 = math.atan2 %m, %m : f32
  %4 = math.atan2 %one, %p : f32
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
}

// CHECK-LABEL: @inserted_into_itself
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>
func.func @inserted_into_itself(%x: tensor<?xf32>, %n: index) -> tensor<3xf32> {
  // CHECK-NEXT: %[[WHOLE:.*]] = tensor.cast %[[X]]
  // CHECK-NEXT: return %[[WHOLE]]
  %0 = tensor.cast %x : tensor<?xf32> to tensor<3xf32>
  %1 = tensor.insert_slice %x into %0[0] [%n] [1] : tensor<?xf32> into tensor<3xf32>
  return %1 : tensor<3xf32>
}

// CHECK-LABEL: @slice_of_what_is_the_same_everywhere
func.func @slice_of_what_is_the_same_everywhere(%n: index, %k: index) -> (tensor<2xf32>, tensor<?x1xf32>) {
  // CHECK-NOT: tensor.extract_slice
  // CHECK: %[[ROW:.*]] = tensor.empty() : tensor<2xf32>
  // CHECK: linalg.fill {{.*}} outs(%[[ROW]] : tensor<2xf32>)
  // CHECK: %[[COLUMN:.*]] = tensor.empty(%{{.*}}) : tensor<?x1xf32>
  // CHECK: linalg.fill {{.*}} outs(%[[COLUMN]] : tensor<?x1xf32>)
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty(%n) : tensor<4x?xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<4x?xf32>) -> tensor<4x?xf32>
  %2 = tensor.extract_slice %1[1, %k] [1, 2] [1, 3] : tensor<4x?xf32> to tensor<2xf32>
  %3 = tensor.extract_slice %1[%k, 0] [%k, 1] [1, 1] : tensor<4x?xf32> to tensor<?x1xf32>
  return %2, %3 : tensor<2xf32>, tensor<?x1xf32>
}

// CHECK-LABEL: @concat_of_casts
// CHECK-SAME: %[[X:.*]]: tensor<4x3xf32>, %[[Y:.*]]: tensor<?x3xf32>
func.func @concat_of_casts(%x: tensor<4x3xf32>, %y: tensor<?x3xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  // CHECK: %[[A:.*]] = tensor.concat dim(0) %[[X]], %[[X]] : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  // CHECK: %[[AC:.*]] = tensor.cast %[[A]] : tensor<8x3xf32> to tensor<?x?xf32>
  // CHECK: %[[B:.*]] = tensor.concat dim(0) %[[X]], %[[Y]] : (tensor<4x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  // CHECK: %[[BC:.*]] = tensor.cast %[[B]] : tensor<?x3xf32> to tensor<?x?xf32>
  // CHECK: return %[[AC]], %[[BC]]
  %0 = tensor.cast %x : tensor<4x3xf32> to tensor<?x?xf32>
  %1 = tensor.cast %y : tensor<?x3xf32> to tensor<?x?xf32>
  %a = tensor.concat dim(0) %0, %0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %b = tensor.concat dim(0) %0, %1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %a, %b : tensor<?x?xf32>, tensor<?x?xf32>
}

// What contradicts itself stays.
// CHECK-LABEL: @contradicting_casts
// CHECK-COUNT-2: tensor.cast
// CHECK: tensor.concat dim(0) %{{.*}} : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
func.func @contradicting_casts(%x: tensor<4x3xf32>, %y: tensor<4x2xf32>) -> tensor<?x?xf32> {
  %0 = tensor.cast %x : tensor<4x3xf32> to tensor<?x?xf32>
  %1 = tensor.cast %y : tensor<4x2xf32> to tensor<?x?xf32>
  %a = tensor.concat dim(0) %0, %1 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %a : tensor<?x?xf32>
}

// All of a dim is padding, so nothing is between.
// CHECK-LABEL: @pad_around_nothing
func.func @pad_around_nothing(%x: tensor<?x?xf64>) -> tensor<?x2xf64> {
  // CHECK: %[[rows:.*]] = tensor.dim
  // CHECK: %[[more:.*]] = arith.addi %[[rows]]
  // CHECK: %[[empty:.*]] = tensor.empty(%[[more]]) : tensor<?x2xf64>
  // CHECK: linalg.fill {{.*}} outs(%[[empty]]
  // CHECK-NOT: tensor.pad
  %one = arith.constant 1.0 : f64
  %0 = tensor.pad %x low[0, 2] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f64
  } : tensor<?x?xf64> to tensor<?x2xf64>
  return %0 : tensor<?x2xf64>
}

// CHECK-LABEL: @pad_around_something
func.func @pad_around_something(%x: tensor<?x?xf64>) -> tensor<?x3xf64> {
  // CHECK: tensor.pad
  %one = arith.constant 1.0 : f64
  %0 = tensor.pad %x low[0, 2] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f64
  } : tensor<?x?xf64> to tensor<?x3xf64>
  return %0 : tensor<?x3xf64>
}

// CHECK-LABEL: @loops_of_no_turn
func.func @loops_of_no_turn(%x: tensor<?x?xf32>, %start: tensor<f32>) -> tensor<f32> {
  // CHECK-NEXT: return %arg1
  %0 = tensor.cast %x : tensor<?x?xf32> to tensor<4x0xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]} ins(%0 : tensor<4x0xf32>) outs(%start : tensor<f32>) {
  ^bb0(%a: f32, %acc: f32):
    %2 = arith.addf %a, %acc : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  return %1 : tensor<f32>
}

// Of known numbers neither: (1 + 1e9) - 1e9 is 0 in f32.
// CHECK-LABEL: func.func @complex_sums_of_known_numbers
// CHECK-DAG: complex.add
// CHECK-DAG: complex.sub
// CHECK: return
func.func @complex_sums_of_known_numbers() -> tensor<2xcomplex<f32>> {
  %0 = wax.constant dense<(1.0, 1.0)> : tensor<2xcomplex<f32>>
  %1 = wax.map (%a = %0) : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>> {
    %b = complex.constant [1.0e9 : f32, 1.0 : f32] : complex<f32>
    %3 = complex.add %a, %b : complex<f32>
    %4 = complex.sub %3, %b : complex<f32>
    wax.yield %4 : complex<f32>
  }
  return %1 : tensor<2xcomplex<f32>>
}

// What has no elements is no dims that were merged.
// CHECK-LABEL: func.func @merged_dims_of_nothing
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<0x?x?xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<0x?x?xf32>
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[N]]) : tensor<0x?xf32>
// CHECK: tensor.cast %[[EMPTY]] : tensor<0x?xf32> to tensor<?x?xf32>
// CHECK-NOT: tensor.collapse_shape
// CHECK: return
func.func @merged_dims_of_nothing(%x: tensor<0x?x?xf32>) -> tensor<?x?xf32> {
  %0 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<0x?x?xf32> into tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Nor is it pieces, or what is padded, whatever other sizes are open.
// CHECK-LABEL: func.func @pieces_of_nothing
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x0x?xf32>, %[[Y:[a-z0-9]+]]: tensor<?x0x?xf32>
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG: %[[M:.*]] = tensor.dim %[[Y]], %c0
// CHECK-DAG: %[[BOTH:.*]] = arith.addi %[[N]], %[[M]]
// CHECK-DAG: %[[WIDTH:.*]] = tensor.dim %[[X]], %c2
// CHECK: tensor.empty(%[[BOTH]], %[[WIDTH]]) : tensor<?x0x?xf32>
// CHECK-NOT: tensor.concat
// CHECK: return
func.func @pieces_of_nothing(%x: tensor<?x0x?xf32>, %y: tensor<?x0x?xf32>) -> tensor<?x0x?xf32> {
  %0 = tensor.concat dim(0) %x, %y : (tensor<?x0x?xf32>, tensor<?x0x?xf32>) -> tensor<?x0x?xf32>
  return %0 : tensor<?x0x?xf32>
}

// CHECK-LABEL: func.func @pad_of_nothing
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<0x?xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c1
// CHECK: %[[WIDTH:.*]] = arith.addi %[[N]], %c3
// CHECK: tensor.empty(%[[WIDTH]]) : tensor<0x?xf32>
// CHECK-NOT: tensor.pad
// CHECK: return
func.func @pad_of_nothing(%x: tensor<0x?xf32>, %one: f32) -> tensor<0x?xf32> {
  %0 = tensor.pad %x low[0, 2] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<0x?xf32> to tensor<0x?xf32>
  return %0 : tensor<0x?xf32>
}

// A nest takes nothing that it does not read, unless that tells its sizes.
// CHECK-LABEL: func.func @unread
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?xf32>, %[[Y:[a-z0-9]+]]: tensor<?xf32>
// CHECK: linalg.generic {{.*}} ins(%[[Y]] : tensor<?xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<?xf32>)
// CHECK: return
func.func @unread(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %s = arith.addf %sum, %b : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %sum: f32):
    %s = arith.addf %sum, %sum : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// A nest that reads nothing and gives one number is a fill, one that counts is none.
// CHECK-LABEL: func.func @filled
// CHECK: linalg.fill ins(%c1_i64 : i64)
// CHECK-NOT: linalg.fill
// CHECK: linalg.index
func.func @filled(%x: tensor<?xi64>) -> (tensor<?xi64>, tensor<?xi64>) {
  %one = arith.constant 1 : i64
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : tensor<?xi64>) {
  ^bb0(%a: i64):
    linalg.yield %one : i64
  } -> tensor<?xi64>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : tensor<?xi64>) {
  ^bb0(%a: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  } -> tensor<?xi64>
  return %0, %1 : tensor<?xi64>, tensor<?xi64>
}

// Parts of what a map makes are made of parts.
// CHECK-LABEL: func @parts_of_a_map
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf16>
// CHECK: %[[EVEN:.*]] = wax.slice %[[X]] offsets [0, 0] sizes [4, 4] strides [1, 2] : (tensor<4x8xf16>) -> tensor<4x4xf16>
// CHECK: %[[WIDE:.*]] = wax.map arith.extf(%[[EVEN]]) : (tensor<4x4xf16>) -> tensor<4x4xf32>
// CHECK: %[[ODD:.*]] = wax.slice %[[X]] offsets [0, 1] sizes [4, 4] strides [1, 2] : (tensor<4x8xf16>) -> tensor<4x4xf16>
// CHECK: %[[OTHER:.*]] = wax.map arith.extf(%[[ODD]]) : (tensor<4x4xf16>) -> tensor<4x4xf32>
// CHECK: return %[[WIDE]], %[[OTHER]]
func.func @parts_of_a_map(%x: tensor<4x8xf16>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = wax.map arith.extf(%x) : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %1 = wax.slice %0 offsets [0, 0] sizes [4, 4] strides [1, 2] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  %2 = wax.slice %0 offsets [0, 1] sizes [4, 4] strides [1, 2] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
}

// Not where they overlap, or the whole is read.
// CHECK-LABEL: func @overlapping_parts_of_a_map
// CHECK: %[[WIDE:.*]] = wax.map
// CHECK: wax.slice %[[WIDE]]
// CHECK: wax.slice %[[WIDE]]
func.func @overlapping_parts_of_a_map(%x: tensor<4x8xf16>) -> (tensor<4x7xf32>, tensor<4x7xf32>) {
  %0 = wax.map arith.extf(%x) : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %1 = wax.slice %0 offsets [0, 0] sizes [4, 7] strides [1, 1] : (tensor<4x8xf32>) -> tensor<4x7xf32>
  %2 = wax.slice %0 offsets [0, 1] sizes [4, 7] strides [1, 1] : (tensor<4x8xf32>) -> tensor<4x7xf32>
  return %1, %2 : tensor<4x7xf32>, tensor<4x7xf32>
}

// CHECK-LABEL: func @a_part_and_all_of_a_map
// CHECK: %[[WIDE:.*]] = wax.map
// CHECK: wax.slice %[[WIDE]]
func.func @a_part_and_all_of_a_map(%x: tensor<4x8xf16>) -> (tensor<4x4xf32>, tensor<4x8xf32>) {
  %0 = wax.map arith.extf(%x) : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %1 = wax.slice %0 offsets [0, 0] sizes [4, 4] strides [1, 2] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return %1, %0 : tensor<4x4xf32>, tensor<4x8xf32>
}

// A loop may take a part several times.
// CHECK-LABEL: func @a_part_of_a_map_in_a_loop
// CHECK: %[[SINE:.*]] = wax.map math.sin
// CHECK: scf.for
// CHECK: wax.slice %[[SINE]]
func.func @a_part_of_a_map_in_a_loop(%x: tensor<4xf32>, %n: index, %s: tensor<1xf32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = wax.map math.sin(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %s) -> (tensor<1xf32>) {
    %place = arith.remui %i, %c4 : index
    %part = wax.slice %0 offsets [%place] sizes [1] strides [1] : (tensor<4xf32>) -> tensor<1xf32>
    %next = wax.broadcast arith.addf(%sum[0], %part[0]) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    scf.yield %next : tensor<1xf32>
  }
  return %1 : tensor<1xf32>
}
