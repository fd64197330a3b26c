// RUN: wax-opt %s --wax-resolve-dims --wax-lower=target=iree --canonicalize --cse --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-resolve-dims --wax-lower="target=iree gpu=true" --split-input-file | FileCheck %s --check-prefix=GPU

// 64 numbers are a matrix of 8 by 8: its columns are transformed, turned by roots, and stand in the result where
// the row's transforms are to come. Squares of them are transposed on the way.
// CHECK-LABEL: func @rows_are_matrices
// CHECK-SAME: %[[X:.*]]: tensor<?x64xcomplex<f32>>
// CHECK-DAG: arith.constant dense<{{.*}}> : tensor<8x1x16xf32>
// CHECK: %[[PAIRS:.*]] = "flow.tensor.bitcast"(%[[X]], %{{.*}}, %{{.*}}) {{.*}} -> tensor<?x128xf32>
// CHECK-COUNT-1: "flow.dispatch.region"
// CHECK: scf.forall {{.*}} -> (tensor<?x128xf32>)
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: %[[LOW:.*]] = vector.transfer_read %[[PAIRS]]
// CHECK: %[[HIGH:.*]] = vector.transfer_read %[[PAIRS]]
// CHECK: vector.shuffle %[[LOW]], %[[HIGH]] [0, 2, 8, 10, 4, 6, 12, 14] : vector<8xf32>, vector<8xf32>
// CHECK: vector.shuffle %[[LOW]], %[[HIGH]] [1, 3, 9, 11, 5, 7, 13, 15] : vector<8xf32>, vector<8xf32>
// CHECK: vector.shuffle {{.*}} [0, 8, 1, 9, 4, 12, 5, 13] : vector<8xf32>, vector<8xf32>
// CHECK: "flow.tensor.bitcast"({{.*}} -> tensor<?x64xcomplex<f32>>
// CHECK-NOT: linalg.generic
// GPU-LABEL: func @rows_are_matrices
// GPU-NOT: vector.
// GPU: "reduction"
func.func @rows_are_matrices(%x: tensor<?x64xcomplex<f32>>) -> tensor<?x64xcomplex<f32>> {
  %0 = wax.fft %x over [1] : (tensor<?x64xcomplex<f32>>) -> tensor<?x64xcomplex<f32>>
  return %0 : tensor<?x64xcomplex<f32>>
}

// -----

// Where vectors of both sides overlap, what stands between has its own memory.
// CHECK-LABEL: func @overlapping_vectors
// CHECK: tensor.empty() : tensor<1x{{168|176}}xf64>
// CHECK: arith.minui %{{.*}}, %c{{3|7}} : index
// CHECK-NOT: linalg.generic
func.func @overlapping_vectors(%x: tensor<2x77xcomplex<f64>>) -> tensor<2x77xcomplex<f64>> {
  %0 = wax.fft inverse %x over [1] : (tensor<2x77xcomplex<f64>>) -> tensor<2x77xcomplex<f64>>
  return %0 : tensor<2x77xcomplex<f64>>
}

// -----

// Real numbers are read as half as many complex ones; their transform is untangled from both ends.
// CHECK-LABEL: func @real_numbers
// CHECK-SAME: %[[X:.*]]: tensor<3x128xf32>
// CHECK: "flow.dispatch.region"
// CHECK: vector.transfer_read %[[X]]
// CHECK: vector.shuffle {{.*}} [0, 1, 8, 9, 4, 5, 12, 13]
// CHECK: tensor.insert
// CHECK: "flow.tensor.bitcast"({{.*}}) {{.*}} : (tensor<3x130xf32>) -> tensor<3x65xcomplex<f32>>
// CHECK-NOT: linalg.generic
func.func @real_numbers(%x: tensor<3x128xf32>) -> tensor<3x65xcomplex<f32>> {
  %0 = wax.fft %x over [1] : (tensor<3x128xf32>) -> tensor<3x65xcomplex<f32>>
  return %0 : tensor<3x65xcomplex<f32>>
}

// -----

// Along the first dim vectors are of neighbours: nothing is transposed.
// CHECK-LABEL: func @columns
// CHECK: scf.forall {{.*}} -> (tensor<1x30x32xf32>)
// CHECK: vector.transfer_read %{{.*}} : tensor<1x30x32xf32>, vector<8xf32>
// CHECK-NOT: vector.shuffle {{.*}} [0, 1, 8, 9,
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @columns(%x: tensor<30x16xcomplex<f32>>) -> tensor<30x16xcomplex<f32>> {
  %0 = wax.fft %x over [0] : (tensor<30x16xcomplex<f32>>) -> tensor<30x16xcomplex<f32>>
  return %0 : tensor<30x16xcomplex<f32>>
}

// -----

// Each lane has a row; the last lanes have the last row.
// CHECK-LABEL: func @short_rows
// CHECK-SAME: %[[X:.*]]: tensor<9x60xcomplex<f32>>
// CHECK: %[[PAIRS:.*]] = "flow.tensor.bitcast"(%[[X]])
// CHECK-COUNT-1: "flow.dispatch.region"
// CHECK: scf.forall {{.*}} -> (tensor<9x120xf32>)
// CHECK-COUNT-8: arith.minui
// CHECK-COUNT-8: vector.transfer_read %[[PAIRS]]
// CHECK: vector.shuffle
// CHECK-NOT: linalg.generic
func.func @short_rows(%x: tensor<9x60xcomplex<f32>>) -> tensor<9x60xcomplex<f32>> {
  %0 = wax.fft %x over [1] : (tensor<9x60xcomplex<f32>>) -> tensor<9x60xcomplex<f32>>
  return %0 : tensor<9x60xcomplex<f32>>
}

// -----

// Whole vectors of rows.
// CHECK-LABEL: func @an_odd_count_of_real_numbers
// CHECK-SAME: %[[X:.*]]: tensor<16x15xf32>
// CHECK-NOT: arith.minui %{{.*}}, %c15
// CHECK: vector.transfer_read %[[X]]
// CHECK: "flow.tensor.bitcast"({{.*}}) {{.*}} : (tensor<16x16xf32>) -> tensor<16x8xcomplex<f32>>
// CHECK-NOT: linalg.generic
func.func @an_odd_count_of_real_numbers(%x: tensor<16x15xf32>) -> tensor<16x8xcomplex<f32>> {
  %0 = wax.fft %x over [1] : (tensor<16x15xf32>) -> tensor<16x8xcomplex<f32>>
  return %0 : tensor<16x8xcomplex<f32>>
}

// -----

// What stands between is too much for the stack: each workgroup has a place for a row, which is kept as a result.
// CHECK-LABEL: func @workspace
// CHECK: %[[ALL:.*]]:2 = "flow.dispatch.region"
// CHECK: scf.forall {{.*}} -> (tensor<4x20000xf32>, tensor<4x{{[0-9]+}}xf32>)
// CHECK: "util.optimization_barrier"(%[[ALL]]#1)
// CHECK-NOT: linalg.generic
func.func @workspace(%x: tensor<4x10000xcomplex<f32>>) -> tensor<4x10000xcomplex<f32>> {
  %0 = wax.fft %x over [1] : (tensor<4x10000xcomplex<f32>>) -> tensor<4x10000xcomplex<f32>>
  return %0 : tensor<4x10000xcomplex<f32>>
}

// -----

// A row shorter than half a vector, and fewer neighbours than one has lanes, are contractions.
// CHECK-LABEL: func @shortest_rows
// CHECK: "reduction"
// CHECK-NOT: flow.dispatch.region
func.func @shortest_rows(%x: tensor<9x3xcomplex<f32>>) -> tensor<9x3xcomplex<f32>> {
  %0 = wax.fft %x over [1] : (tensor<9x3xcomplex<f32>>) -> tensor<9x3xcomplex<f32>>
  return %0 : tensor<9x3xcomplex<f32>>
}

// -----

// CHECK-LABEL: func @few_neighbours
// CHECK: "reduction"
// CHECK-NOT: flow.dispatch.region
func.func @few_neighbours(%x: tensor<64x3xcomplex<f32>>) -> tensor<64x3xcomplex<f32>> {
  %0 = wax.fft %x over [0] : (tensor<64x3xcomplex<f32>>) -> tensor<64x3xcomplex<f32>>
  return %0 : tensor<64x3xcomplex<f32>>
}
