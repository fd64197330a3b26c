// RUN: wax-opt %s "--wax-tile-products=processor=avx512 captured=1" --canonicalize --cse --split-input-file | FileCheck %s
// RUN: wax-opt %s --wax-tile-products=processor=avx512 --canonicalize --cse --split-input-file | FileCheck %s --check-prefix=GIVEN

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#turned = affine_map<(d0, d1, d2) -> (d1, d2)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// All panels of a factor that is the same in all calls are made before, however few rows there are.
// CHECK-LABEL: func @main
// CHECK: "flow.dispatch.region"
// CHECK: "flow.return"(%{{.*}}) : (tensor<5x80x64xf32>) -> ()
// CHECK: "flow.dispatch.region"
// CHECK: "flow.return"(%{{.*}}) : (tensor<40x300xf32>) -> ()
// GIVEN-LABEL: func @main
// GIVEN-NOT: tensor<5x80x64xf32>
func.func @main(%a: tensor<40x80xf32>, %b: tensor<300x80xf32>) -> tensor<40x300xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<40x300xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<40x300xf32>) -> tensor<40x300xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #turned, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<40x80xf32>, tensor<300x80xf32>) outs(%init : tensor<40x300xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<40x300xf32>
  return %0 : tensor<40x300xf32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// Not of one whose panels would be twice as large: without instructions for it, bf16 is multiplied in f32.
// CHECK-LABEL: func @main
// CHECK-NOT: tensor<5x80x64xf32>
func.func @main(%a: tensor<40x80xbf16>, %b: tensor<80x300xbf16>) -> tensor<40x300xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<40x300xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<40x300xf32>) -> tensor<40x300xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<40x80xbf16>, tensor<80x300xbf16>) outs(%init : tensor<40x300xf32>) {
  ^bb0(%x: bf16, %y: bf16, %z: f32):
    %1 = arith.extf %x : bf16 to f32
    %2 = arith.extf %y : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.addf %3, %z : f32
    linalg.yield %4 : f32
  } -> tensor<40x300xf32>
  return %0 : tensor<40x300xf32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#turned = affine_map<(d0, d1, d2) -> (d1, d2)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// The last argument is the other factor.
// CHECK-LABEL: func @main
// CHECK-NOT: tensor<5x80x64xf32>
func.func @main(%b: tensor<300x80xf32>, %a: tensor<40x80xf32>) -> tensor<40x300xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<40x300xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<40x300xf32>) -> tensor<40x300xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #turned, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<40x80xf32>, tensor<300x80xf32>) outs(%init : tensor<40x300xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<40x300xf32>
  return %0 : tensor<40x300xf32>
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d0, d2)>
#columns = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>

// Few rows of it are copied to the stack as fast as panels are read.
// CHECK-LABEL: func @main
// CHECK-NOT: tensor<5x80x64xf32>
func.func @main(%a: tensor<40x80xf32>, %b: tensor<80x300xf32>) -> tensor<40x300xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<40x300xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<40x300xf32>) -> tensor<40x300xf32>
  %0 = linalg.generic {indexing_maps = [#rows, #columns, #result], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<40x80xf32>, tensor<80x300xf32>) outs(%init : tensor<40x300xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.mulf %x, %y : f32
    %2 = arith.addf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<40x300xf32>
  return %0 : tensor<40x300xf32>
}
