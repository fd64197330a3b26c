// RUN: wax-opt %s --wax-convolve-windows --wax-verify-normal-form | FileCheck %s
// RUN: wax-opt %s --wax-convolve-windows=tell-lines | FileCheck %s --check-prefix=LINES
// RUN: wax-opt %s --wax-convolve-windows --wax-simplify | FileCheck %s --check-prefix=SIMPLE

// CHECK-LABEL: func.func @one_dim
// CHECK-SAME: (%[[X:.*]]: tensor<2x9x4xf32>, %[[K:.*]]: tensor<3x4x5xf32>)
// CHECK-NEXT: %[[R:.*]] = wax.convolve %[[X]][b, 0, f], %[[K]][0, i, o] to [b, 0, f] strides [2] low [0] high [0] : (tensor<2x9x4xf32>, tensor<3x4x5xf32>) -> tensor<2x4x5xf32>
// CHECK-NEXT: return %[[R]]
// LINES-LABEL: func.func @one_dim
// LINES: wax.convolve {{.*}} {lines = {{\[\[}}"f.py", 3, 5], ["f.py", 1, 5], ["f.py", 2, 5]]}
func.func @one_dim(%x: tensor<2x9x4xf32>, %k: tensor<3x4x5xf32>) -> tensor<2x4x5xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [1] sizes [3] strides [2] dilations [1] : (tensor<2x9x4xf32>) -> tensor<2x4x4x3xf32> loc("f.py":1:5)
  %p = wax.broadcast arith.mulf(%w[0, 1, 3, 4], %k[4, 3, 2]) : (tensor<2x4x4x3xf32>, tensor<3x4x5xf32>) -> tensor<2x4x5x4x3xf32> loc("f.py":2:5)
  %r = wax.reduce arith.addf(%p) over [3, 4] init(%zero) : (tensor<2x4x5x4x3xf32>, tensor<f32>) -> tensor<2x4x5xf32> loc("f.py":3:5)
  return %r : tensor<2x4x5xf32>
}

// Features first, the kernel first, transposed in between and after, and zeros around it.
// CHECK-LABEL: func.func @written_otherwise
// CHECK: wax.convolve %{{.*}}[b, f, 0, 1], %{{.*}}[o, i, 0, 1] to [b, f, 0, 1] strides [1, 2] low [0, 0] high [0, 0] rhs_dilations [2, 1] : (tensor<2x4x11x8xf32>, tensor<5x4x3x2xf32>) -> tensor<2x5x7x4xf32>
// CHECK-NEXT: return
// SIMPLE-LABEL: func.func @written_otherwise
// SIMPLE-SAME: (%[[X:.*]]: tensor<2x4x9x8xf32>
// SIMPLE-NEXT: wax.convolve %[[X]][b, f, 0, 1], %{{.*}}[o, i, 0, 1] to [b, f, 0, 1] strides [1, 2] low [1, 0] high [1, 0] rhs_dilations [2, 1]
func.func @written_otherwise(%x: tensor<2x4x9x8xf32>, %k: tensor<5x4x3x2xf32>) -> tensor<2x5x7x4xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %y = wax.pad %x with %zero low [0, 0, 1, 0] high [0, 0, 1, 0] interior [0, 0, 0, 0] : (tensor<2x4x9x8xf32>, tensor<f32>) -> tensor<2x4x11x8xf32>
  %w = wax.window %y dims [2, 3] sizes [3, 2] strides [1, 2] dilations [2, 1] : (tensor<2x4x11x8xf32>) -> tensor<2x4x7x4x3x2xf32>
  %t = wax.permute %w [4, 5, 2, 3, 1, 0] : (tensor<2x4x7x4x3x2xf32>) -> tensor<3x2x7x4x4x2xf32>
  %p = wax.broadcast arith.mulf(%k[5, 4, 0, 1], %t[0, 1, 2, 3, 4, 6]) : (tensor<5x4x3x2xf32>, tensor<3x2x7x4x4x2xf32>) -> tensor<3x2x7x4x4x5x2xf32>
  %r = wax.reduce arith.addf(%p) over [0, 1, 4] init(%zero) : (tensor<3x2x7x4x4x5x2xf32>, tensor<f32>) -> tensor<7x4x5x2xf32>
  %s = wax.permute %r [3, 2, 0, 1] : (tensor<7x4x5x2xf32>) -> tensor<2x5x7x4xf32>
  return %s : tensor<2x5x7x4xf32>
}

// CHECK-LABEL: func.func @half_floats
// CHECK-NEXT: %[[R:.*]] = wax.convolve {{.*}} : (tensor<2x9x4xbf16>, tensor<3x4x5xbf16>) -> tensor<2x7x5xf32>
// CHECK-NEXT: wax.broadcast arith.truncf(%[[R]][0, 1, 2])
func.func @half_floats(%x: tensor<2x9x4xbf16>, %k: tensor<3x4x5xbf16>) -> tensor<2x7x5xbf16> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [1] sizes [3] strides [1] dilations [1] : (tensor<2x9x4xbf16>) -> tensor<2x7x4x3xbf16>
  %p = wax.broadcast (%a = %w[0, 1, 3, 4], %b = %k[4, 3, 2]) : (tensor<2x7x4x3xbf16>, tensor<3x4x5xbf16>) -> tensor<2x7x5x4x3xf32> {
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    wax.yield %3 : f32
  }
  %r = wax.reduce arith.addf(%p) over [3, 4] init(%zero) : (tensor<2x7x5x4x3xf32>, tensor<f32>) -> tensor<2x7x5xf32>
  %s = wax.map arith.truncf(%r) : (tensor<2x7x5xf32>) -> tensor<2x7x5xbf16>
  return %s : tensor<2x7x5xbf16>
}

// Convolutions widen integers by their sign: those without one are widened before.
// CHECK-LABEL: func.func @unsigned_bytes
// CHECK-DAG: %[[A:.*]] = wax.broadcast arith.extui(%{{.*}}[0]) : (tensor<9xi8>) -> tensor<9xi32>
// CHECK-DAG: %[[B:.*]] = wax.broadcast arith.extui(%{{.*}}[0]) : (tensor<3xi8>) -> tensor<3xi32>
// CHECK: wax.convolve
func.func @unsigned_bytes(%x: tensor<9xi8>, %k: tensor<3xi8>) -> tensor<7xi32> {
  %zero = wax.constant dense<0> : tensor<i32>
  %w = wax.window %x dims [0] sizes [3] strides [1] dilations [1] : (tensor<9xi8>) -> tensor<7x3xi8>
  %p = wax.broadcast (%a = %w[0, 1], %b = %k[1]) : (tensor<7x3xi8>, tensor<3xi8>) -> tensor<7x3xi32> {
    %1 = arith.extui %a : i8 to i32
    %2 = arith.extui %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    wax.yield %3 : i32
  }
  %r = wax.reduce arith.addi(%p) over [1] init(%zero) : (tensor<7x3xi32>, tensor<i32>) -> tensor<7xi32>
  return %r : tensor<7xi32>
}

// Two dims of the batch, which become one, and each channel for itself.
// CHECK-LABEL: func.func @each_channel
// CHECK: %[[Y:.*]] = wax.reshape %{{.*}} {{\[\[}}0, 1], [2], [3]] into {{\[\[}}0], [1], [2]]
// CHECK: %[[C:.*]] = wax.convolve %[[Y]][b, 0, f], %{{.*}} to [b, 0, f] strides [1] low [0] high [0] feature_groups 4
// CHECK: wax.reshape %[[C]] {{\[\[}}0], [1], [2]] into {{\[\[}}0, 1], [2], [3]]
func.func @each_channel(%x: tensor<2x?x9x4xf32>, %k: tensor<3x4xf32>) -> tensor<2x?x7x4xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [2] sizes [3] strides [1] dilations [1] : (tensor<2x?x9x4xf32>) -> tensor<2x?x7x4x3xf32>
  %p = wax.broadcast arith.mulf(%w[0, 1, 2, 3, 4], %k[4, 3]) : (tensor<2x?x7x4x3xf32>, tensor<3x4xf32>) -> tensor<2x?x7x4x3xf32>
  %r = wax.reduce arith.addf(%p) over [4] init(%zero) : (tensor<2x?x7x4x3xf32>, tensor<f32>) -> tensor<2x?x7x4xf32>
  return %r : tensor<2x?x7x4xf32>
}

// CHECK-LABEL: func.func @open_sizes
// CHECK-NEXT: wax.convolve {{.*}} : (tensor<?x?x?xf32>, tensor<3x?x?xf32>) -> tensor<?x?x?xf32>
func.func @open_sizes(%x: tensor<?x?x?xf32>, %k: tensor<3x?x?xf32>) -> tensor<?x?x?xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [1] sizes [3] strides [1] dilations [1] : (tensor<?x?x?xf32>) -> tensor<?x?x?x3xf32>
  %p = wax.broadcast arith.mulf(%w[0, 1, 3, 4], %k[4, 3, 2]) : (tensor<?x?x?x3xf32>, tensor<3x?x?xf32>) -> tensor<?x?x?x?x3xf32>
  %r = wax.reduce arith.addf(%p) over [3, 4] init(%zero) : (tensor<?x?x?x?x3xf32>, tensor<f32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

// CHECK-LABEL: func.func @in_a_loop
// CHECK: scf.for
// CHECK: wax.convolve
func.func @in_a_loop(%x: tensor<9xf32>, %k: tensor<3xf32>, %n: index) -> tensor<9xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<9xf32>) {
    %w = wax.window %s dims [0] sizes [3] strides [1] dilations [1] : (tensor<9xf32>) -> tensor<7x3xf32>
    %p = wax.broadcast arith.mulf(%w[0, 1], %k[1]) : (tensor<7x3xf32>, tensor<3xf32>) -> tensor<7x3xf32>
    %d = wax.reduce arith.addf(%p) over [1] init(%zero) : (tensor<7x3xf32>, tensor<f32>) -> tensor<7xf32>
    %t = wax.pad %d with %zero low [1] high [1] interior [0] : (tensor<7xf32>, tensor<f32>) -> tensor<9xf32>
    scf.yield %t : tensor<9xf32>
  }
  return %r : tensor<9xf32>
}

// What is padded with others than zeros stays padded.
// SIMPLE-LABEL: func.func @ones_around
// SIMPLE: %[[Y:.*]] = wax.pad
// SIMPLE: wax.convolve {{.*}} low [0] high [0]
func.func @ones_around(%x: tensor<9xf32>, %k: tensor<3xf32>) -> tensor<9xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %one = wax.constant dense<1.0> : tensor<f32>
  %y = wax.pad %x with %one low [1] high [1] interior [0] : (tensor<9xf32>, tensor<f32>) -> tensor<11xf32>
  %w = wax.window %y dims [0] sizes [3] strides [1] dilations [1] : (tensor<11xf32>) -> tensor<9x3xf32>
  %p = wax.broadcast arith.mulf(%w[0, 1], %k[1]) : (tensor<9x3xf32>, tensor<3xf32>) -> tensor<9x3xf32>
  %r = wax.reduce arith.addf(%p) over [1] init(%zero) : (tensor<9x3xf32>, tensor<f32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}

// What is nearly alike.

// CHECK-LABEL: func.func @a_kernel_for_each_window
// CHECK-NOT: wax.convolve
func.func @a_kernel_for_each_window(%x: tensor<9xf32>, %k: tensor<7x3xf32>) -> tensor<7xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [0] sizes [3] strides [1] dilations [1] : (tensor<9xf32>) -> tensor<7x3xf32>
  %p = wax.broadcast arith.mulf(%w[0, 1], %k[0, 1]) : (tensor<7x3xf32>, tensor<7x3xf32>) -> tensor<7x3xf32>
  %r = wax.reduce arith.addf(%p) over [1] init(%zero) : (tensor<7x3xf32>, tensor<f32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// CHECK-LABEL: func.func @part_of_a_window
// CHECK-NOT: wax.convolve
func.func @part_of_a_window(%x: tensor<9x8xf32>, %k: tensor<3xf32>) -> tensor<7x7x2xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [0, 1] sizes [3, 2] strides [1, 1] dilations [1, 1] : (tensor<9x8xf32>) -> tensor<7x7x3x2xf32>
  %p = wax.broadcast arith.mulf(%w[0, 1, 3, 2], %k[3]) : (tensor<7x7x3x2xf32>, tensor<3xf32>) -> tensor<7x7x2x3xf32>
  %r = wax.reduce arith.addf(%p) over [3] init(%zero) : (tensor<7x7x2x3xf32>, tensor<f32>) -> tensor<7x7x2xf32>
  return %r : tensor<7x7x2xf32>
}

// CHECK-LABEL: func.func @the_first_elements_of_windows
// CHECK-NOT: wax.convolve
func.func @the_first_elements_of_windows(%x: tensor<9xf32>, %k: tensor<2xf32>) -> tensor<7xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [0] sizes [3] strides [1] dilations [1] : (tensor<9xf32>) -> tensor<7x3xf32>
  %s = wax.slice %w offsets [0, 0] sizes [7, 2] strides [1, 1] : (tensor<7x3xf32>) -> tensor<7x2xf32>
  %p = wax.broadcast arith.mulf(%s[0, 1], %k[1]) : (tensor<7x2xf32>, tensor<2xf32>) -> tensor<7x2xf32>
  %r = wax.reduce arith.addf(%p) over [1] init(%zero) : (tensor<7x2xf32>, tensor<f32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// CHECK-LABEL: func.func @two_dims_with_one_offset
// CHECK-NOT: wax.convolve
func.func @two_dims_with_one_offset(%x: tensor<9x9xf32>, %k: tensor<3xf32>) -> tensor<7x7xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [0, 1] sizes [3, 3] strides [1, 1] dilations [1, 1] : (tensor<9x9xf32>) -> tensor<7x7x3x3xf32>
  %i = wax.iota along 0 : tensor<3x3xi32>
  %j = wax.iota along 1 : tensor<3x3xi32>
  %d = wax.broadcast (%a = %w[0, 1, 2, 3], %m = %i[2, 3], %n = %j[2, 3]) : (tensor<7x7x3x3xf32>, tensor<3x3xi32>, tensor<3x3xi32>) -> tensor<7x7x3x3xf32> {
    %c = arith.constant 0.0 : f32
    %e = arith.cmpi eq, %m, %n : i32
    %v = arith.select %e, %a, %c : f32
    wax.yield %v : f32
  }
  %q = wax.reduce arith.addf(%d) over [2] init(%zero) : (tensor<7x7x3x3xf32>, tensor<f32>) -> tensor<7x7x3xf32>
  %p = wax.broadcast arith.mulf(%q[0, 1, 2], %k[2]) : (tensor<7x7x3xf32>, tensor<3xf32>) -> tensor<7x7x3xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<7x7x3xf32>, tensor<f32>) -> tensor<7x7xf32>
  return %r : tensor<7x7xf32>
}

// CHECK-LABEL: func.func @greatest_products
// CHECK-NOT: wax.convolve
func.func @greatest_products(%x: tensor<9xf32>, %k: tensor<3xf32>) -> tensor<7xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %w = wax.window %x dims [0] sizes [3] strides [1] dilations [1] : (tensor<9xf32>) -> tensor<7x3xf32>
  %p = wax.broadcast arith.mulf(%w[0, 1], %k[1]) : (tensor<7x3xf32>, tensor<3xf32>) -> tensor<7x3xf32>
  %r = wax.reduce arith.maximumf(%p) over [1] init(%low) : (tensor<7x3xf32>, tensor<f32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// CHECK-LABEL: func.func @in_order
// CHECK-NOT: wax.convolve
func.func @in_order(%x: tensor<9xf32>, %k: tensor<3xf32>) -> tensor<7xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [0] sizes [3] strides [1] dilations [1] : (tensor<9xf32>) -> tensor<7x3xf32>
  %p = wax.broadcast arith.mulf(%w[0, 1], %k[1]) : (tensor<7x3xf32>, tensor<3xf32>) -> tensor<7x3xf32>
  %r = wax.reduce ordered arith.addf(%p) over [1] init(%zero) : (tensor<7x3xf32>, tensor<f32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// CHECK-LABEL: func.func @the_same_windows_twice
// CHECK-NOT: wax.convolve
func.func @the_same_windows_twice(%x: tensor<9xf32>) -> tensor<7xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [0] sizes [3] strides [1] dilations [1] : (tensor<9xf32>) -> tensor<7x3xf32>
  %p = wax.broadcast arith.mulf(%w[0, 1], %w[0, 1]) : (tensor<7x3xf32>, tensor<7x3xf32>) -> tensor<7x3xf32>
  %r = wax.reduce arith.addf(%p) over [1] init(%zero) : (tensor<7x3xf32>, tensor<f32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// CHECK-LABEL: func.func @over_windows_too
// CHECK-NOT: wax.convolve
func.func @over_windows_too(%x: tensor<9xf32>, %k: tensor<3xf32>) -> tensor<f32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [0] sizes [3] strides [1] dilations [1] : (tensor<9xf32>) -> tensor<7x3xf32>
  %p = wax.broadcast arith.mulf(%w[0, 1], %k[1]) : (tensor<7x3xf32>, tensor<3xf32>) -> tensor<7x3xf32>
  %r = wax.reduce arith.addf(%p) over [0, 1] init(%zero) : (tensor<7x3xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @features_that_kernels_lack
// CHECK-NOT: wax.convolve
func.func @features_that_kernels_lack(%x: tensor<9x4xf32>, %k: tensor<3xf32>) -> tensor<7xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [0] sizes [3] strides [1] dilations [1] : (tensor<9x4xf32>) -> tensor<7x4x3xf32>
  %p = wax.broadcast arith.mulf(%w[0, 1, 2], %k[2]) : (tensor<7x4x3xf32>, tensor<3xf32>) -> tensor<7x4x3xf32>
  %r = wax.reduce arith.addf(%p) over [1, 2] init(%zero) : (tensor<7x4x3xf32>, tensor<f32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}

// CHECK-LABEL: func.func @windows_that_others_read
// CHECK-NOT: wax.convolve
func.func @windows_that_others_read(%x: tensor<9xf32>, %k: tensor<3xf32>) -> (tensor<7xf32>, tensor<7x3xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [0] sizes [3] strides [1] dilations [1] : (tensor<9xf32>) -> tensor<7x3xf32>
  %p = wax.broadcast arith.mulf(%w[0, 1], %k[1]) : (tensor<7x3xf32>, tensor<3xf32>) -> tensor<7x3xf32>
  %r = wax.reduce arith.addf(%p) over [1] init(%zero) : (tensor<7x3xf32>, tensor<f32>) -> tensor<7xf32>
  return %r, %w : tensor<7xf32>, tensor<7x3xf32>
}

// CHECK-LABEL: func.func @groups_of_open_size
// CHECK-NOT: wax.convolve
func.func @groups_of_open_size(%x: tensor<9x?xf32>, %k: tensor<3x?xf32>) -> tensor<7x?xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [0] sizes [3] strides [1] dilations [1] : (tensor<9x?xf32>) -> tensor<7x?x3xf32>
  %p = wax.broadcast arith.mulf(%w[0, 1, 2], %k[2, 1]) : (tensor<7x?x3xf32>, tensor<3x?xf32>) -> tensor<7x?x3xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<7x?x3xf32>, tensor<f32>) -> tensor<7x?xf32>
  return %r : tensor<7x?xf32>
}

// CHECK-LABEL: func.func @groups_of_features
// CHECK-NOT: wax.convolve
func.func @groups_of_features(%x: tensor<9x2x4xf32>, %k: tensor<3x2x4x5xf32>) -> tensor<7x2x5xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %w = wax.window %x dims [0] sizes [3] strides [1] dilations [1] : (tensor<9x2x4xf32>) -> tensor<7x2x4x3xf32>
  %p = wax.broadcast arith.mulf(%w[0, 1, 3, 4], %k[4, 1, 3, 2]) : (tensor<7x2x4x3xf32>, tensor<3x2x4x5xf32>) -> tensor<7x2x5x4x3xf32>
  %r = wax.reduce arith.addf(%p) over [3, 4] init(%zero) : (tensor<7x2x5x4x3xf32>, tensor<f32>) -> tensor<7x2x5xf32>
  return %r : tensor<7x2x5xf32>
}
