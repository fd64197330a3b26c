// RUN: wax-opt %s --wax-resolve-dims | FileCheck %s

// What types cannot decide is left open by an operation's shape relation, and
// becomes a check at run time. What they can decide is not.

// CHECK-LABEL: func.func @broadcast
// CHECK-DAG: [broadcast_c3] needs dim 0 of argument 'x' to equal dim 0 of argument 'y'
// CHECK-DAG: [broadcast_c4] needs 0 to be at most a computed size
// CHECK-NOT: cf.assert
func.func @broadcast(%x: tensor<?xf32> {wax.name = "x"}, %y: tensor<?xf32> {wax.name = "y"}, %n: index) -> tensor<?x?xf32> {
  %0 = wax.broadcast (%a = %x[0], %b = %y[0], %c = %x[0]) sizes [%n] : (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<?x?xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @static_size_before_dynamic_ones
// CHECK-DAG: [reduce_c2] needs dim 0 of argument 'x' to equal 4
// CHECK-NOT: cf.assert
func.func @static_size_before_dynamic_ones(%x: tensor<?xf32> {wax.name = "x"}, %y: tensor<4xf32>, %z: tensor<f32>) -> tensor<f32> {
  %0 = wax.reduce (%a = %x, %b = %y) over [0] init(%acc = %z) : (tensor<?xf32>, tensor<4xf32>, tensor<f32>) -> tensor<f32> {
    wax.yield %a : f32
  }
  return %0 : tensor<f32>
}

// CHECK-LABEL: func.func @declared_result
// CHECK-DAG: [map_type] needs dim 0 of argument 'x' to equal 4
// CHECK-NOT: cf.assert
func.func @declared_result(%x: tensor<?xf32> {wax.name = "x"}) -> tensor<4xf32> {
  %0 = wax.map math.exp(%x) : (tensor<?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @reshape
// CHECK-DAG: [reshape_c2] needs dim 0 of argument 'x' to equal (a computed size * 4)
// CHECK-DAG: [reshape_c3] needs 0 to be at most a computed size
// CHECK-NOT: cf.assert
func.func @reshape(%x: tensor<?x?xf32> {wax.name = "x"}, %n: index) -> tensor<?x4x?xf32> {
  %0 = wax.reshape %x [[0], [1]] into [[0, 1], [2]] sizes [%n] : (tensor<?x?xf32>) -> tensor<?x4x?xf32>
  return %0 : tensor<?x4x?xf32>
}

// CHECK-LABEL: func.func @slice
// CHECK-DAG: [slice_c3] needs 0 to be at most a computed size
// CHECK-DAG: [slice_c4] needs ((a computed size * 2) + 2) to be at most dim 0 of argument 'x'
// CHECK-NOT: cf.assert
func.func @slice(%x: tensor<?xf32> {wax.name = "x"}, %n: index) -> tensor<?xf32> {
  %0 = wax.slice %x offsets [3] sizes [%n] strides [2] : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @pad
// CHECK-DAG: [pad_c5] needs 1 to be at most dim 0 of argument 'x'
// CHECK-DAG: [pad_c3] needs 0 to be at most ((dim 0 of argument 'x' * 3) + -5)
// CHECK-NOT: cf.assert
func.func @pad(%x: tensor<?xf32> {wax.name = "x"}, %v: tensor<f32>) -> tensor<?xf32> {
  %0 = wax.pad %x with %v low [0] high [-3] interior [2] : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @pad_that_grows
// CHECK-NOT: cf.assert
func.func @pad_that_grows(%x: tensor<?xf32>, %v: tensor<f32>) -> tensor<?xf32> {
  %0 = wax.pad %x with %v low [2] high [-1] interior [0] : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @concat
// CHECK-DAG: [concat_c3] needs dim 1 of argument 'x' to equal dim 1 of argument 'y'
// CHECK-NOT: cf.assert
func.func @concat(%x: tensor<?x?xf32> {wax.name = "x"}, %y: tensor<?x?xf32> {wax.name = "y"}) -> tensor<?x?xf32> {
  %0 = wax.concat (%x, %y) along 0 : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @gather
// CHECK-DAG: [gather_c3] needs dim 0 of argument 'x' to equal dim 0 of argument 'i'
// CHECK-DAG: [gather_c4] needs 1 to be at most dim 1 of argument 'x'
// CHECK-NOT: cf.assert
func.func @gather(%x: tensor<?x?xf32> {wax.name = "x"}, %i: tensor<?x2xi32> {wax.name = "i"}) -> tensor<?x2xf32> {
  %0 = wax.gather %x[0, %i[0, 1]] : (tensor<?x?xf32>, tensor<?x2xi32>) -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}

// CHECK-LABEL: func.func @iota
// CHECK-DAG: [iota_c2] needs 0 to be at most a computed size
// CHECK-NOT: cf.assert
func.func @iota(%n: index) -> tensor<?xi32> {
  %0 = wax.iota along 0 sizes [%n] : tensor<?xi32>
  return %0 : tensor<?xi32>
}

// CHECK-LABEL: func.func @scan_of_two
// CHECK-DAG: [scan_c2] needs dim 1 of argument 'x' to equal 4
// CHECK-NOT: cf.assert
func.func @scan_of_two(%x: tensor<3x?xf32> {wax.name = "x"}, %y: tensor<3x4xf32>, %z: tensor<f32>) -> tensor<3x4xf32> {
  %0 = wax.scan (%a = %x, %b = %y) along 0 init(%acc = %z) : (tensor<3x?xf32>, tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32> {
    wax.yield %a : f32
  }
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @sort_of_two
// CHECK-DAG: [sort_c2] needs dim 0 of argument 'x' to equal dim 0 of argument 'y'
// CHECK-NOT: cf.assert
func.func @sort_of_two(%x: tensor<?x4xf32> {wax.name = "x"}, %y: tensor<?x4xi32> {wax.name = "y"}) -> tensor<?x4xi32> {
  %0:2 = wax.sort (%a, %b = %x, %c, %d = %y) along 1 : (tensor<?x4xf32>, tensor<?x4xi32>) -> (tensor<?x4xf32>, tensor<?x4xi32>) {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0#1 : tensor<?x4xi32>
}

// CHECK-LABEL: func.func @window
// CHECK-DAG: [window_c4] needs 5 to be at most dim 0 of argument 'x'
// CHECK-NOT: cf.assert
func.func @window(%x: tensor<?xf32> {wax.name = "x"}) -> tensor<?x4xf32> {
  %0 = wax.window %x dims [0] sizes [4] strides [2] dilations [2] : (tensor<?xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @fold
// CHECK-DAG: [fold_c3] needs 0 to be at most a computed size
// CHECK-DAG: [fold_c5] needs 2 to be at most a computed size
// CHECK-DAG: [fold_c4] needs dim 0 of argument 'x' to equal
// CHECK-NOT: cf.assert
func.func @fold(%x: tensor<?x3xf32> {wax.name = "x"}, %i: tensor<f32>, %n: index) -> tensor<?xf32> {
  %0 = wax.fold arith.addf(%x) dims [0] sizes [%n] strides [1] dilations [1] init(%i) : (tensor<?x3xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @convolve
// CHECK-DAG: [convolve_c5] needs dim 2 of argument 'x' to equal (dim 1 of argument 'w' * 2)
// CHECK-DAG: [convolve_c6] needs
// CHECK-DAG: [convolve_c8] needs 1 to be at most dim 1 of argument 'x'
// CHECK-DAG: [convolve_c7] needs 0 to be at most ((dim 1 of argument 'x' * 2) + -1)
// CHECK-DAG: [convolve_c8] needs (dim 0 of argument 'w' + -1) to be at most
// CHECK-NOT: cf.assert
func.func @convolve(%x: tensor<?x?x?xf32> {wax.name = "x"}, %w: tensor<?x?x?xf32> {wax.name = "w"}) -> tensor<?x?x?xf32> {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [1] low [0] high [0] lhs_dilations [2] feature_groups 2
      : (tensor<?x?x?xf32>, tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @cropped_convolve
// CHECK-DAG: [convolve_c7] needs 0 to be at most (dim 1 of argument 'x' + -3)
func.func @cropped_convolve(%x: tensor<1x?x4xf32> {wax.name = "x"}, %w: tensor<3x4x5xf32>) -> tensor<1x?x5xf32> {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [5] low [-1] high [-2]
      : (tensor<1x?x4xf32>, tensor<3x4x5xf32>) -> tensor<1x?x5xf32>
  return %0 : tensor<1x?x5xf32>
}

// CHECK-LABEL: func.func @insert
// CHECK-DAG: [insert_c4] needs ((dim 0 of argument 'u' * 2) + 2) to be at most dim 0 of argument 'x'
// CHECK-DAG: [insert_c4] needs dim 1 of argument 'u' to be at most dim 1 of argument 'x'
// CHECK-NOT: cf.assert
func.func @insert(%u: tensor<?x?xf32> {wax.name = "u"}, %x: tensor<?x?xf32> {wax.name = "x"}, %o: index) -> tensor<?x?xf32> {
  %0 = wax.insert %u into %x offsets [3, %o] strides [2, 1] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Indices are free, and an operand may be empty: what has no place is dropped.
// CHECK-LABEL: func.func @scatter
// CHECK-DAG: [scatter_c2] needs dim 1 of argument 'x' to equal dim 1 of argument 'y'
// CHECK-DAG: [scatter_c5] needs dim 0 of argument 'u' to equal dim 0 of argument 'x'
// CHECK-DAG: [scatter_c5] needs dim 1 of argument 'u' to equal 2
// CHECK-NOT: cf.assert
func.func @scatter(%u: tensor<?x?xf32> {wax.name = "u"}, %x: tensor<?x?xf32> {wax.name = "x"}, %y: tensor<?x?xf32> {wax.name = "y"}, %i: tensor<?x2xi32> {wax.name = "i"}) -> tensor<?x?xf32> {
  %0:2 = wax.scatter (%a = %u) into(%p = %x, %q = %y)[0, %i[0, 1]]
      : (tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x?xf32>, tensor<?x2xi32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
    wax.yield %a, %q : f32, f32
  }
  return %0#0 : tensor<?x?xf32>
}
