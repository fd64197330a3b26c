// RUN: wax-opt %s --wax-keep-dispatch-results --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func @all_of_several_results_are_read
// CHECK: %[[D:.*]]:2 = "flow.dispatch.region"
// CHECK: "util.optimization_barrier"(%[[D]]#0) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: "util.optimization_barrier"(%[[D]]#1) : (tensor<8xi32>) -> tensor<8xi32>
// CHECK: return %[[D]]#1
func.func @all_of_several_results_are_read(%x: tensor<8xf32>, %y: tensor<8xi32>) -> tensor<8xi32> {
  %0:2 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    "flow.return"(%x, %y) : (tensor<8xf32>, tensor<8xi32>) -> ()
  }, {}) : () -> (tensor<8xf32>, tensor<8xi32>)
  return %0#1 : tensor<8xi32>
}

// CHECK-LABEL: func @one_result_stays_as_it_is
// CHECK-NOT: util
func.func @one_result_stays_as_it_is(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    "flow.return"(%x) : (tensor<8xf32>) -> ()
  }, {}) : () -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// IREE makes a dispatch that reads no tensor anew where a result is reshaped,
// and mistakes the results: what follows reads the barriers.
// CHECK-LABEL: func @results_of_what_reads_no_tensor_are_read_by_barriers
// CHECK-SAME: %[[N:[^:]*]]: index
// CHECK: %[[D:.*]]:2 = "flow.dispatch.region"
// CHECK: "util.optimization_barrier"(%[[D]]#0) : (tensor<8xi8>) -> tensor<8xi8>
// CHECK: %[[B:.*]] = "util.optimization_barrier"(%[[D]]#1) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK: %[[T:.*]] = "flow.tensor.tie_shape"(%[[B]], %[[N]]) : (tensor<?xf32>, index) -> tensor<?xf32>
// CHECK: tensor.expand_shape %[[T]]
func.func @results_of_what_reads_no_tensor_are_read_by_barriers(%n: index, %k: index) -> tensor<?x2xf32> {
  %0:2 = "flow.dispatch.region"(%n) <{operandSegmentSizes = array<i32: 1, 0>}> ({
    %1 = tensor.empty() : tensor<8xi8>
    %2 = tensor.empty(%n) : tensor<?xf32>
    "flow.return"(%1, %2) : (tensor<8xi8>, tensor<?xf32>) -> ()
  }, {}) : (index) -> (tensor<8xi8>, tensor<?xf32>)
  %3 = tensor.expand_shape %0#1 [[0, 1]] output_shape [%k, 2] : tensor<?xf32> into tensor<?x2xf32>
  return %3 : tensor<?x2xf32>
}

// So is one that reads elements at its beginning, which IREE reads before it;
// but what is returned is returned as it is.
// CHECK-LABEL: func @results_of_what_reads_an_element
// CHECK: %[[D:.*]]:2 = "flow.dispatch.region"
// CHECK: "util.optimization_barrier"(%[[D]]#0)
// CHECK: %[[B:.*]] = "util.optimization_barrier"(%[[D]]#1)
// CHECK: %[[T:.*]] = tensor.expand_shape %[[B]]
// CHECK: return %[[D]]#0, %[[T]]
func.func @results_of_what_reads_an_element(%x: tensor<4xf32>) -> (tensor<f32>, tensor<1xf32>) {
  %c0 = arith.constant 0 : index
  %0:2 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %1 = tensor.extract %x[%c0] : tensor<4xf32>
    %2 = arith.negf %1 : f32
    %3 = tensor.from_elements %1 : tensor<f32>
    %4 = tensor.from_elements %2 : tensor<f32>
    "flow.return"(%3, %4) : (tensor<f32>, tensor<f32>) -> ()
  }, {}) : () -> (tensor<f32>, tensor<f32>)
  %5 = tensor.expand_shape %0#1 [] output_shape [1] : tensor<f32> into tensor<1xf32>
  return %0#0, %5 : tensor<f32>, tensor<1xf32>
}

// That a dispatch depends on constants only is not seen.
// CHECK-LABEL: func.func @of_constants
// CHECK: %[[N:.*]] = arith.constant 4 : index
// CHECK: %[[HIDDEN:.*]] = "util.optimization_barrier"(%[[N]]) : (index) -> index
// CHECK: "flow.dispatch.region"
// CHECK: tensor.insert %{{.*}} into %{{.*}}[%[[HIDDEN]]]
func.func @of_constants() -> (tensor<8xf32>, tensor<8xi8>) {
  %n = arith.constant 4 : index
  %x = arith.constant 1.0 : f32
  %0:2 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %1 = tensor.empty() : tensor<8xf32>
    %2 = tensor.empty() : tensor<8xi8>
    %3 = tensor.insert %x into %1[%n] : tensor<8xf32>
    "flow.return"(%3, %2) : (tensor<8xf32>, tensor<8xi8>) -> ()
  }, {
  }) : () -> (tensor<8xf32>, tensor<8xi8>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xi8>
}

// CHECK-LABEL: func.func @number_of_constants
// CHECK: %[[BITS:.*]] = arith.constant 1065353216 : i32
// CHECK: %[[HIDDEN:.*]] = "util.optimization_barrier"(%[[BITS]]) : (i32) -> i32
// CHECK: %[[RE:.*]] = arith.bitcast %[[HIDDEN]] : i32 to f32
// CHECK: complex.create %[[RE]], %{{.*}} : complex<f32>
func.func @number_of_constants() -> tensor<4xcomplex<f32>> {
  %re = arith.constant 1.0 : f32
  %im = arith.constant 2.0 : f32
  %0 = tensor.empty() : tensor<4xcomplex<f32>>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%0 : tensor<4xcomplex<f32>>) {
  ^bb0(%out: complex<f32>):
    %2 = complex.create %re, %im : complex<f32>
    linalg.yield %2 : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @number_computed_with
// CHECK: %[[HIDDEN:.*]] = "util.optimization_barrier"(%{{.*}}) : (i32) -> i32
// CHECK: %[[RE:.*]] = arith.bitcast %[[HIDDEN]] : i32 to f32
// CHECK: %[[C:.*]] = complex.create %[[RE]], %{{.*}} : complex<f32>
// CHECK: complex.conj %[[C]]
func.func @number_computed_with() -> tensor<4xcomplex<f32>> {
  %0 = tensor.empty() : tensor<4xcomplex<f32>>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%0 : tensor<4xcomplex<f32>>) {
  ^bb0(%out: complex<f32>):
    %c = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
    %2 = complex.conj %c : complex<f32>
    linalg.yield %2 : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}

// CHECK-LABEL: func.func @number_given
// CHECK-NOT: util
func.func @number_given() -> tensor<4xcomplex<f32>> {
  %c = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %0 = tensor.empty() : tensor<4xcomplex<f32>>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%0 : tensor<4xcomplex<f32>>) {
  ^bb0(%out: complex<f32>):
    linalg.yield %c : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}

// IREE would compute what is filled inside of the dispatch.
// CHECK-LABEL: func.func @reads_what_is_filled
// CHECK: %[[FILLED:.*]] = linalg.fill
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[FILLED]])
// CHECK: "flow.dispatch.region"
// CHECK: "flow.return"(%[[APART]], %{{.*}})
func.func @reads_what_is_filled(%x: f32, %y: tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>) {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0:2 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    "flow.return"(%f, %y) : (tensor<8xf32>, tensor<8xi32>) -> ()
  }, {}) : () -> (tensor<8xf32>, tensor<8xi32>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xi32>
}

// Nor does a map say more that reads none of its operands.
// CHECK-LABEL: func.func @reads_what_reads_nothing
// CHECK: %[[ONES:.*]] = linalg.generic
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[ONES]])
// CHECK: "flow.return"(%[[APART]])
func.func @reads_what_reads_nothing(%x: tensor<8xi8>) -> tensor<8xi8> {
  %c1 = arith.constant 1 : i8
  %e = tensor.empty() : tensor<8xi8>
  %f = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xi8>) outs(%e : tensor<8xi8>) {
  ^bb0(%in: i8, %out: i8):
    linalg.yield %c1 : i8
  } -> tensor<8xi8>
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    "flow.return"(%f) : (tensor<8xi8>) -> ()
  }, {}) : () -> tensor<8xi8>
  return %0 : tensor<8xi8>
}

// CHECK-LABEL: func.func @alone_reads_what_is_filled
// CHECK: %[[FILLED:.*]] = linalg.fill
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[FILLED]])
// CHECK: "flow.return"(%[[APART]])
// CHECK-NOT: util
func.func @alone_reads_what_is_filled(%x: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    "flow.return"(%f) : (tensor<8xf32>) -> ()
  }, {}) : () -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @negative_zero_given
// CHECK: %[[BITS:.*]] = arith.constant -2147483648 : i32
// CHECK: "util.optimization_barrier"(%[[BITS]]) : (i32) -> i32
func.func @negative_zero_given() -> tensor<4xcomplex<f32>> {
  %c = complex.constant [-0.0 : f32, 2.0 : f32] : complex<f32>
  %0 = tensor.empty() : tensor<4xcomplex<f32>>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%0 : tensor<4xcomplex<f32>>) {
  ^bb0(%out: complex<f32>):
    linalg.yield %c : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %1 : tensor<4xcomplex<f32>>
}

// However far the constants are, that a dispatch depends on no others is not
// seen; of one result it may be.
// CHECK-LABEL: func.func @of_what_is_computed_of_constants
// CHECK: %[[SQUARES:.*]] = linalg.generic
// CHECK: %[[HIDDEN:.*]] = "util.optimization_barrier"(%[[SQUARES]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: "flow.dispatch.region"
// CHECK: "flow.return"(%[[HIDDEN]], %{{.*}}) :
// CHECK: "flow.dispatch.region"
// CHECK: "flow.return"(%[[SQUARES]]) :
func.func @of_what_is_computed_of_constants() -> (tensor<8xf32>, tensor<8xi8>, tensor<8xf32>) {
  %x = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.mulf %in, %in : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %0:2 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %2 = tensor.empty() : tensor<8xi8>
    "flow.return"(%f, %2) : (tensor<8xf32>, tensor<8xi8>) -> ()
  }, {}) : () -> (tensor<8xf32>, tensor<8xi8>)
  %3 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    "flow.return"(%f) : (tensor<8xf32>) -> ()
  }, {}) : () -> tensor<8xf32>
  return %0#0, %0#1, %3 : tensor<8xf32>, tensor<8xi8>, tensor<8xf32>
}

// What is widened is a dispatch of its own, with all its open sizes.
// CHECK-LABEL: func.func @reads_what_is_widened
// CHECK-SAME: %[[X:[^:]*]]: tensor<?x?xi8>, %[[M:[^:]*]]: index, %[[N:[^:]*]]: index
// CHECK: %[[WIDE:.*]] = "flow.dispatch.region"(%[[M]], %[[N]])
// CHECK-NEXT: %[[MADE:.*]] = linalg.generic
// CHECK: "flow.return"(%[[MADE]])
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[WIDE]]
// CHECK: "flow.return"(%[[FLAT]])
// CHECK-NOT: util
func.func @reads_what_is_widened(%x: tensor<?x?xi8>, %m: index, %n: index, %all: index) -> tensor<?xi32> {
  %e = tensor.empty(%m, %n) : tensor<?x?xi32>
  %f = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x?xi8>) outs(%e : tensor<?x?xi32>) {
  ^bb0(%in: i8, %out: i32):
    %1 = arith.extsi %in : i8 to i32
    linalg.yield %1 : i32
  } -> tensor<?x?xi32>
  %flat = tensor.collapse_shape %f [[0, 1]] : tensor<?x?xi32> into tensor<?xi32>
  %0 = "flow.dispatch.region"(%all) <{operandSegmentSizes = array<i32: 1, 0>}> ({
    "flow.return"(%flat) : (tensor<?xi32>) -> ()
  }, {}) : (index) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// Nor is what IREE makes with a sum.
// CHECK-LABEL: func.func @reads_what_a_sum_is_widened_to
// CHECK: %[[SUM:.*]] = linalg.reduce
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[SUM]]
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[WIDE]])
// CHECK: "flow.return"(%[[APART]])
func.func @reads_what_a_sum_is_widened_to(%x: tensor<8x4xi8>, %init: tensor<8xi8>) -> tensor<8xi32> {
  %s = linalg.reduce {arith.addi} ins(%x : tensor<8x4xi8>) outs(%init : tensor<8xi8>) dimensions = [1]
  %e = tensor.empty() : tensor<8xi32>
  %f = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%s : tensor<8xi8>) outs(%e : tensor<8xi32>) {
  ^bb0(%in: i8, %out: i32):
    %1 = arith.extsi %in : i8 to i32
    linalg.yield %1 : i32
  } -> tensor<8xi32>
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    "flow.return"(%f) : (tensor<8xi32>) -> ()
  }, {}) : () -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// What is made of no tensor is hidden, and no dispatch of its own.
// CHECK-LABEL: func.func @of_what_is_filled_only
// CHECK: %[[FILLED:.*]] = linalg.fill
// CHECK: %[[HIDDEN:.*]] = "util.optimization_barrier"(%[[FILLED]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: "flow.dispatch.region"
// CHECK: "flow.return"(%[[HIDDEN]], %{{.*}})
func.func @of_what_is_filled_only() -> (tensor<8xf32>, tensor<8xi8>) {
  %x = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0:2 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %1 = tensor.empty() : tensor<8xi8>
    "flow.return"(%f, %1) : (tensor<8xf32>, tensor<8xi8>) -> ()
  }, {}) : () -> (tensor<8xf32>, tensor<8xi8>)
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xi8>
}

// Nor is what is made of such.
// CHECK-LABEL: func.func @of_widened_numbers
// CHECK: %[[NUMBERS:.*]] = linalg.generic
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[NUMBERS]]
// CHECK: %[[HIDDEN:.*]] = "util.optimization_barrier"(%[[WIDE]])
// CHECK: "flow.return"(%[[HIDDEN]])
func.func @of_widened_numbers() -> tensor<8xi32> {
  %e = tensor.empty() : tensor<8xi8>
  %n = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<8xi8>) {
  ^bb0(%out: i8):
    %i = linalg.index 0 : index
    %1 = arith.index_cast %i : index to i8
    linalg.yield %1 : i8
  } -> tensor<8xi8>
  %e2 = tensor.empty() : tensor<8xi32>
  %f = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%n : tensor<8xi8>) outs(%e2 : tensor<8xi32>) {
  ^bb0(%in: i8, %out: i32):
    %1 = arith.extsi %in : i8 to i32
    linalg.yield %1 : i32
  } -> tensor<8xi32>
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    "flow.return"(%f) : (tensor<8xi32>) -> ()
  }, {}) : () -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// CHECK-LABEL: func.func @pad_of_a_pad
// CHECK: %[[INNER:.*]] = tensor.pad %{{.*}} low[1]
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[INNER]]) : (tensor<10xf32>) -> tensor<10xf32>
// CHECK: tensor.pad %[[APART]] low[2]
func.func @pad_of_a_pad(%x: tensor<8xf32>, %a: f32, %b: f32) -> tensor<13xf32> {
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %a : f32
  } : tensor<8xf32> to tensor<10xf32>
  %1 = tensor.pad %0 low[2] high[1] {
  ^bb0(%i: index):
    tensor.yield %b : f32
  } : tensor<10xf32> to tensor<13xf32>
  return %1 : tensor<13xf32>
}

// CHECK-LABEL: func.func @pad_of_what_is_given
// CHECK-NOT: util
func.func @pad_of_what_is_given(%x: tensor<8xf32>, %a: f32) -> tensor<10xf32> {
  %0 = tensor.pad %x low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %a : f32
  } : tensor<8xf32> to tensor<10xf32>
  return %0 : tensor<10xf32>
}

// CHECK-LABEL: func.func @pad_of_what_is_scattered_to
// CHECK: %[[MADE:.*]] = "iree_linalg_ext.scatter"
// CHECK: %[[APART:.*]] = "util.optimization_barrier"(%[[MADE]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: tensor.pad %[[APART]]
func.func @pad_of_what_is_scattered_to(%u: tensor<2xf32>, %i: tensor<2x1xi32>, %m: tensor<2xi1>, %x: tensor<8xf32>, %b: f32) -> tensor<11xf32> {
  %0 = "iree_linalg_ext.scatter"(%u, %i, %m, %x) <{dimension_map = array<i64: 0>, unique_indices = true}> ({
  ^bb0(%new: f32, %old: f32):
    "iree_linalg_ext.yield"(%new) : (f32) -> ()
  }) : (tensor<2xf32>, tensor<2x1xi32>, tensor<2xi1>, tensor<8xf32>) -> tensor<8xf32>
  %1 = tensor.pad %0 low[2] high[1] {
  ^bb0(%j: index):
    tensor.yield %b : f32
  } : tensor<8xf32> to tensor<11xf32>
  return %1 : tensor<11xf32>
}

// What a sum over windows begins with is filled.
// CHECK-LABEL: func.func @windows
// CHECK: %[[HIDDEN:.*]] = arith.bitcast %{{.*}} : i32 to f32
// CHECK: %[[NUMBER:.*]] = complex.create %[[HIDDEN]], %{{.*}} : complex<f32>
// CHECK: %[[START:.*]] = linalg.fill ins(%[[NUMBER]] : complex<f32>)
// CHECK: linalg.generic {{.*}} outs(%[[START]] : tensor<?xcomplex<f32>>)
func.func @windows(%x: tensor<?xcomplex<f32>>, %k: tensor<?xcomplex<f32>>, %parts: tensor<?xf32>, %empty: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%parts : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%0, %0 : tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?xcomplex<f32>>) {
  ^bb0(%re: f32, %im: f32, %out: complex<f32>):
    %z = complex.create %re, %im : complex<f32>
    linalg.yield %z : complex<f32>
  } -> tensor<?xcomplex<f32>>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %k : tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>) outs(%1 : tensor<?xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %b: complex<f32>, %sum: complex<f32>):
    %p = complex.mul %a, %b : complex<f32>
    %s = complex.add %sum, %p : complex<f32>
    linalg.yield %s : complex<f32>
  } -> tensor<?xcomplex<f32>>
  return %2 : tensor<?xcomplex<f32>>
}

// CHECK-LABEL: func.func @no_windows
// CHECK: linalg.fill
// CHECK: %[[START:.*]] = linalg.generic
// CHECK: linalg.generic {{.*}} outs(%[[START]] : tensor<?xcomplex<f32>>)
func.func @no_windows(%x: tensor<?x?xcomplex<f32>>, %parts: tensor<?xf32>, %empty: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.fill ins(%zero : f32) outs(%parts : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%0, %0 : tensor<?xf32>, tensor<?xf32>) outs(%empty : tensor<?xcomplex<f32>>) {
  ^bb0(%re: f32, %im: f32, %out: complex<f32>):
    %z = complex.create %re, %im : complex<f32>
    linalg.yield %z : complex<f32>
  } -> tensor<?xcomplex<f32>>
  %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xcomplex<f32>>) outs(%1 : tensor<?xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %sum: complex<f32>):
    %s = complex.add %sum, %a : complex<f32>
    linalg.yield %s : complex<f32>
  } -> tensor<?xcomplex<f32>>
  return %2 : tensor<?xcomplex<f32>>
}


// What is read both as it is and in another shape is made once, in a dispatch.
// CHECK-LABEL: func.func @read_in_two_shapes
// CHECK: %[[MADE:.*]] = "flow.dispatch.region"
// CHECK: linalg.generic
// CHECK: arith.extf
// CHECK: %[[VIEW:.*]] = tensor.expand_shape %[[MADE]]
// CHECK: "flow.dispatch.region"
// CHECK-DAG: tensor.extract %[[MADE]]
// CHECK-DAG: tensor.extract %[[VIEW]]
#id = affine_map<(i) -> (i)>
func.func @read_in_two_shapes(%x: tensor<4xf16>) -> tensor<1xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf16>) outs(%0 : tensor<4xf32>) {
  ^bb0(%a: f16, %out: f32):
    %3 = arith.extf %a : f16 to f32
    linalg.yield %3 : f32
  } -> tensor<4xf32>
  %v = tensor.expand_shape %m [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  %1 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %c0 = arith.constant 0 : index
    %2 = tensor.empty() : tensor<1xf32>
    %3 = tensor.extract %v[%c0, %c0] : tensor<2x2xf32>
    %4 = tensor.extract %m[%c0] : tensor<4xf32>
    %5 = arith.addf %3, %4 : f32
    %6 = tensor.insert %5 into %2[%c0] : tensor<1xf32>
    "flow.return"(%6) : (tensor<1xf32>) -> ()
  }, {
  }) : () -> tensor<1xf32>
  return %1 : tensor<1xf32>
}
