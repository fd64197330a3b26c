// RUN: wax-opt %s --split-input-file --wax-lower-executables --verify-diagnostics

// A result that another tensor is only the beginning of would be copied.
func.func @part(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>,
                %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2xf32>>) {
  %c0 = arith.constant 0 : index
  %0 = "iree_tensor_ext.dispatch.tensor.load"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>) -> tensor<4xf32>
  %1 = tensor.empty() : tensor<4xf32>
  %2 = tensor.extract %0[%c0] : tensor<4xf32>
  %3 = tensor.insert %2 into %1[%c0] : tensor<4xf32>
  %4 = tensor.extract_slice %3[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  // expected-error @below {{writes what is not made in one tensor}}
  "iree_tensor_ext.dispatch.tensor.store"(%4, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 2>, static_strides = array<i64: 1>}> : (tensor<2xf32>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2xf32>>) -> ()
  return
}

// -----

// A stack is not for everything.
func.func @stack(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1xf32>>,
                 %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1xf32>>) {
  %c0 = arith.constant 0 : index
  %0 = "iree_tensor_ext.dispatch.tensor.load"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<1xf32>>) -> tensor<1xf32>
  // expected-error @below {{needs 65600 bytes of its stack}}
  // expected-error @below {{failed to bufferize op}}
  %scratch = tensor.empty() : tensor<16400xf32>
  %1 = tensor.empty() : tensor<1xf32>
  %2 = tensor.extract %0[%c0] : tensor<1xf32>
  %3 = tensor.insert %2 into %scratch[%c0] : tensor<16400xf32>
  %4 = tensor.extract %3[%c0] : tensor<16400xf32>
  %5 = tensor.insert %4 into %1[%c0] : tensor<1xf32>
  "iree_tensor_ext.dispatch.tensor.store"(%5, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<1xf32>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1xf32>>) -> ()
  return
}

// -----

// Neither is memory of a size that is not known.
func.func @open(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1xf32>>, %arg1: i32,
                %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1xf32>>) {
  %c0 = arith.constant 0 : index
  %n = arith.index_castui %arg1 : i32 to index
  %0 = "iree_tensor_ext.dispatch.tensor.load"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (!iree_tensor_ext.dispatch.tensor<readonly:tensor<1xf32>>) -> tensor<1xf32>
  // expected-error @below {{needs memory of an open size}}
  // expected-error @below {{failed to bufferize op}}
  %scratch = tensor.empty(%n) : tensor<?xf32>
  %1 = tensor.empty() : tensor<1xf32>
  %2 = tensor.extract %0[%c0] : tensor<1xf32>
  %3 = tensor.insert %2 into %scratch[%c0] : tensor<?xf32>
  %4 = tensor.extract %3[%c0] : tensor<?xf32>
  %5 = tensor.insert %4 into %1[%c0] : tensor<1xf32>
  "iree_tensor_ext.dispatch.tensor.store"(%5, %arg2) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<1xf32>, !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1xf32>>) -> ()
  return
}
