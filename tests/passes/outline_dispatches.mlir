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

// Numbers of the host are two words each, and so are open sizes, which tensors
// are tied to. Workgroups are counted by the number that they are dealt by.
// CHECK-LABEL: "flow.executable"()
// CHECK: ^bb0(%[[LOAD:.*]]: index):
// CHECK-NEXT: %[[X:.*]], %[[Y:.*]], %[[Z:.*]] = "iree_tensor_ext.dispatch.workgroup_count_from_slice"(%[[LOAD]])
// CHECK-NEXT: %{{.*}} = "iree_tensor_ext.dispatch.workgroup_count_split_reduction_modifier"(%[[X]], %[[Y]], %[[Z]], %[[LOAD]])
// CHECK: func.func @loops_0(%[[IN:.*]]: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?x4xf32>>,
// CHECK-SAME: %[[LOW:[^:]*]]: i32, %[[HIGH:[^:]*]]: i32, %{{[^:]*}}: i32, %{{[^:]*}}: i32,
// CHECK-SAME: %[[OUT:[^:]*]]: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?x4xf32>>)
// CHECK: %[[WIDE:.*]] = arith.extui %[[HIGH]] : i32 to i64
// CHECK: %[[ABOVE:.*]] = arith.shli %[[WIDE]]
// CHECK: %[[BELOW:.*]] = arith.extui %[[LOW]] : i32 to i64
// CHECK: %[[BOTH:.*]] = arith.ori %[[BELOW]], %[[ABOVE]]
// CHECK: %[[SIZE:.*]] = arith.index_castui %[[BOTH]] : i64 to index
// CHECK: %[[NUMBER:.*]] = arith.index_castui
// CHECK: %[[COUNT:.*]] = "iree_tensor_ext.dispatch.workload.ordinal"(%[[NUMBER]]) <{ordinal = 0 : index}>
// CHECK: %[[TIED:.*]] = "flow.dispatch.tie_shape"(%[[IN]], %[[SIZE]])
// CHECK: "iree_tensor_ext.dispatch.tensor.load"(%[[TIED]], %[[SIZE]], %[[SIZE]])
// CHECK-SAME: static_sizes = array<i64: -9223372036854775808, 4>
// CHECK: scf.forall (%{{.*}}) in (%[[COUNT]])
// CHECK: %[[TO:.*]] = "flow.dispatch.tie_shape"(%[[OUT]], %[[SIZE]])
// CHECK: "iree_tensor_ext.dispatch.tensor.store"(%{{.*}}, %[[TO]], %[[SIZE]], %[[SIZE]])
// CHECK-LABEL: func.func @open(
// CHECK-SAME: %[[A:.*]]: tensor<?x4xf32>, %[[N:.*]]: index)
// CHECK: %[[DIM:.*]] = tensor.dim %[[A]]
// CHECK: %[[LONG:.*]] = arith.index_castui %[[DIM]] : index to i64
// CHECK: %[[UPPER:.*]] = arith.shrui %[[LONG]]
// CHECK: %[[FIRST:.*]] = arith.trunci %[[LONG]] : i64 to i32
// CHECK: %[[SECOND:.*]] = arith.trunci %[[UPPER]] : i64 to i32
// CHECK: arith.index_castui %[[N]] : index to i64
// CHECK: "flow.dispatch"(%[[N]], %[[A]], %[[FIRST]], %[[SECOND]], %{{.*}}, %{{.*}}, %[[DIM]], %[[DIM]])
// CHECK-SAME: operandSegmentSizes = array<i32: 1, 5, 1, 1>
func.func @open(%x: tensor<?x4xf32>, %n: index) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %size = tensor.dim %x, %c0 : tensor<?x4xf32>
  %0 = "flow.dispatch.region"(%size) <{operandSegmentSizes = array<i32: 1, 0>}> ({
    %1 = tensor.empty(%size) : tensor<?x4xf32>
    %2 = scf.forall (%i) in (%n) shared_outs(%a = %1) -> (tensor<?x4xf32>) {
      %3 = tensor.extract %x[%i, %c0] : tensor<?x4xf32>
      %4 = tensor.extract_slice %a[%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
      %5 = tensor.insert %3 into %4[%c0, %c0] : tensor<1x4xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %5 into %a[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<?x4xf32>
      }
    } {mapping = [#iree_linalg_ext.split_reduction_mapping<0>]}
    "flow.return"(%2) : (tensor<?x4xf32>) -> ()
  }, {
  }) : (index) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// A size that is known after all is no number, and nothing to count by.
// CHECK-LABEL: "flow.executable"()
// CHECK: "iree_tensor_ext.dispatch.workgroup_count_from_slice"() : ()
// CHECK: func.func @loops_0(%[[IN:[^:]*]]: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>,
// CHECK-SAME: %[[OUT:[^:]*]]: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>)
// CHECK: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: scf.forall (%{{.*}}) in (%[[FOUR]])
// CHECK: "flow.dispatch.tie_shape"(%[[OUT]], %[[FOUR]])
// CHECK-LABEL: func.func @known(
// CHECK: "flow.dispatch"(%{{[^,]*}}, %{{[^,]*}}) <{{.*}}operandSegmentSizes = array<i32: 0, 1, 0, 1>
func.func @known(%x: tensor<4xf32>) -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %0 = "flow.dispatch.region"(%c4) <{operandSegmentSizes = array<i32: 1, 0>}> ({
    %1 = tensor.empty(%c4) : tensor<?xf32>
    %2 = scf.forall (%i) in (%c4) shared_outs(%a = %1) -> (tensor<?xf32>) {
      %3 = tensor.extract_slice %x[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %3 into %a[%i] [1] [1] : tensor<1xf32> into tensor<?xf32>
      }
    } {mapping = [#iree_linalg_ext.split_reduction_mapping<0>]}
    "flow.return"(%2) : (tensor<?xf32>) -> ()
  }, {
  }) : (index) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// Workgroups are counted from 0 by 1.
// CHECK-NOT: flow.executable
// CHECK-LABEL: func.func @from_elsewhere(
func.func @from_elsewhere(%x: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %1 = tensor.empty() : tensor<4xf32>
    %2 = scf.forall (%i) = (%n) to (4) step (1) shared_outs(%a = %1) -> (tensor<4xf32>) {
      %3 = tensor.extract_slice %x[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %3 into %a[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    } {mapping = [#iree_linalg_ext.split_reduction_mapping<0>]}
    "flow.return"(%2) : (tensor<4xf32>) -> ()
  }, {
  }) : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// A count that is made inside, an element of the host's, bits, complex numbers,
// and `linalg`.
// CHECK-NOT: flow.executable
// CHECK-LABEL: func.func @others(
func.func @others(%n: index, %element: f32, %x: tensor<4xf32>, %bits: tensor<4xi1>,
                  %z: tensor<4xcomplex<f32>>)
    -> (tensor<f32>, tensor<4xf32>, tensor<i1>, tensor<complex<f32>>, tensor<4xf32>) {
  %0 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %5 = tensor.extract %x[%n] : tensor<4xf32>
    %6 = arith.addf %5, %element : f32
    %7 = tensor.empty() : tensor<f32>
    %8 = tensor.insert %6 into %7[] : tensor<f32>
    "flow.return"(%8) : (tensor<f32>) -> ()
  }, {
  }) : () -> tensor<f32>
  %c0 = arith.constant 0 : index
  %1 = "flow.dispatch.region"() <{operandSegmentSizes = array<i32: 0, 0>}> ({
    %5 = arith.addi %n, %n : index
    %6 = tensor.empty() : tensor<4xf32>
    %7 = scf.forall (%i) in (%5) shared_outs(%a = %6) -> (tensor<4xf32>) {
      %8 = tensor.extract_slice %x[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %8 into %a[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
      }
    } {mapping = [#iree_linalg_ext.split_reduction_mapping<0>]}
    "flow.return"(%7) : (tensor<4xf32>) -> ()
  }, {
  }) : () -> tensor<4xf32>
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
  return %0, %1, %2, %3, %4 : tensor<f32>, tensor<4xf32>, tensor<i1>, tensor<complex<f32>>, tensor<4xf32>
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
