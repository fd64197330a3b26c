// RUN: wax-opt %s --wax-resolve-dims --wax-lower --canonicalize --cse --split-input-file | FileCheck %s

// CHECK: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func @map_keeps_static_dims
// CHECK: %[[E:.*]] = tensor.empty() : tensor<2x3xf32>
// CHECK: linalg.generic {indexing_maps = [#[[$ID]], #[[$ID]]], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME: ins(%{{.*}} : tensor<2x3xf32>) outs(%[[E]] : tensor<2x3xf32>)
// CHECK: ^bb0(%[[X:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[Y:.*]] = math.exp %[[X]] : f32
// CHECK: linalg.yield %[[Y]] : f32
func.func @map_keeps_static_dims(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = wax.map math.exp(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func @map_takes_dynamic_dims_from_the_argument
// CHECK-SAME: %[[X:.*]]: tensor<?x3xf32>
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %c0
// CHECK: tensor.empty(%[[N]]) : tensor<?x3xi1>
func.func @map_takes_dynamic_dims_from_the_argument(%x: tensor<?x3xf32>) -> tensor<?x3xi1> {
  %0 = wax.map (%a = %x) : (tensor<?x3xf32>) -> tensor<?x3xi1> {
    %zero = arith.constant 0.0 : f32
    %b = arith.cmpf ogt, %a, %zero : f32
    wax.yield %b : i1
  }
  return %0 : tensor<?x3xi1>
}

// -----

// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG: #[[$B:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func @broadcast_reads_each_operand_along_its_dims
// CHECK: linalg.generic {indexing_maps = [#[[$X]], #[[$B]], #[[$ID]]]
func.func @broadcast_reads_each_operand_along_its_dims(%x: tensor<3x4xf32>, %b: tensor<3xf32>) -> tensor<4x3xf32> {
  %0 = wax.broadcast arith.addf(%x[1, 0], %b[1]) : (tensor<3x4xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// -----

// CHECK-LABEL: func @a_constant_operand_becomes_a_scalar_of_the_body
// CHECK: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: linalg.generic {{.*}} ins(%{{[a-z0-9]+}} : tensor<4xf32>)
// CHECK: arith.mulf %{{.*}}, %[[TWO]] : f32
func.func @a_constant_operand_becomes_a_scalar_of_the_body(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = wax.constant dense<2.0> : tensor<f32>
  %0 = wax.broadcast arith.mulf(%x[0], %two[]) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @a_broadcast_constant_is_a_fill
// CHECK-SAME: %[[N:.*]]: index
// CHECK: %[[C:.*]] = arith.constant 2.000000e+00 : f32
// CHECK: %[[E:.*]] = tensor.empty(%[[N]]) : tensor<?x3xf32>
// CHECK: linalg.fill ins(%[[C]] : f32) outs(%[[E]] : tensor<?x3xf32>)
func.func @a_broadcast_constant_is_a_fill(%n: index) -> tensor<?x3xf32> {
  %two = wax.constant dense<2.0> : tensor<f32>
  %0 = wax.broadcast (%a = %two[]) sizes [%n, 3] : (tensor<f32>) -> tensor<?x3xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<?x3xf32>
}

// -----

// The scalar stays where it is: to extract it would make a host wait for its device.
// CHECK-DAG: #[[$SCALAR:.*]] = affine_map<(d0) -> ()>
// CHECK-LABEL: func @a_broadcast_argument_is_read_in_the_body
// CHECK-NOT: tensor.extract
// CHECK: linalg.generic {indexing_maps = [#[[$SCALAR]],
func.func @a_broadcast_argument_is_read_in_the_body(%x: tensor<f32>) -> tensor<3xf32> {
  %0 = wax.broadcast (%a = %x[]) sizes [3] : (tensor<f32>) -> tensor<3xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<3xf32>
}

// -----

// CHECK-LABEL: func @complex_constants_are_scalars
// CHECK: %[[I:.*]] = complex.constant [0.000000e+00 : f32, 1.000000e+00 : f32] : complex<f32>
// CHECK: complex.mul %{{.*}}, %[[I]]
func.func @complex_constants_are_scalars(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %i = wax.constant dense<(0.0, 1.0)> : tensor<complex<f32>>
  %0 = wax.broadcast complex.mul(%x[0], %i[]) : (tensor<4xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
