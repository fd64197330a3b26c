// RUN: wax-opt %s --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @map_that_copies
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT: return %[[X]]
func.func @map_that_copies(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.map (%a = %x) : (tensor<4xf32>) -> tensor<4xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @map_of_one_element_repeated
// CHECK: wax.constant dense<5.000000e+00> : tensor<1000xf32>
func.func @map_of_one_element_repeated() -> tensor<1000xf32> {
  %0 = wax.constant dense<2.0> : tensor<1000xf32>
  %1 = wax.map (%a = %0) : (tensor<1000xf32>) -> tensor<1000xf32> {
    %c = arith.constant 1.0 : f32
    %s = arith.mulf %a, %a : f32
    %y = arith.addf %s, %c : f32
    wax.yield %y : f32
  }
  return %1 : tensor<1000xf32>
}

// CHECK-LABEL: func.func @map_of_few_elements
// CHECK: wax.constant dense<[-1, 2, -3]> : tensor<3xi32>
func.func @map_of_few_elements() -> tensor<3xi32> {
  %0 = wax.constant dense<[1, -2, 3]> : tensor<3xi32>
  %1 = wax.map (%a = %0) : (tensor<3xi32>) -> tensor<3xi32> {
    %c = arith.constant 0 : i32
    %y = arith.subi %c, %a : i32
    wax.yield %y : i32
  }
  return %1 : tensor<3xi32>
}

// CHECK-LABEL: func.func @map_of_many_elements_stays
// CHECK: wax.map
func.func @map_of_many_elements_stays() -> tensor<65xi32> {
  %0 = wax.constant dense<"0x000000000100000002000000030000000400000005000000060000000700000008000000090000000A0000000B0000000C0000000D0000000E0000000F000000100000001100000012000000130000001400000015000000160000001700000018000000190000001A0000001B0000001C0000001D0000001E0000001F000000200000002100000022000000230000002400000025000000260000002700000028000000290000002A0000002B0000002C0000002D0000002E0000002F000000300000003100000032000000330000003400000035000000360000003700000038000000390000003A0000003B0000003C0000003D0000003E0000003F00000040000000"> : tensor<65xi32>
  %1 = wax.map (%a = %0) : (tensor<65xi32>) -> tensor<65xi32> {
    %y = arith.addi %a, %a : i32
    wax.yield %y : i32
  }
  return %1 : tensor<65xi32>
}

// CHECK-LABEL: func.func @map_that_yields_a_constant
// CHECK-NEXT: %[[C:.*]] = wax.constant dense<7> : tensor<4xi32>
// CHECK-NEXT: return %[[C]]
func.func @map_that_yields_a_constant(%x: tensor<4xf32>) -> tensor<4xi32> {
  %0 = wax.map (%a = %x) : (tensor<4xf32>) -> tensor<4xi32> {
    %c = arith.constant 7 : i32
    wax.yield %c : i32
  }
  return %0 : tensor<4xi32>
}

// CHECK-LABEL: func.func @map_of_complex_elements
// CHECK: wax.constant dense<3.000000e+00> : tensor<9xf32>
func.func @map_of_complex_elements() -> tensor<9xf32> {
  %0 = wax.constant dense<(2.0, 3.0)> : tensor<9xcomplex<f32>>
  %1 = wax.map complex.im(%0) : (tensor<9xcomplex<f32>>) -> tensor<9xf32>
  return %1 : tensor<9xf32>
}

// -----

// CHECK-LABEL: func.func @broadcast_of_constants
// CHECK: wax.constant dense<{{\[}}[11, 21], [12, 22]]> : tensor<2x2xi32>
func.func @broadcast_of_constants() -> tensor<2x2xi32> {
  %0 = wax.constant dense<[1, 2]> : tensor<2xi32>
  %1 = wax.constant dense<[10, 20]> : tensor<2xi32>
  %2 = wax.broadcast arith.addi(%0[0], %1[1]) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2x2xi32>
  return %2 : tensor<2x2xi32>
}

// CHECK-LABEL: func.func @broadcast_of_a_scalar_constant
// CHECK: wax.constant dense<0.000000e+00> : tensor<128x256xf32>
func.func @broadcast_of_a_scalar_constant() -> tensor<128x256xf32> {
  %0 = wax.constant dense<0.0> : tensor<f32>
  %1 = wax.broadcast (%a = %0[]) sizes [128, 256] : (tensor<f32>) -> tensor<128x256xf32> {
    wax.yield %a : f32
  }
  return %1 : tensor<128x256xf32>
}

// CHECK-LABEL: func.func @identity
// CHECK-SAME: (%[[X:.*]]: tensor<4x?xf32>)
// CHECK-NEXT: return %[[X]]
func.func @identity(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = wax.broadcast (%a = %x[0, 1]) : (tensor<4x?xf32>) -> tensor<4x?xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @one_operand_in_place_is_a_map
// CHECK: wax.map math.exp(%{{.*}}) : (tensor<4x?xf32>) -> tensor<4x?xf32>
func.func @one_operand_in_place_is_a_map(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = wax.broadcast math.exp(%x[0, 1]) : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// Result dim 2 is operand dim 0, and so on.
// CHECK-LABEL: func.func @copy_in_another_order_is_a_permute
// CHECK: wax.permute %{{.*}} [1, 2, 0] : (tensor<2x3x?xf32>) -> tensor<3x?x2xf32>
func.func @copy_in_another_order_is_a_permute(%x: tensor<2x3x?xf32>) -> tensor<3x?x2xf32> {
  %0 = wax.broadcast (%a = %x[2, 0, 1]) : (tensor<2x3x?xf32>) -> tensor<3x?x2xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<3x?x2xf32>
}

// CHECK-LABEL: func.func @operand_given_twice
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<3xf32>)
// CHECK: wax.broadcast (%[[A:.*]] = %[[X]][0], %[[B:.*]] = %[[Y]][1])
// CHECK:   %[[S:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK:   arith.addf %[[S]], %[[B]]
func.func @operand_given_twice(%x: tensor<4xf32>, %y: tensor<3xf32>) -> tensor<4x3xf32> {
  %0 = wax.broadcast (%a = %x[0], %b = %x[0], %c = %y[1]) : (tensor<4xf32>, tensor<4xf32>, tensor<3xf32>) -> tensor<4x3xf32> {
    %s = arith.mulf %a, %b : f32
    %t = arith.addf %s, %c : f32
    wax.yield %t : f32
  }
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @outer_square_reads_twice
// CHECK: wax.broadcast arith.mulf(%[[X:.*]][0], %[[X]][1])
func.func @outer_square_reads_twice(%x: tensor<4xf32>) -> tensor<4x4xf32> {
  %0 = wax.broadcast arith.mulf(%x[0], %x[1]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// Its dims become free ones.
// CHECK-LABEL: func.func @unused_operand
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<3x?x4xf32>)
// CHECK: %[[D:.*]] = tensor.dim %[[Y]]
// CHECK: wax.broadcast math.exp(%[[X]][2]) sizes [3, %[[D]]] : (tensor<4xf32>) -> tensor<3x?x4xf32>
func.func @unused_operand(%x: tensor<4xf32>, %y: tensor<3x?x4xf32>) -> tensor<3x?x4xf32> {
  %0 = wax.broadcast (%a = %x[2], %b = %y[0, 1, 2]) : (tensor<4xf32>, tensor<3x?x4xf32>) -> tensor<3x?x4xf32> {
    %e = math.exp %a : f32
    wax.yield %e : f32
  }
  return %0 : tensor<3x?x4xf32>
}

// Its size must still be compared.
// CHECK-LABEL: func.func @unused_operand_of_unknown_size_stays
// CHECK: wax.broadcast (%{{.*}} = %{{.*}}[0], %{{.*}} = %{{.*}}[0])
func.func @unused_operand_of_unknown_size_stays(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = wax.broadcast (%a = %x[0], %b = %y[0]) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @reads_through_a_permute
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x4xf32>, %[[Y:.*]]: tensor<5xf32>)
// CHECK-NOT: wax.permute
// CHECK: wax.broadcast arith.mulf(%[[X]][1, 2, 0], %[[Y]][3]) : (tensor<2x3x4xf32>, tensor<5xf32>) -> tensor<4x2x3x5xf32>
func.func @reads_through_a_permute(%x: tensor<2x3x4xf32>, %y: tensor<5xf32>) -> tensor<4x2x3x5xf32> {
  %0 = wax.permute %x [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  %1 = wax.broadcast arith.mulf(%0[0, 1, 2], %y[3]) : (tensor<4x2x3xf32>, tensor<5xf32>) -> tensor<4x2x3x5xf32>
  return %1 : tensor<4x2x3x5xf32>
}

// CHECK-LABEL: func.func @reads_through_a_copy
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<8xf32>)
// CHECK-NEXT: wax.broadcast arith.addf(%[[X]][0, 1], %[[B]][1]) : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
func.func @reads_through_a_copy(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = wax.broadcast (%a = %b[1]) sizes [4] : (tensor<8xf32>) -> tensor<4x8xf32> {
    wax.yield %a : f32
  }
  %1 = wax.broadcast arith.addf(%x[0, 1], %0[0, 1]) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @reads_through_a_copy_of_an_operands_size
// CHECK-SAME: (%[[X:.*]]: tensor<?x8xf32>, %[[B:.*]]: tensor<8xf32>)
// CHECK-NEXT: wax.broadcast arith.addf(%[[X]][0, 1], %[[B]][1]) : (tensor<?x8xf32>, tensor<8xf32>) -> tensor<?x8xf32>
func.func @reads_through_a_copy_of_an_operands_size(%x: tensor<?x8xf32>, %b: tensor<8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %0 = wax.broadcast (%a = %b[1]) sizes [%n] : (tensor<8xf32>) -> tensor<?x8xf32> {
    wax.yield %a : f32
  }
  %1 = wax.broadcast arith.addf(%x[0, 1], %0[0, 1]) : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @copy_to_a_size_that_must_be_compared_stays
// CHECK-COUNT-2: wax.broadcast
func.func @copy_to_a_size_that_must_be_compared_stays(%x: tensor<?x8xf32>, %b: tensor<8xf32>, %n: index) -> tensor<?x8xf32> {
  %0 = wax.broadcast (%a = %b[1]) sizes [%n] : (tensor<8xf32>) -> tensor<?x8xf32> {
    wax.yield %a : f32
  }
  %1 = wax.broadcast arith.addf(%x[0, 1], %0[0, 1]) : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %1 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @copy_of_a_copy
// CHECK-SAME: (%[[S:.*]]: tensor<f32>, %[[N:.*]]: index)
// CHECK-NEXT: wax.broadcast (%{{.*}} = %[[S]][]) sizes [%[[N]], 3, 2] : (tensor<f32>) -> tensor<?x3x2xf32>
func.func @copy_of_a_copy(%s: tensor<f32>, %n: index) -> tensor<?x3x2xf32> {
  %0 = wax.broadcast (%a = %s[]) sizes [2, %n] : (tensor<f32>) -> tensor<2x?xf32> {
    wax.yield %a : f32
  }
  %1 = wax.broadcast (%a = %0[2, 0]) sizes [3] : (tensor<2x?xf32>) -> tensor<?x3x2xf32> {
    wax.yield %a : f32
  }
  return %1 : tensor<?x3x2xf32>
}
