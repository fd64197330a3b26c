// RUN: wax-opt %s --wax-outline-dispatches --split-input-file | FileCheck %s

// A dispatch of loops becomes an executable: what it reads, what it writes, and
// its body. Two that do the same are one, wherever they stand.
// CHECK-LABEL: "flow.executable"() <{sym_name = "loops_0", sym_visibility = "private"}>
// CHECK: "flow.executable.export"() <{function_ref = @loops_0, sym_name = "loops_0", sym_visibility = "public"}>
// CHECK-NEXT: %[[X:.*]], %[[Y:.*]], %[[Z:.*]] = "iree_tensor_ext.dispatch.workgroup_count_from_slice"()
// CHECK-NEXT: "flow.return"(%[[X]], %[[Y]], %[[Z]])
// CHECK: func.func @loops_0(%[[READ:.*]]: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>,
// CHECK-SAME: %[[WRITTEN:.*]]: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>)
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: %[[IN:.*]] = "iree_tensor_ext.dispatch.tensor.load"(%[[READ]])
// CHECK-SAME: static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: %[[OUT:.*]] = scf.for %{{.*}} = %{{.*}} to %[[FOUR]] {{.*}} iter_args(%{{.*}} = %[[EMPTY]])
// CHECK: tensor.extract %[[IN]]
// CHECK: "iree_tensor_ext.dispatch.tensor.store"(%[[OUT]], %[[WRITTEN]])
// CHECK-NEXT: return
// CHECK: "flow.executable_end"()
// CHECK-NOT: "flow.executable"()
// CHECK-LABEL: func.func @two_alike(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[ONCE:.*]] = "flow.dispatch"(%[[A]]) <{entry_points = [@loops_0::@loops_0]
// CHECK-NEXT: %[[TWICE:.*]] = "flow.dispatch"(%[[ONCE]]) <{entry_points = [@loops_0::@loops_0]
// CHECK-NEXT: return %[[TWICE]]
func.func @two_alike(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %2 = tensor.empty() : tensor<4xf32>
    %3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %2) -> (tensor<4xf32>) {
      %4 = tensor.extract %x[%i] : tensor<4xf32>
      %5 = arith.mulf %4, %4 : f32
      %6 = tensor.insert %5 into %a[%i] : tensor<4xf32>
      scf.yield %6 : tensor<4xf32>
    }
    "flow.return"(%3) : (tensor<4xf32>) -> ()
  }, {
  }) : () -> tensor<4xf32>
  %1 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %2 = tensor.empty() : tensor<4xf32>
    %3 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %2) -> (tensor<4xf32>) {
      %4 = tensor.extract %0[%i] : tensor<4xf32>
      %5 = arith.mulf %4, %4 : f32
      %6 = tensor.insert %5 into %a[%i] : tensor<4xf32>
      scf.yield %6 : tensor<4xf32>
    }
    "flow.return"(%3) : (tensor<4xf32>) -> ()
  }, {
  }) : () -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// Nearly alike: another operation, an attribute of one, or another order of the
// same operands.
// CHECK-COUNT-4: "flow.executable"()
// CHECK-LABEL: func.func @nearly_alike(
// CHECK: @loops_0::@loops_0
// CHECK: @loops_1::@loops_1
// CHECK: @loops_2::@loops_2
// CHECK: @loops_3::@loops_3
func.func @nearly_alike(%x: tensor<f32>, %y: tensor<f32>)
    -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %a = tensor.extract %x[] : tensor<f32>
    %b = tensor.extract %y[] : tensor<f32>
    %4 = arith.subf %a, %b : f32
    %5 = tensor.empty() : tensor<f32>
    %6 = tensor.insert %4 into %5[] : tensor<f32>
    "flow.return"(%6) : (tensor<f32>) -> ()
  }, {
  }) : () -> tensor<f32>
  %1 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %a = tensor.extract %x[] : tensor<f32>
    %b = tensor.extract %y[] : tensor<f32>
    %4 = arith.addf %a, %b : f32
    %5 = tensor.empty() : tensor<f32>
    %6 = tensor.insert %4 into %5[] : tensor<f32>
    "flow.return"(%6) : (tensor<f32>) -> ()
  }, {
  }) : () -> tensor<f32>
  %2 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %a = tensor.extract %x[] : tensor<f32>
    %b = tensor.extract %y[] : tensor<f32>
    %4 = arith.subf %a, %b fastmath<contract> : f32
    %5 = tensor.empty() : tensor<f32>
    %6 = tensor.insert %4 into %5[] : tensor<f32>
    "flow.return"(%6) : (tensor<f32>) -> ()
  }, {
  }) : () -> tensor<f32>
  %3 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %a = tensor.extract %x[] : tensor<f32>
    %b = tensor.extract %y[] : tensor<f32>
    %4 = arith.subf %b, %a : f32
    %5 = tensor.empty() : tensor<f32>
    %6 = tensor.insert %4 into %5[] : tensor<f32>
    "flow.return"(%6) : (tensor<f32>) -> ()
  }, {
  }) : () -> tensor<f32>
  return %0, %1, %2, %3 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// Workgroups that a loop is dealt to are counted by IREE, in the executable. Its
// results need no barrier to stay; others' do, and what reads a barrier.
// CHECK-LABEL: "flow.executable"()
// CHECK: %[[X:.*]], %[[Y:.*]], %[[Z:.*]] = "iree_tensor_ext.dispatch.workgroup_count_from_slice"()
// CHECK-NEXT: %[[A:.*]], %[[B:.*]], %[[C:.*]] = "iree_tensor_ext.dispatch.workgroup_count_split_reduction_modifier"(%[[X]], %[[Y]], %[[Z]])
// CHECK-NEXT: "flow.return"(%[[A]], %[[B]], %[[C]])
// CHECK: scf.forall
// CHECK-LABEL: func.func @workgroups(
// CHECK-NEXT: %[[RESULTS:.*]]:2 = "flow.dispatch"(%{{.*}})
// CHECK-NEXT: "util.optimization_barrier"(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[APART:.*]] = "util.optimization_barrier"(%[[RESULTS]]#1)
// CHECK-NEXT: return %[[APART]]
func.func @workgroups(%x: tensor<8xf32>, %y: tensor<4xf32>) -> tensor<8xf32> {
  %0:2 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %2 = tensor.empty() : tensor<8xf32>
    %3 = tensor.empty() : tensor<8xf32>
    %4:2 = scf.forall (%i) in (2) shared_outs(%a = %2, %b = %3) -> (tensor<8xf32>, tensor<8xf32>) {
      %5 = tensor.extract %x[%i] : tensor<8xf32>
      %c4 = arith.constant 4 : index
      %6 = arith.muli %i, %c4 : index
      %7 = tensor.extract_slice %a[%6] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %8 = tensor.insert %5 into %7[%i] : tensor<4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %8 into %a[%6] [4] [1] : tensor<4xf32> into tensor<8xf32>
        tensor.parallel_insert_slice %8 into %b[%6] [4] [1] : tensor<4xf32> into tensor<8xf32>
      }
    } {mapping = [#iree_linalg_ext.split_reduction_mapping<0>]}
    "flow.return"(%4#0, %4#1) : (tensor<8xf32>, tensor<8xf32>) -> ()
  }, {
  }) : () -> (tensor<8xf32>, tensor<8xf32>)
  %1 = "util.optimization_barrier"(%0#0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = "util.optimization_barrier"(%y) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "util.optimization_barrier"(%0#1) : (tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

// Rows that lie side by side are read where they are.
// CHECK-LABEL: "flow.executable"()
// CHECK-LABEL: func.func @rows_together(
// CHECK: %[[ROWS:.*]] = tensor.extract_slice
// CHECK: "flow.dispatch"(%[[ROWS]])
func.func @rows_together(%x: tensor<4x4xf32>) -> tensor<f32> {
  %0 = tensor.extract_slice %x[1, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
  %1 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %c1 = arith.constant 1 : index
    %2 = tensor.extract %0[%c1, %c1] : tensor<2x4xf32>
    %3 = tensor.empty() : tensor<f32>
    %4 = tensor.insert %2 into %3[] : tensor<f32>
    "flow.return"(%4) : (tensor<f32>) -> ()
  }, {
  }) : () -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// Rows that lie apart, IREE reads in the dispatch.
// CHECK-NOT: flow.executable
// CHECK-LABEL: func.func @rows_apart(
func.func @rows_apart(%x: tensor<4x4xf32>) -> tensor<f32> {
  %0 = tensor.extract_slice %x[0, 1] [4, 2] [1, 1] : tensor<4x4xf32> to tensor<4x2xf32>
  %collapsed = tensor.collapse_shape %0 [[0, 1]] : tensor<4x2xf32> into tensor<8xf32>
  %1 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %c1 = arith.constant 1 : index
    %2 = tensor.extract %collapsed[%c1] : tensor<8xf32>
    %3 = tensor.empty() : tensor<f32>
    %4 = tensor.insert %2 into %3[] : tensor<f32>
    "flow.return"(%4) : (tensor<f32>) -> ()
  }, {
  }) : () -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// What is updated in place, IREE ties to what it was.
// CHECK-NOT: flow.executable
// CHECK-LABEL: func.func @in_place(
func.func @in_place(%x: tensor<4xf32>, %y: tensor<f32>) -> tensor<4xf32> {
  %c2 = arith.constant 2 : index
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %1 = tensor.extract %y[] : tensor<f32>
    %2 = tensor.insert %1 into %x[%c2] : tensor<4xf32>
    "flow.return"(%2) : (tensor<4xf32>) -> ()
  }, {
  }) : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A number of the host's, an open size, bits, complex numbers, and `linalg`.
// CHECK-NOT: flow.executable
// CHECK-LABEL: func.func @others(
func.func @others(%n: index, %x: tensor<4xf32>, %open: tensor<?xf32>, %bits: tensor<4xi1>,
                  %z: tensor<4xcomplex<f32>>)
    -> (tensor<f32>, tensor<f32>, tensor<i1>, tensor<complex<f32>>, tensor<4xf32>) {
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %5 = tensor.extract %x[%n] : tensor<4xf32>
    %6 = tensor.empty() : tensor<f32>
    %7 = tensor.insert %5 into %6[] : tensor<f32>
    "flow.return"(%7) : (tensor<f32>) -> ()
  }, {
  }) : () -> tensor<f32>
  %c0 = arith.constant 0 : index
  %1 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %5 = tensor.extract %open[%c0] : tensor<?xf32>
    %6 = tensor.empty() : tensor<f32>
    %7 = tensor.insert %5 into %6[] : tensor<f32>
    "flow.return"(%7) : (tensor<f32>) -> ()
  }, {
  }) : () -> tensor<f32>
  %2 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %5 = tensor.extract %bits[%c0] : tensor<4xi1>
    %6 = tensor.empty() : tensor<i1>
    %7 = tensor.insert %5 into %6[] : tensor<i1>
    "flow.return"(%7) : (tensor<i1>) -> ()
  }, {
  }) : () -> tensor<i1>
  %3 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %5 = tensor.extract %z[%c0] : tensor<4xcomplex<f32>>
    %6 = tensor.empty() : tensor<complex<f32>>
    %7 = tensor.insert %5 into %6[] : tensor<complex<f32>>
    "flow.return"(%7) : (tensor<complex<f32>>) -> ()
  }, {
  }) : () -> tensor<complex<f32>>
  %4 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %5 = tensor.empty() : tensor<4xf32>
    %6 = linalg.copy ins(%x : tensor<4xf32>) outs(%5 : tensor<4xf32>) -> tensor<4xf32>
    "flow.return"(%6) : (tensor<4xf32>) -> ()
  }, {
  }) : () -> tensor<4xf32>
  return %0, %1, %2, %3, %4 : tensor<f32>, tensor<f32>, tensor<i1>, tensor<complex<f32>>, tensor<4xf32>
}

// -----

// What depends on constants only, IREE does once for all calls.
// CHECK-NOT: flow.executable
// CHECK-LABEL: func.func @constants(
func.func @constants() -> tensor<f32> {
  %table = arith.constant dense<"0x0000803F000000400000404000008040"> : tensor<4xf32>
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %c0 = arith.constant 0 : index
    %1 = tensor.extract %table[%c0] : tensor<4xf32>
    %2 = tensor.empty() : tensor<f32>
    %3 = tensor.insert %1 into %2[] : tensor<f32>
    "flow.return"(%3) : (tensor<f32>) -> ()
  }, {
  }) : () -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// A symbol of the same name is another's.
// CHECK-LABEL: "flow.executable"() <{sym_name = "loops_0_0"
// CHECK: func.func @loops_0_0(
// CHECK: func.func private @loops_0()
// CHECK: @loops_0_0::@loops_0_0
func.func private @loops_0()
func.func @named(%x: tensor<f32>) -> tensor<f32> {
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %1 = tensor.extract %x[] : tensor<f32>
    %2 = tensor.empty() : tensor<f32>
    %3 = tensor.insert %1 into %2[] : tensor<f32>
    "flow.return"(%3) : (tensor<f32>) -> ()
  }, {
  }) : () -> tensor<f32>
  return %0 : tensor<f32>
}
