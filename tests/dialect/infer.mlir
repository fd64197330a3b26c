// RUN: wax-opt %s --canonicalize --cse --split-input-file | FileCheck %s

// What inference finds beyond the declared types shows as the operand of the
// cast back to them.

// CHECK-LABEL: func.func @map
// CHECK: (tensor<4x?xf32>) -> tensor<4x?xf32>
func.func @map(%x: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %0 = wax.map math.exp(%x) : (tensor<4x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A static size goes before a dynamic one, whichever operand has it.
// CHECK-LABEL: func.func @broadcast
// CHECK: sizes [7] : (tensor<?x3xf32>, tensor<?xf32>, tensor<5xf32>) -> tensor<5x3x7xf32>
func.func @broadcast(%x: tensor<?x3xf32>, %y: tensor<?xf32>, %z: tensor<5xf32>) -> tensor<?x?x?xf32> {
  %0 = wax.broadcast math.fma(%x[0, 1], %y[1], %z[0]) sizes [7]
      : (tensor<?x3xf32>, tensor<?xf32>, tensor<5xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @reduce
// CHECK: -> (tensor<4xf32>, tensor<4xi32>)
func.func @reduce(%x: tensor<4x?xf32>, %i: tensor<?x8xi32>, %a: tensor<f32>, %b: tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>) {
  %0:2 = wax.reduce (%e = %x, %n = %i) over [1] init(%s = %a, %t = %b)
      : (tensor<4x?xf32>, tensor<?x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>) {
    %u = arith.addf %e, %s : f32
    %v = arith.addi %n, %t : i32
    wax.yield %u, %v : f32, i32
  }
  return %0#0, %0#1 : tensor<?xf32>, tensor<?xi32>
}

// CHECK-LABEL: func.func @permute
// CHECK: -> tensor<?x4xf32>
func.func @permute(%x: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %0 = wax.permute %x [1, 0] : (tensor<4x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @slice
// CHECK: -> tensor<4x?xf32>
func.func @slice(%x: tensor<?x8xf32>, %n: index) -> tensor<?x?xf32> {
  %0 = wax.slice %x offsets [0, 0] sizes [4, %n] strides [1, 2] : (tensor<?x8xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// 2 + 4 + 3 * 1 − 1
// CHECK-LABEL: func.func @pad
// CHECK: -> tensor<8x?xf32>
func.func @pad(%x: tensor<4x?xf32>, %v: tensor<f32>) -> tensor<?x?xf32> {
  %0 = wax.pad %x with %v low [2, 0] high [-1, 1] interior [1, 0] : (tensor<4x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @concat
// CHECK: -> tensor<7x8xf32>
func.func @concat(%x: tensor<4x?xf32>, %y: tensor<3x8xf32>) -> tensor<?x?xf32> {
  %0 = wax.concat (%x, %y) along 0 : (tensor<4x?xf32>, tensor<3x8xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @gather
// CHECK: -> tensor<4x?x64xf32>
func.func @gather(%x: tensor<?x64xf32>, %i: tensor<4x?xi32>) -> tensor<?x?x?xf32> {
  %0 = wax.gather %x[%i[0, 1], 2] : (tensor<?x64xf32>, tensor<4x?xi32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @fft
// CHECK: wax.fft %{{.*}} -> tensor<?x5xcomplex<f32>>
// CHECK: wax.fft inverse %{{.*}} -> tensor<?x9xf32>
func.func @fft(%x: tensor<?x9xf32>) -> tensor<?x?xf32> {
  %0 = wax.fft %x over [1] : (tensor<?x9xf32>) -> tensor<?x5xcomplex<f32>>
  %1 = wax.fft inverse %0 over [1] length 9 : (tensor<?x5xcomplex<f32>>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @scan
// CHECK: -> (tensor<4x8xf64>, tensor<4x8xi32>)
func.func @scan(%x: tensor<4x?xf32>, %i: tensor<?x8xi32>, %a: tensor<f64>, %b: tensor<i32>) -> (tensor<?x?xf64>, tensor<?x?xi32>) {
  %0:2 = wax.scan (%e = %x, %n = %i) along 1 init(%s = %a, %t = %b)
      : (tensor<4x?xf32>, tensor<?x8xi32>, tensor<f64>, tensor<i32>) -> (tensor<?x?xf64>, tensor<?x?xi32>) {
    %w = arith.extf %e : f32 to f64
    %u = arith.addf %w, %s : f64
    %v = arith.addi %n, %t : i32
    wax.yield %u, %v : f64, i32
  }
  return %0#0, %0#1 : tensor<?x?xf64>, tensor<?x?xi32>
}

// CHECK-LABEL: func.func @sort
// CHECK: -> (tensor<4x8xf32>, tensor<4x8xi32>)
func.func @sort(%x: tensor<4x?xf32>, %i: tensor<?x8xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
  %0:2 = wax.sort (%a, %b = %x, %c, %d = %i) along 1 : (tensor<4x?xf32>, tensor<?x8xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
    %l = arith.cmpf olt, %a, %b : f32
    wax.yield %l : i1
  }
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xi32>
}

// CHECK-LABEL: func.func @window
// CHECK: -> tensor<4x?x3xf32>
func.func @window(%x: tensor<9x?xf32>) -> tensor<?x?x?xf32> {
  %0 = wax.window %x dims [0] sizes [3] strides [2] dilations [1] : (tensor<9x?xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @fold
// CHECK: -> tensor<9x?xf32>
func.func @fold(%x: tensor<4x?x3xf32>, %i: tensor<f32>) -> tensor<?x?xf32> {
  %0 = wax.fold arith.addf(%x) dims [0] sizes [9] strides [2] dilations [1] init(%i) : (tensor<4x?x3xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @convolve
// CHECK: -> tensor<?x5x8xf32>
func.func @convolve(%x: tensor<?x9x4xf32>, %w: tensor<3x4x8xf32>) -> tensor<?x?x?xf32> {
  %0 = wax.convolve %x[b, 0, f], %w[0, i, o] to [b, 0, f] strides [2] low [1] high [1] : (tensor<?x9x4xf32>, tensor<3x4x8xf32>) -> tensor<?x?x?xf32>
  return %0 : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @reverse
// CHECK: -> tensor<4x?xf32>
func.func @reverse(%x: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %0 = wax.reverse %x dims [0] : (tensor<4x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @insert
// CHECK: -> tensor<8x?xf32>
func.func @insert(%u: tensor<2x3xf32>, %x: tensor<8x?xf32>) -> tensor<?x?xf32> {
  %0 = wax.insert %u into %x offsets [1, 0] strides [2, 1] : (tensor<2x3xf32>, tensor<8x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @scatter
// CHECK: -> (tensor<8x?xf32>, tensor<8x?xi32>)
func.func @scatter(%u: tensor<2x?xf32>, %x: tensor<?x?xf32>, %n: tensor<8x?xi32>, %i: tensor<2xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
  %0:2 = wax.scatter (%a = %u) into(%b = %x, %c = %n)[%i[0], 1]
      : (tensor<2x?xf32>, tensor<?x?xf32>, tensor<8x?xi32>, tensor<2xi32>) -> (tensor<?x?xf32>, tensor<?x?xi32>) {
    wax.yield %a, %c : f32, i32
  }
  return %0#0, %0#1 : tensor<?x?xf32>, tensor<?x?xi32>
}
