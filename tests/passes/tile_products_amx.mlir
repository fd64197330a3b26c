// RUN: wax-opt %s --wax-tile-products=processor=amx --canonicalize --cse --split-input-file | FileCheck %s

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// Rows are copied to squares before. A tile is two squares of rows and two of columns, whose words are two rows of the
// panel's factor; four squares sum up, and the last turn is apart.
// CHECK-LABEL: func @pairs
// CHECK-SAME: %[[A:.*]]: tensor<48x96xbf16>, %[[B:.*]]: tensor<96x64xbf16>
// CHECK: "flow.dispatch.region"
// CHECK: vector.transfer_read %[[A]]{{.*}} vector<32xbf16>
// CHECK: vector.bitcast %{{.*}} : vector<32xbf16> to vector<16xi32>
// CHECK: tensor<4x3x256xi32>
// CHECK: "flow.dispatch.region"
// CHECK: tensor.empty() : tensor<2x768xi32>
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilezero.internal"
// CHECK: scf.for {{.*}} -> (!llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx, !llvm.x86_amx)
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.cast.vector.to.tile.v256i32"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"
// CHECK: scf.yield
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"
// CHECK: llvm.call_intrinsic "llvm.x86.cast.tile.to.vector.v256f32"
func.func @pairs(%a: tensor<48x96xbf16>, %b: tensor<96x64xbf16>) -> tensor<48x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<48x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<48x64xf32>) -> tensor<48x64xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x96xbf16>, tensor<96x64xbf16>) outs(%init : tensor<48x64xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %1 = arith.extf %x : bf16 to f32
    %2 = arith.extf %y : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %3, %z : f32
    linalg.yield %4 : f32
  } -> tensor<48x64xf32>
  return %0 : tensor<48x64xf32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d1, d2)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// Bytes have an instruction for either sign of each factor, so that none are raised; 16 rows are one square.
// CHECK-LABEL: func @signs
// CHECK-NOT: arith.xori
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tilezero.internal"
// CHECK-NOT: tilezero
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbusd.internal"
// CHECK: llvm.call_intrinsic "llvm.x86.cast.tile.to.vector.v256i32"
func.func @signs(%a: tensor<16x128xi8>, %b: tensor<64x128xi8>) -> tensor<16x64xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<16x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<16x64xi32>) -> tensor<16x64xi32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<16x128xi8>, tensor<64x128xi8>) outs(%init : tensor<16x64xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %1 = arith.extui %x : i8 to i32
    %2 = arith.extsi %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %3, %z : i32
    linalg.yield %4 : i32
  } -> tensor<16x64xi32>
  return %0 : tensor<16x64xi32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// Floats of 32 bits stay in vectors.
// CHECK-LABEL: func @wide
// CHECK-NOT: x86_amx
// CHECK: vector<6x64xf32>
func.func @wide(%a: tensor<128x80xf32>, %b: tensor<80x300xf32>) -> tensor<128x300xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x300xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x300xf32>) -> tensor<128x300xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x80xf32>, tensor<80x300xf32>) outs(%init : tensor<128x300xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<128x300xf32>
  return %0 : tensor<128x300xf32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#across = affine_map<(d0, d1, d2) -> (d1, d2)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// For many rows all panels are made before, by turns of the factor as it lies; each has all that is summed up, and no
// sum is read back. The other factor is read where it lies.
// CHECK-LABEL: func @panels_before
// CHECK-SAME: %[[A:.*]]: tensor<600x700xf32>, %[[B:.*]]: tensor<190x700xf32>
// CHECK: %[[PANELS:.*]] = "flow.dispatch.region"
// CHECK: vector.transfer_read %[[B]]
// CHECK: tensor<3x704x64xf32>
// CHECK: "flow.dispatch.region"
// CHECK-NOT: vector.transfer_read
// CHECK: scf.for %{{.*}} = %c0 to %c700 step %c2 iter_args({{.*}}) -> (vector<6x64xf32>)
// CHECK: tensor.extract %[[A]]
// CHECK: vector.transfer_read %[[PANELS]]
func.func @panels_before(%a: tensor<600x700xf32>, %b: tensor<190x700xf32>) -> tensor<600x190xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<600x190xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<600x190xf32>) -> tensor<600x190xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #across, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<600x700xf32>, tensor<190x700xf32>) outs(%init : tensor<600x190xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<600x190xf32>
  return %0 : tensor<600x190xf32>
}

// -----

#down = affine_map<(d0, d1, d2) -> (d2, d0)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// A factor whose turns have rows side by side is rearranged for many columns, by vectors. For few rows panels are on
// the stack, and the first one's sums, zeros, are not read.
// CHECK-LABEL: func @turned
// CHECK-SAME: %[[A:.*]]: tensor<600x96xf32>
// CHECK: %[[ROWS:.*]] = "flow.dispatch.region"
// CHECK: vector.transfer_read %[[A]]{{.*}} vector<6xf32>
// CHECK: tensor<16x600x6xf32>
// CHECK: "flow.dispatch.region"
// CHECK: %[[BEGUN:.*]] = arith.cmpi ne
// CHECK: tensor.empty() : tensor<200x64xf32>
// CHECK: vector.broadcast %[[BEGUN]] : i1 to vector<64xi1>
// CHECK: tensor.extract %[[ROWS]]
func.func @turned(%a: tensor<600x96xf32>, %b: tensor<600x512xf32>) -> tensor<96x512xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<96x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<96x512xf32>) -> tensor<96x512xf32>
  %0 = linalg.generic {indexing_maps = [#down, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<600x96xf32>, tensor<600x512xf32>) outs(%init : tensor<96x512xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<96x512xf32>
  return %0 : tensor<96x512xf32>
}
