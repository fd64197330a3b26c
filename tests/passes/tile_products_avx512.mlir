// RUN: wax-opt %s --wax-tile-products=processor=avx512bf16 --canonicalize --cse --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-tile-products=processor=avx512 --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=PLAIN
// RUN: wax-opt %s --wax-tile-products=processor=avxvnni --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=SHORT
// RUN: wax-opt %s --wax-tile-products=processor=avx2 --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=AVX2

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// Six rows of four registers; columns that are left are under a mask in the same loop.
// CHECK-LABEL: func @wide
// CHECK: vector.create_mask %{{.*}} : vector<64xi1>
// CHECK: tensor.empty() : tensor<80x64xf32>
// CHECK: scf.for {{.*}} step %c6
// CHECK: scf.for {{.*}} -> (vector<6x64xf32>)
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
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// Tiles are as narrow as columns are few.
// CHECK-LABEL: func @narrow
// CHECK: tensor.empty() : tensor<80x32xf64>
// CHECK: scf.for {{.*}} -> (vector<6x32xf64>)
func.func @narrow(%a: tensor<128x80xf64>, %b: tensor<80x32xf64>) -> tensor<128x32xf64> {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<128x32xf64>
  %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<128x32xf64>) -> tensor<128x32xf64>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<128x80xf64>, tensor<80x32xf64>) outs(%init : tensor<128x32xf64>) {
  ^bb0(%x: f64, %y: f64, %z: f64):
    %1 = arith.mulf %x, %y : f64
    %2 = arith.addf %1, %z : f64
    linalg.yield %2 : f64
  } -> tensor<128x32xf64>
  return %0 : tensor<128x32xf64>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// Two rows of the panel's factor make one of words; the other factor is read as words where it lies.
// CHECK-LABEL: func @pairs
// CHECK-SAME: %[[A:.*]]: tensor<48x80xbf16>, %[[B:.*]]: tensor<80x64xbf16>
// CHECK-COUNT-1: "flow.dispatch.region"
// CHECK: tensor.empty() : tensor<40x64xi32>
// CHECK: %[[LOW:.*]] = arith.bitcast %{{.*}} : vector<64xbf16> to vector<64xi16>
// CHECK: %[[HIGH:.*]] = arith.bitcast %{{.*}} : vector<64xbf16> to vector<64xi16>
// CHECK: %[[PAIRS:.*]] = vector.interleave %[[LOW]], %[[HIGH]] : vector<64xi16> -> vector<128xi16>
// CHECK: vector.bitcast %[[PAIRS]] : vector<128xi16> to vector<64xi32>
// CHECK: vector.transfer_read %[[A]]{{.*}} vector<2xbf16>
// CHECK: llvm.bitcast %{{.*}} : vector<16xi32> to vector<32xbf16>
// CHECK-COUNT-24: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"({{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// CHECK-NOT: "flow.dispatch.region"
// PLAIN-LABEL: func @pairs
// PLAIN-NOT: llvm
func.func @pairs(%a: tensor<48x80xbf16>, %b: tensor<80x64xbf16>) -> tensor<48x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<48x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<48x64xf32>) -> tensor<48x64xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x80xbf16>, tensor<80x64xbf16>) outs(%init : tensor<48x64xf32>) {
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
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// Signed bytes: those with rows are raised by 128 in a dispatch of their own, 128 times each column is taken away.
// CHECK-LABEL: func @signed_bytes
// CHECK-COUNT-1: "flow.dispatch.region"
// CHECK: vector.transfer_read %{{.*}} : tensor<{{.*}}xi8>, vector<64xi8>
// CHECK: vector.bitcast %{{.*}} : vector<64xi8> to vector<16xi32>
// CHECK: arith.xori %{{.*}} : vector<16xi32>
// CHECK-COUNT-1: "flow.dispatch.region"
// CHECK: tensor.empty() : tensor<{{.*}}x64xi32>
// CHECK: scf.for
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK: arith.subi %{{.*}}, %{{.*}} : vector<64xi32>
// CHECK-COUNT-24: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"({{.*}}) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
// Without that instruction bytes are widened to 16 bits, of both factors, and words have two.
// PLAIN-LABEL: func @signed_bytes
// PLAIN: arith.extsi %{{.*}} : vector<{{.*}}xi8> to vector<{{.*}}xi16>
// PLAIN-COUNT-24: llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"({{.*}}) : (vector<32xi16>, vector<32xi16>) -> vector<16xi32>
// AVX2-LABEL: func @signed_bytes
// AVX2: vector.bitcast %{{.*}} : vector<32xi16> to vector<16xi32>
// AVX2-COUNT-1: "flow.dispatch.region"
// AVX2: tensor.empty() : tensor<{{.*}}x16xi32>
// AVX2: %[[PRODUCTS:.*]] = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"({{.*}}) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
// AVX2-NEXT: arith.addi %{{.*}}, %[[PRODUCTS]] : vector<8xi32>
// AVX2-COUNT-11: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"
// Registers of 32 bytes, two in a row.
// SHORT-LABEL: func @signed_bytes
// SHORT: arith.subi %{{.*}}, %{{.*}} : vector<16xi32>
// SHORT-COUNT-12: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"({{.*}}) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
func.func @signed_bytes(%a: tensor<48x82xi8>, %b: tensor<82x64xi8>) -> tensor<48x64xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<48x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<48x64xi32>) -> tensor<48x64xi32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x82xi8>, tensor<82x64xi8>) outs(%init : tensor<48x64xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %1 = arith.extsi %x : i8 to i32
    %2 = arith.extsi %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %3, %z : i32
    linalg.yield %4 : i32
  } -> tensor<48x64xi32>
  return %0 : tensor<48x64xi32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// One of each kind is what the instruction takes: unsigned ones first. Nothing is raised.
// CHECK-LABEL: func @mixed_bytes
// CHECK-NOT: arith.xori
// CHECK: %[[WORD:.*]] = vector.broadcast %{{.*}} : i32 to vector<16xi32>
// CHECK: %[[SIGNED:.*]] = llvm.bitcast %[[WORD]] : vector<16xi32> to vector<64xi8>
// CHECK: %[[UNSIGNED:.*]] = llvm.bitcast
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"(%{{.*}}, %[[UNSIGNED]], %[[SIGNED]])
// CHECK-NOT: arith.subi {{.*}} vector
func.func @mixed_bytes(%a: tensor<48x80xi8>, %b: tensor<80x64xi8>) -> tensor<48x64xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<48x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<48x64xi32>) -> tensor<48x64xi32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x80xi8>, tensor<80x64xi8>) outs(%init : tensor<48x64xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %1 = arith.extsi %x : i8 to i32
    %2 = arith.extui %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %3, %z : i32
    linalg.yield %4 : i32
  } -> tensor<48x64xi32>
  return %0 : tensor<48x64xi32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// Unsigned ones of both are widened to 16 bits.
// CHECK-LABEL: func @unsigned_bytes
// CHECK: arith.extui %{{.*}} : vector<{{.*}}xi8> to vector<{{.*}}xi16>
// CHECK-COUNT-24: llvm.call_intrinsic "llvm.x86.avx512.pmaddw.d.512"
func.func @unsigned_bytes(%a: tensor<48x80xi8>, %b: tensor<80x64xi8>) -> tensor<48x64xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<48x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<48x64xi32>) -> tensor<48x64xi32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x80xi8>, tensor<80x64xi8>) outs(%init : tensor<48x64xi32>) {
  ^bb0(%x: i8, %y: i8, %z: i32):
    %1 = arith.extui %x : i8 to i32
    %2 = arith.extui %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %3, %z : i32
    linalg.yield %4 : i32
  } -> tensor<48x64xi32>
  return %0 : tensor<48x64xi32>
}
