// RUN: wax-opt %s --wax-split-complex --cse --split-input-file | FileCheck %s --implicit-check-not=complex

// Functions: two arguments and results for each, with the attributes of the whole.

// CHECK-LABEL: func @signature
// CHECK-SAME: (%[[RE:.*]]: tensor<?xf32> {wax.dims = #{{.*}}, wax.donated, wax.name = "z", wax.part = "re"}
// CHECK-SAME: %[[IM:.*]]: tensor<?xf32> {wax.dims = #{{.*}}, wax.donated, wax.name = "z", wax.part = "im"}
// CHECK-SAME: %[[X:.*]]: tensor<3xf64> {wax.name = "x"})
// CHECK-SAME: -> (tensor<3xf64>, tensor<?xf32> {wax.dims = #{{.*}}, wax.part = "re"}, tensor<?xf32> {wax.dims = #{{.*}}, wax.part = "im"})
// CHECK-SAME: attributes {wax.symbols =
// CHECK: return %[[X]], %[[RE]], %[[IM]]
func.func @signature(
    %z: tensor<?xcomplex<f32>> {wax.name = "z", wax.dims = affine_map<()[s0] -> (s0)>, wax.donated},
    %x: tensor<3xf64> {wax.name = "x"})
    -> (tensor<3xf64>, tensor<?xcomplex<f32>> {wax.dims = affine_map<()[s0] -> (s0)>})
    attributes {wax.symbols = [{name = "n", min = 2 : i64, max = 64 : i64}]} {
  return %x, %z : tensor<3xf64>, tensor<?xcomplex<f32>>
}

// CHECK: func private @callee(tensor<2xf64> {wax.part = "re"}, tensor<2xf64> {wax.part = "im"}, i32) -> (f64 {wax.part = "re"}, f64 {wax.part = "im"})
func.func private @callee(tensor<2xcomplex<f64>>, i32) -> complex<f64>

// CHECK-LABEL: func @call
// CHECK: %[[R:.*]]:2 = call @callee(%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<2xf64>, tensor<2xf64>, i32) -> (f64, f64)
// CHECK: return %[[R]]#1
func.func @call(%z: tensor<2xcomplex<f64>>, %i: i32) -> f64 {
  %0 = call @callee(%z, %i) : (tensor<2xcomplex<f64>>, i32) -> complex<f64>
  %1 = complex.im %0 : complex<f64>
  return %1 : f64
}

// -----

// Arithmetic on scalars. The sum less what was added is not what there was: sums round.

// CHECK-LABEL: func @arithmetic
// CHECK-SAME: (%[[ARE:.*]]: f32 {wax.part = "re"}, %[[AIM:.*]]: f32 {wax.part = "im"}, %[[BRE:.*]]: f32 {{.*}}, %[[BIM:.*]]: f32
// CHECK-DAG: %[[SRE:.*]] = arith.addf %[[ARE]], %[[BRE]] fastmath<nnan>
// CHECK-DAG: %[[SIM:.*]] = arith.addf %[[AIM]], %[[BIM]] fastmath<nnan>
// CHECK-DAG: %[[DRE:.*]] = arith.subf %[[SRE]], %[[BRE]]
// CHECK-DAG: %[[DIM:.*]] = arith.subf %[[SIM]], %[[BIM]]
// CHECK-DAG: %[[NRE:.*]] = arith.negf %[[DRE]]
// CHECK-DAG: %[[NIM:.*]] = arith.negf %[[DIM]]
// CHECK-DAG: %[[CIM:.*]] = arith.negf %[[AIM]]
// CHECK: return %[[NRE]], %[[NIM]], %[[ARE]], %[[CIM]]
func.func @arithmetic(%a: complex<f32>, %b: complex<f32>) -> (complex<f32>, complex<f32>) {
  %sum = complex.add %a, %b fastmath<nnan> : complex<f32>
  %difference = complex.sub %sum, %b : complex<f32>
  %negated = complex.neg %difference : complex<f32>
  %conjugate = complex.conj %a : complex<f32>
  return %negated, %conjugate : complex<f32>, complex<f32>
}

// CHECK-LABEL: func @comparisons
// CHECK-DAG: %[[E0:.*]] = arith.cmpf oeq, %arg0, %arg2
// CHECK-DAG: %[[E1:.*]] = arith.cmpf oeq, %arg1, %arg3
// CHECK-DAG: %[[E:.*]] = arith.andi %[[E0]], %[[E1]]
// CHECK-DAG: %[[N0:.*]] = arith.cmpf une, %arg0, %arg2
// CHECK-DAG: %[[N1:.*]] = arith.cmpf une, %arg1, %arg3
// CHECK-DAG: %[[N:.*]] = arith.ori %[[N0]], %[[N1]]
// CHECK: return %[[E]], %[[N]]
func.func @comparisons(%a: complex<f64>, %b: complex<f64>) -> (i1, i1) {
  %0 = complex.eq %a, %b : complex<f64>
  %1 = complex.neq %a, %b : complex<f64>
  return %0, %1 : i1, i1
}

// CHECK-LABEL: func @parts
// CHECK: return %arg1, %arg0
func.func @parts(%x: f32, %y: f32) -> (f32, f32) {
  %z = complex.create %x, %y : complex<f32>
  %re = complex.re %z : complex<f32>
  %im = complex.im %z : complex<f32>
  return %im, %re : f32, f32
}

// CHECK-LABEL: func @constants
// CHECK-DAG: %[[A:.*]] = arith.constant dense<[1.0{{.*}}, 3.0{{.*}}]> : tensor<2xf32>
// CHECK-DAG: %[[B:.*]] = arith.constant dense<[-2.0{{.*}}, 0x7FC00000]> : tensor<2xf32>
// CHECK-DAG: %[[C:.*]] = arith.constant dense<5.0{{.*}}> : tensor<2x3xf64>
// CHECK-DAG: %[[D:.*]] = arith.constant dense<-0.0{{.*}}> : tensor<2x3xf64>
// CHECK-DAG: %[[E:.*]] = arith.constant dense<> : tensor<0xf32>
// CHECK-DAG: %[[F:.*]] = arith.constant 7.0{{.*}} : f32
// CHECK-DAG: %[[G:.*]] = arith.constant 8.0{{.*}} : f32
// CHECK: return %[[A]], %[[B]], %[[C]], %[[D]], %[[E]], %[[E]], %[[F]], %[[G]]
func.func @constants() -> (tensor<2xcomplex<f32>>, tensor<2x3xcomplex<f64>>, tensor<0xcomplex<f32>>, complex<f32>) {
  %0 = arith.constant dense<[(1.0, -2.0), (3.0, 0x7FC00000)]> : tensor<2xcomplex<f32>>
  %1 = arith.constant dense<(5.0, -0.0)> : tensor<2x3xcomplex<f64>>
  %2 = arith.constant dense<> : tensor<0xcomplex<f32>>
  %3 = complex.constant [7.0 : f32, 8.0 : f32] : complex<f32>
  return %0, %1, %2, %3 : tensor<2xcomplex<f32>>, tensor<2x3xcomplex<f64>>, tensor<0xcomplex<f32>>, complex<f32>
}

// CHECK-LABEL: func @select
// CHECK: %[[RE:.*]] = arith.select %arg0, %arg1, %arg3 : tensor<?xf32>
// CHECK: %[[IM:.*]] = arith.select %arg0, %arg2, %arg4 : tensor<?xf32>
// CHECK: return %[[RE]], %[[IM]]
func.func @select(%c: i1, %a: tensor<?xcomplex<f32>>, %b: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %0 = arith.select %c, %a, %b : tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// -----

// What moves numbers does so with each part.

// CHECK-LABEL: func @shapes
// CHECK-COUNT-2: tensor.expand_shape %{{.*}} : tensor<?xf32> into tensor<?x2xf32>
// CHECK-COUNT-2: tensor.extract_slice %{{.*}} : tensor<?x2xf32> to tensor<1x2xf32>
// CHECK-COUNT-2: tensor.insert_slice %{{.*}} : tensor<1x2xf32> into tensor<?x2xf32>
// CHECK-COUNT-2: tensor.collapse_shape %{{.*}} : tensor<?x2xf32> into tensor<?xf32>
// CHECK-COUNT-2: tensor.concat dim(0) %{{.*}} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// CHECK-COUNT-2: tensor.reshape %{{.*}} : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x?xf32>
// CHECK-COUNT-2: tensor.cast %{{.*}} : tensor<?x?xf32> to tensor<*xf32>
func.func @shapes(%z: tensor<?xcomplex<f32>>, %n: index, %i: index, %shape: tensor<2xindex>) -> tensor<*xcomplex<f32>> {
  %0 = tensor.expand_shape %z [[0, 1]] output_shape [%n, 2] : tensor<?xcomplex<f32>> into tensor<?x2xcomplex<f32>>
  %1 = tensor.extract_slice %0[%i, 0] [1, 2] [1, 1] : tensor<?x2xcomplex<f32>> to tensor<1x2xcomplex<f32>>
  %2 = tensor.insert_slice %1 into %0[0, 0] [1, 2] [1, 1] : tensor<1x2xcomplex<f32>> into tensor<?x2xcomplex<f32>>
  %3 = tensor.collapse_shape %2 [[0, 1]] : tensor<?x2xcomplex<f32>> into tensor<?xcomplex<f32>>
  %4 = tensor.concat dim(0) %3, %z : (tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
  %5 = tensor.reshape %4(%shape) : (tensor<?xcomplex<f32>>, tensor<2xindex>) -> tensor<?x?xcomplex<f32>>
  %6 = tensor.cast %5 : tensor<?x?xcomplex<f32>> to tensor<*xcomplex<f32>>
  return %6 : tensor<*xcomplex<f32>>
}

// CHECK-LABEL: func @elements
// CHECK: %[[N:.*]] = tensor.dim %arg0, %{{.*}} : tensor<?xf64>
// CHECK: %[[RE:.*]] = tensor.extract %arg0[%[[I:.*]]] : tensor<?xf64>
// CHECK: %[[IM:.*]] = tensor.extract %arg1[%[[I]]] : tensor<?xf64>
// CHECK: %[[INTO_RE:.*]] = tensor.insert %[[RE]] into %arg0[%{{.*}}]
// CHECK: %[[INTO_IM:.*]] = tensor.insert %[[IM]] into %arg1[%{{.*}}]
// CHECK: %[[ALL_RE:.*]] = tensor.from_elements %[[RE]], %[[RE]] : tensor<2xf64>
// CHECK: %[[ALL_IM:.*]] = tensor.from_elements %[[IM]], %[[IM]] : tensor<2xf64>
// CHECK: %[[SPLAT_RE:.*]] = tensor.splat %[[RE]] : tensor<4xf64>
// CHECK: %[[SPLAT_IM:.*]] = tensor.splat %[[IM]] : tensor<4xf64>
// CHECK: return %[[N]], %[[INTO_RE]], %[[INTO_IM]], %[[ALL_RE]], %[[ALL_IM]], %[[SPLAT_RE]], %[[SPLAT_IM]]
func.func @elements(%z: tensor<?xcomplex<f64>>, %i: index)
    -> (index, tensor<?xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<4xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %z, %c0 : tensor<?xcomplex<f64>>
  %e = tensor.extract %z[%i] : tensor<?xcomplex<f64>>
  %0 = tensor.insert %e into %z[%c0] : tensor<?xcomplex<f64>>
  %1 = tensor.from_elements %e, %e : tensor<2xcomplex<f64>>
  %2 = tensor.splat %e : tensor<4xcomplex<f64>>
  return %n, %0, %1, %2 : index, tensor<?xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<4xcomplex<f64>>
}

// The padding is a number from outside, or one that the region makes.

// CHECK-LABEL: func @pad
// CHECK: %[[RE:.*]] = tensor.pad %arg0 low[1] high[2]
// CHECK: tensor.yield %arg2 : f32
// CHECK: %[[IM:.*]] = tensor.pad %arg1 low[1] high[2]
// CHECK: tensor.yield %arg3 : f32
// CHECK: tensor.pad %[[RE]] low[0] high[1]
// CHECK: tensor.extract %arg0
// CHECK: arith.negf
// CHECK: tensor.pad %[[IM]] low[0] high[1]
// CHECK: tensor.extract %arg1
// CHECK: arith.negf
func.func @pad(%z: tensor<?xcomplex<f32>>, %value: complex<f32>) -> tensor<?xcomplex<f32>> {
  %0 = tensor.pad %z low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %value : complex<f32>
  } : tensor<?xcomplex<f32>> to tensor<?xcomplex<f32>>
  %1 = tensor.pad %0 low[0] high[1] {
  ^bb0(%i: index):
    %e = tensor.extract %z[%i] : tensor<?xcomplex<f32>>
    %n = complex.neg %e : complex<f32>
    tensor.yield %n : complex<f32>
  } : tensor<?xcomplex<f32>> to tensor<?xcomplex<f32>>
  return %1 : tensor<?xcomplex<f32>>
}

// CHECK-LABEL: func @generate
// CHECK: %[[RE:.*]] = tensor.generate
// CHECK: tensor.extract %arg0
// CHECK: } : tensor<?xf32>
// CHECK: %[[IM:.*]] = tensor.generate
// CHECK: tensor.extract %arg1
// CHECK: } : tensor<?xf32>
// CHECK: return %[[RE]], %[[IM]]
func.func @generate(%z: tensor<?xcomplex<f32>>, %n: index) -> tensor<?xcomplex<f32>> {
  %0 = tensor.generate %n {
  ^bb0(%i: index):
    %e = tensor.extract %z[%i] : tensor<?xcomplex<f32>>
    tensor.yield %e : complex<f32>
  } : tensor<?xcomplex<f32>>
  return %0 : tensor<?xcomplex<f32>>
}

// CHECK-LABEL: func @named
// CHECK: tensor.empty(%arg4) : tensor<2x?xf32>
// CHECK: linalg.fill ins(%arg2 : f32)
// CHECK: linalg.fill ins(%arg3 : f32)
// CHECK-COUNT-2: linalg.transpose ins(%{{.*}} : tensor<?x2xf32>) outs(%{{.*}} : tensor<2x?xf32>) permutation = [1, 0]
// CHECK-COUNT-2: linalg.copy
// CHECK-COUNT-2: linalg.broadcast ins(%{{.*}} : tensor<2x?xf32>) outs(%{{.*}} : tensor<2x3x?xf32>) dimensions = [1]
func.func @named(%z: tensor<?x2xcomplex<f32>>, %value: complex<f32>, %n: index, %wide: tensor<2x3x?xcomplex<f32>>) -> tensor<2x3x?xcomplex<f32>> {
  %0 = tensor.empty(%n) : tensor<2x?xcomplex<f32>>
  %1 = linalg.fill ins(%value : complex<f32>) outs(%0 : tensor<2x?xcomplex<f32>>) -> tensor<2x?xcomplex<f32>>
  %2 = linalg.transpose ins(%z : tensor<?x2xcomplex<f32>>) outs(%1 : tensor<2x?xcomplex<f32>>) permutation = [1, 0]
  %3 = linalg.copy ins(%2 : tensor<2x?xcomplex<f32>>) outs(%1 : tensor<2x?xcomplex<f32>>) -> tensor<2x?xcomplex<f32>>
  %4 = linalg.broadcast ins(%3 : tensor<2x?xcomplex<f32>>) outs(%wide : tensor<2x3x?xcomplex<f32>>) dimensions = [1]
  return %4 : tensor<2x3x?xcomplex<f32>>
}

// -----

// A generic computes both parts in one.

// CHECK: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @generic
// CHECK: %[[R:.*]]:3 = linalg.generic
// CHECK-SAME: indexing_maps = [#[[$ID]], #[[$ID]], #[[$ID]], #[[$ROW]], #[[$ROW]], #[[$ID]]]
// CHECK-SAME: iterator_types = ["parallel", "reduction"]
// CHECK-SAME: ins(%arg0, %arg1, %arg2 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xi32>)
// CHECK-SAME: outs(%arg3, %arg4, %arg5 : tensor<?xf32>, tensor<?xf32>, tensor<?x4xi32>)
// CHECK-SAME: attrs = {tag = "kept"}
// CHECK-NEXT: ^bb0(%[[ARE:.*]]: f32, %[[AIM:.*]]: f32, %[[I:.*]]: i32, %[[SRE:.*]]: f32, %[[SIM:.*]]: f32, %{{.*}}: i32):
// CHECK-NEXT: %[[TRE:.*]] = arith.addf %[[SRE]], %[[ARE]]
// CHECK-NEXT: %[[TIM:.*]] = arith.addf %[[SIM]], %[[AIM]]
// CHECK-NEXT: linalg.yield %[[TRE]], %[[TIM]], %[[I]] : f32, f32, i32
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @generic(%z: tensor<?x4xcomplex<f32>>, %k: tensor<?x4xi32>, %init: tensor<?xcomplex<f32>>, %copy: tensor<?x4xi32>)
    -> (tensor<?xcomplex<f32>>, tensor<?x4xi32>) {
  %0:2 = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "reduction"], tag = "kept"}
      ins(%z, %k : tensor<?x4xcomplex<f32>>, tensor<?x4xi32>) outs(%init, %copy : tensor<?xcomplex<f32>>, tensor<?x4xi32>) {
  ^bb0(%e: complex<f32>, %i: i32, %sum: complex<f32>, %out: i32):
    %s = complex.add %sum, %e : complex<f32>
    linalg.yield %s, %i : complex<f32>, i32
  } -> (tensor<?xcomplex<f32>>, tensor<?x4xi32>)
  return %0#0, %0#1 : tensor<?xcomplex<f32>>, tensor<?x4xi32>
}

// -----

// Control flow carries both.

// CHECK-LABEL: func @for_and_if
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[RE:.*]] = %arg0, %[[IM:.*]] = %arg1) -> (tensor<2xf32>, tensor<2xf32>)
// CHECK: %[[I:.*]]:2 = scf.if %{{.*}} -> (tensor<2xf32>, tensor<2xf32>)
// CHECK: scf.yield %[[RE]], %[[IM]]
// CHECK: else
// CHECK: scf.yield %arg0, %arg1
// CHECK: scf.yield %[[I]]#0, %[[I]]#1
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @for_and_if(%z: tensor<2xcomplex<f32>>, %n: index, %c: tensor<?xi1>) -> tensor<2xcomplex<f32>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z) -> (tensor<2xcomplex<f32>>) {
    %b = tensor.extract %c[%i] : tensor<?xi1>
    %1 = scf.if %b -> (tensor<2xcomplex<f32>>) {
      scf.yield %x : tensor<2xcomplex<f32>>
    } else {
      scf.yield %z : tensor<2xcomplex<f32>>
    }
    scf.yield %1 : tensor<2xcomplex<f32>>
  }
  return %0 : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func @while
// CHECK: scf.while (%[[RE:.*]] = %arg0, %[[IM:.*]] = %arg1) : (f32, f32) -> (f32, f32)
// CHECK: scf.condition(%{{.*}}) %[[RE]], %[[IM]] : f32, f32
// CHECK: ^bb0(%[[RE2:.*]]: f32, %[[IM2:.*]]: f32):
// CHECK: arith.addf %[[RE2]], %arg2
// CHECK: arith.addf %[[IM2]], %arg3
// CHECK: scf.yield %{{.*}}, %{{.*}} : f32, f32
func.func @while(%z: complex<f32>, %step: complex<f32>, %bound: complex<f32>) -> complex<f32> {
  %0 = scf.while (%x = %z) : (complex<f32>) -> complex<f32> {
    %1 = complex.neq %x, %bound : complex<f32>
    scf.condition(%1) %x : complex<f32>
  } do {
  ^bb0(%x: complex<f32>):
    %1 = complex.add %x, %step : complex<f32>
    scf.yield %1 : complex<f32>
  }
  return %0 : complex<f32>
}
