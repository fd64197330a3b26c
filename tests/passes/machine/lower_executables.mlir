// RUN: wax-opt %s --split-input-file --wax-lower-executables --canonicalize | FileCheck %s

// Each of two workgroups does one of the iterations that are dealt to them, in the memory that it is given.
// CHECK-LABEL: llvm.func @map(
// CHECK-SAME: %[[WORKGROUP:.*]]: i64, %[[IN:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr) {
// CHECK-NOT: alloca
// CHECK-NOT: memcpy
// CHECK: %[[FIRST:.*]] = llvm.mul %[[WORKGROUP]], %{{.*}} : i64
// CHECK: %[[FROM:.*]] = llvm.getelementptr {{.*}}%[[IN]][%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: %[[READ:.*]] = llvm.load %[[FROM]] {{.*}} -> vector<4xf32>
// CHECK: %[[SUM:.*]] = llvm.fadd %[[READ]], %[[READ]] {fastmathFlags = #llvm.fastmath<contract>} : vector<4xf32>
// CHECK: %[[TO:.*]] = llvm.getelementptr {{.*}}%[[OUT]][%{{.*}}]
// CHECK: llvm.store %[[SUM]], %[[TO]]
// CHECK: llvm.return
func.func @map(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>,
               %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %0 = "iree_tensor_ext.dispatch.tensor.load"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 1, 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<2x4xf32>>) -> tensor<2x4xf32>
  %1 = tensor.empty() : tensor<2x4xf32>
  %2 = scf.forall (%i) in (2) shared_outs(%out = %1) -> (tensor<2x4xf32>) {
    %3 = tensor.extract_slice %out[%i, 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<1x4xf32>
    %4 = vector.transfer_read %0[%i, %c0], %zero {in_bounds = [true]} : tensor<2x4xf32>, vector<4xf32>
    %5 = arith.addf %4, %4 : vector<4xf32>
    %6 = vector.transfer_write %5, %3[%c0, %c0] {in_bounds = [true]} : vector<4xf32>, tensor<1x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %6 into %out[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<2x4xf32>
    }
  } {mapping = [#iree_linalg_ext.split_reduction_mapping<0>]}
  "iree_tensor_ext.dispatch.tensor.store"(%2, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 2, 4>, static_strides = array<i64: 1, 1>}> : (tensor<2x4xf32>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x4xf32>>) -> ()
  return
}

// -----

// What is worked in besides is on the stack, taken once; a result is written in another shape than it is made in; and
// a row of no known length is read up to its end, of which a word tells.
// CHECK-LABEL: llvm.func @open(
// CHECK-SAME: %{{.*}}: i64, %[[IN:.*]]: !llvm.ptr, %[[WORD:.*]]: i32, %[[OUT:.*]]: !llvm.ptr) {
// CHECK: llvm.alloca %{{.*}} x f32 {alignment = 64 : i64}
// CHECK: llvm.zext %[[WORD]] : i32 to i64
// CHECK-NOT: alloca
// CHECK: ^bb
// CHECK: llvm.intr.masked.load {{.*}} -> vector<4xf32>
// CHECK: llvm.store
// CHECK-NOT: memcpy
// CHECK: llvm.return
func.func @open(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %arg1: i32,
                %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.index_castui %arg1 : i32 to index
  %tied = "flow.dispatch.tie_shape"(%arg0, %n) : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, index) -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>
  %0 = "iree_tensor_ext.dispatch.tensor.load"(%tied, %n, %n) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, index, index) -> tensor<?xf32>
  %1 = tensor.empty() : tensor<1x4xf32>
  %2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%out = %1) -> (tensor<1x4xf32>) {
    %scratch = tensor.empty() : tensor<4xf32>
    %4 = vector.transfer_read %0[%i], %zero : tensor<?xf32>, vector<4xf32>
    %5 = vector.transfer_write %4, %scratch[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
    %6 = tensor.extract %5[%i] : tensor<4xf32>
    %7 = tensor.insert %6 into %out[%c0, %i] : tensor<1x4xf32>
    scf.yield %7 : tensor<1x4xf32>
  }
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
  "iree_tensor_ext.dispatch.tensor.store"(%3, %arg2) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<4xf32>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) -> ()
  return
}

// -----

// What loops begin anew with is copied, a register's length at a time; numbers in bf16 are kept as integers, and
// computed with as f32.
// CHECK-LABEL: llvm.func @anew(
// CHECK-NOT: bf16
// CHECK: ^bb
// CHECK: %[[COPIED:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<32xi16>
// CHECK: llvm.store %[[COPIED]], %{{.*}} : vector<32xi16>, !llvm.ptr
// CHECK: llvm.fadd %{{.*}} : f32
// CHECK-NOT: bf16
// CHECK: llvm.return
func.func @anew(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xbf16>>,
                %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xbf16>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  %one = arith.constant 1.0 : bf16
  %0 = "iree_tensor_ext.dispatch.tensor.load"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<4xbf16>>) -> tensor<4xbf16>
  %1 = tensor.empty() : tensor<4xbf16>
  %2 = tensor.empty() : tensor<64xbf16>
  %ones = scf.for %i = %c0 to %c64 step %c1 iter_args(%all = %2) -> (tensor<64xbf16>) {
    %3 = tensor.insert %one into %all[%i] : tensor<64xbf16>
    scf.yield %3 : tensor<64xbf16>
  }
  %4 = scf.for %i = %c0 to %c4 step %c1 iter_args(%out = %1) -> (tensor<4xbf16>) {
    %5 = tensor.extract %0[%i] : tensor<4xbf16>
    %6 = tensor.insert %5 into %ones[%i] : tensor<64xbf16>
    %7 = tensor.extract %6[%c0] : tensor<64xbf16>
    %8 = arith.addf %7, %5 : bf16
    %9 = tensor.insert %8 into %out[%i] : tensor<4xbf16>
    scf.yield %9 : tensor<4xbf16>
  }
  "iree_tensor_ext.dispatch.tensor.store"(%4, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<4xbf16>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xbf16>>) -> ()
  return
}

// -----

// Processors that multiply numbers in bf16 are given them as such.
// CHECK-LABEL: llvm.func @products(
// CHECK: %[[BITS:.*]] = llvm.load %{{.*}} : !llvm.ptr -> vector<32xi16>
// CHECK: %[[NUMBERS:.*]] = llvm.bitcast %[[BITS]] : vector<32xi16> to vector<32xbf16>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}, %[[NUMBERS]], %{{.*}})
func.func @products(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<32xbf16>>,
                    %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) {
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : bf16
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %0 = "iree_tensor_ext.dispatch.tensor.load"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 32>, static_strides = array<i64: 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<32xbf16>>) -> tensor<32xbf16>
  %1 = tensor.empty() : tensor<16xf32>
  %2 = vector.transfer_read %0[%c0], %pad {in_bounds = [true]} : tensor<32xbf16>, vector<32xbf16>
  %3 = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%zero, %2, %2) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
  %4 = vector.transfer_write %3, %1[%c0] {in_bounds = [true]} : vector<16xf32>, tensor<16xf32>
  "iree_tensor_ext.dispatch.tensor.store"(%4, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 16>, static_strides = array<i64: 1>}> : (tensor<16xf32>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16xf32>>) -> ()
  return
}
