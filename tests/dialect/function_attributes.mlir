// RUN: wax-opt %s | wax-opt | FileCheck %s
// RUN: wax-opt %s --mlir-print-op-generic | wax-opt | FileCheck %s

// CHECK: #[[$B:.*]] = affine_map<()[s0, s1] -> (s0)>
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<?x128x?xf32> {wax.dims = affine_map<()[s0, s1] -> (s0, 128, s1 * 2)>, wax.name = "x"}
// CHECK-SAME: tensor<?x?xi32> {wax.dims = affine_map<()[s0, s1] -> (s0, s1)>, wax.donated, wax.sign = "unsigned"}
// CHECK-SAME: -> (tensor<?xi32> {wax.dims = #[[$B]], wax.name = "y", wax.sign = "unsigned"})
// CHECK-SAME: attributes {wax.symbols = [{max = 9223372036854775807 : i64, min = 2 : i64, name = "b"}, {max = 64 : i64, min = 0 : i64, name = "t"}]}
func.func @main(%x: tensor<?x128x?xf32> {wax.dims = affine_map<()[s0, s1] -> (s0, 128, s1 * 2)>, wax.name = "x"},
                %i: tensor<?x?xi32> {wax.dims = affine_map<()[s0, s1] -> (s0, s1)>, wax.sign = "unsigned", wax.donated})
    -> (tensor<?xi32> {wax.dims = affine_map<()[s0, s1] -> (s0)>, wax.sign = "unsigned", wax.name = "y"})
    attributes {wax.symbols = [{name = "b", min = 2 : i64, max = 9223372036854775807 : i64}, {name = "t", min = 0 : i64, max = 64 : i64}]} {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x128x?xf32>
  %0 = wax.iota along 0 sizes [%n] : tensor<?xi32>
  return %0 : tensor<?xi32>
}

// CHECK-LABEL: func.func private @split
// CHECK-SAME: tensor<4xf32> {wax.name = "z", wax.part = "re"}, tensor<4xf32> {wax.name = "z", wax.part = "im"}
// CHECK-SAME: -> (tensor<4xf32> {wax.part = "re"}, tensor<4xf32> {wax.part = "im"})
func.func private @split(tensor<4xf32> {wax.name = "z", wax.part = "re"}, tensor<4xf32> {wax.name = "z", wax.part = "im"})
    -> (tensor<4xf32> {wax.part = "re"}, tensor<4xf32> {wax.part = "im"})
