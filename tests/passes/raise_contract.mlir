// RUN: wax-opt %s --wax-raise=wanted=contract | FileCheck %s
// RUN: wax-opt %s --wax-raise --wax-verify-normal-form=form=recognized -o /dev/null
// RUN: wax-opt %s --wax-simplify --cse -o %t.before
// RUN: wax-opt %s --wax-raise --wax-decompose --wax-simplify --cse --wax-verify-normal-form -o %t.after
// RUN: diff %t.before %t.after

// CHECK-LABEL: func.func @product_of_matrices
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8x5xf32>)
// CHECK-NEXT: %[[R:.*]] = wax.contract (%[[A:.*]] = %[[X]], %[[B:.*]] = %[[W]]) {accumulator = f32, dims = [array<i64: 0, 2>, array<i64: 2, 1>]}
// CHECK-NEXT:   wax.constant
// CHECK-NEXT:   %[[P:.*]] = wax.broadcast arith.mulf(%[[A]][0, 2], %[[B]][2, 1])
// CHECK-NEXT:   %[[S:.*]] = wax.reduce arith.addf(%[[P]]) over [2]
// CHECK-NEXT:   wax.return %[[S]]
// CHECK: return %[[R]]
func.func @product_of_matrices(%x: tensor<4x8xf32>, %w: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %p = wax.broadcast arith.mulf(%x[0, 2], %w[2, 1]) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5x8xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Transposes before and after, a broadcast, and a dim of size 1 that comes and goes.
// CHECK-LABEL: func.func @written_otherwise
// CHECK-SAME: (%[[X:.*]]: tensor<8x4xf32>, %[[W:.*]]: tensor<8x5xf32>)
// CHECK: wax.contract (%{{.*}} = %[[W]], %{{.*}} = %[[X]]) {accumulator = f32, dims = [array<i64: 2, 0>, array<i64: 2, 1>]} : (tensor<8x5xf32>, tensor<8x4xf32>) -> tensor<5x4xf32>
func.func @written_otherwise(%x: tensor<8x4xf32>, %w: tensor<8x5xf32>) -> tensor<5x4xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %t = wax.permute %x [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %one = wax.reshape %t [[0], [], [1]] into [[0], [1], [2]] : (tensor<4x8xf32>) -> tensor<4x1x8xf32>
  %none = wax.reshape %one [[0], [1], [2]] into [[0], [], [1]] : (tensor<4x1x8xf32>) -> tensor<4x8xf32>
  %long = wax.broadcast (%a = %none[0, 2]) sizes [5] : (tensor<4x8xf32>) -> tensor<4x5x8xf32> {
    wax.yield %a : f32
  }
  %p = wax.broadcast arith.mulf(%w[2, 1], %long[0, 1, 2]) : (tensor<8x5xf32>, tensor<4x5x8xf32>) -> tensor<4x5x8xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
  %s = wax.permute %r [1, 0] : (tensor<4x5xf32>) -> tensor<5x4xf32>
  return %s : tensor<5x4xf32>
}

// CHECK-LABEL: func.func @half_floats
// CHECK: wax.contract {{.*}} {accumulator = f32, dims = [array<i64: 0, 1, 3>, array<i64: 0, 3, 2>]} : (tensor<2x4x8xbf16>, tensor<2x8x5xbf16>) -> tensor<2x4x5xbf16>
func.func @half_floats(%x: tensor<2x4x8xbf16>, %w: tensor<2x8x5xbf16>) -> tensor<2x4x5xbf16> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %p = wax.broadcast (%a = %x[0, 1, 3], %b = %w[0, 3, 2]) : (tensor<2x4x8xbf16>, tensor<2x8x5xbf16>) -> tensor<2x4x5x8xf32> {
    %1 = arith.extf %a : bf16 to f32
    %2 = arith.extf %b : bf16 to f32
    %3 = arith.mulf %1, %2 : f32
    wax.yield %3 : f32
  }
  %r = wax.reduce arith.addf(%p) over [3] init(%zero) : (tensor<2x4x5x8xf32>, tensor<f32>) -> tensor<2x4x5xf32>
  %s = wax.map arith.truncf(%r) : (tensor<2x4x5xf32>) -> tensor<2x4x5xbf16>
  return %s : tensor<2x4x5xbf16>
}

// CHECK-LABEL: func.func @bytes
// CHECK: wax.contract {{.*}} {accumulator = i32, dims = [array<i64: 0>, array<i64: 0>], is_unsigned} : (tensor<8xi8>, tensor<8xi8>) -> tensor<i32>
func.func @bytes(%x: tensor<8xi8>, %y: tensor<8xi8>) -> tensor<i32> {
  %zero = wax.constant dense<0> : tensor<i32>
  %a = wax.map arith.extui(%x) : (tensor<8xi8>) -> tensor<8xi32>
  %b = wax.map arith.extui(%y) : (tensor<8xi8>) -> tensor<8xi32>
  %p = wax.broadcast arith.muli(%a[0], %b[0]) : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  %r = wax.reduce arith.addi(%p) over [0] init(%zero) : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// A fold that multiplies itself, its sum the other way round.
// CHECK-LABEL: func.func @one_kernel
// CHECK: wax.contract {{.*}} {accumulator = f32, dims = [array<i64: 0, 1>, array<i64: 0, 1>]} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
func.func @one_kernel(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %r = wax.reduce (%a = %x, %b = %y) over [1] init(%acc = %zero) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32> {
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    wax.yield %s : f32
  } combine (%l, %m) {
    %s = arith.addf %m, %l : f32
    wax.yield %s : f32
  }
  return %r : tensor<4xf32>
}

// Of what others read too, it is an operand.
// CHECK-LABEL: func.func @a_factor_that_is_read_elsewhere
// CHECK: %[[T:.*]] = wax.map arith.extf
// CHECK: wax.contract (%{{.*}} = %[[T]], %{{.*}} = %{{.*}}) {accumulator = f32, dims = [array<i64: 0>, array<i64: 0>]} : (tensor<8xf32>, tensor<8xbf16>) -> tensor<f32>
func.func @a_factor_that_is_read_elsewhere(%x: tensor<8xbf16>, %y: tensor<8xbf16>) -> (tensor<f32>, tensor<8xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %a = wax.map arith.extf(%x) : (tensor<8xbf16>) -> tensor<8xf32>
  %b = wax.map arith.extf(%y) : (tensor<8xbf16>) -> tensor<8xf32>
  %p = wax.broadcast arith.mulf(%a[0], %b[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %r = wax.reduce arith.addf(%p) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %r, %a : tensor<f32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @open_sizes
// CHECK: wax.contract (%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) {{.*}} : (tensor<?x8xf32>, tensor<8x?xf32>, index) -> tensor<?x?xf32>
func.func @open_sizes(%x: tensor<?x8xf32>, %w: tensor<8x?xf32>, %like: tensor<?xf32>) -> tensor<?x?xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %like, %c0 : tensor<?xf32>
  %long = wax.broadcast (%a = %x[0, 2]) sizes [%n] : (tensor<?x8xf32>) -> tensor<?x?x8xf32> {
    wax.yield %a : f32
  }
  %p = wax.broadcast arith.mulf(%long[0, 1, 2], %w[2, 1]) : (tensor<?x?x8xf32>, tensor<8x?xf32>) -> tensor<?x?x8xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<?x?x8xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @in_a_loop
// CHECK: scf.for
// CHECK: wax.contract
func.func @in_a_loop(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (tensor<8xf32>) {
    %p = wax.broadcast arith.mulf(%s[0], %x[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %d = wax.reduce arith.addf(%p) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %t = wax.broadcast arith.addf(%s[0], %d[]) : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// What is nearly alike.

// CHECK-LABEL: func.func @in_order
// CHECK-NOT: wax.contract
func.func @in_order(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<f32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %p = wax.broadcast arith.mulf(%x[0], %y[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %r = wax.reduce ordered arith.addf(%p) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @from_another_start
// CHECK-NOT: wax.contract
func.func @from_another_start(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<f32> {
  %one = wax.constant dense<1.0> : tensor<f32>
  %p = wax.broadcast arith.mulf(%x[0], %y[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %r = wax.reduce arith.addf(%p) over [0] init(%one) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// CHECK-LABEL: func.func @of_sums
// CHECK-NOT: wax.contract
func.func @of_sums(%x: tensor<4x8xf32>, %w: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %p = wax.broadcast arith.addf(%x[0, 2], %w[2, 1]) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5x8xf32>
  %r = wax.reduce arith.addf(%p) over [2] init(%zero) : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// CHECK-LABEL: func.func @greatest_products
// CHECK-NOT: wax.contract
func.func @greatest_products(%x: tensor<4x8xf32>, %w: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %p = wax.broadcast arith.mulf(%x[0, 2], %w[2, 1]) : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5x8xf32>
  %r = wax.reduce arith.maximumf(%p) over [2] init(%low) : (tensor<4x5x8xf32>, tensor<f32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// CHECK-LABEL: func.func @over_a_dim_of_one_factor
// CHECK-NOT: wax.contract
func.func @over_a_dim_of_one_factor(%x: tensor<4x8xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %p = wax.broadcast arith.mulf(%x[0, 1], %w[0]) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  %r = wax.reduce arith.addf(%p) over [1] init(%zero) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @products_of_bytes
// CHECK-NOT: wax.contract
func.func @products_of_bytes(%x: tensor<8xi8>, %y: tensor<8xi8>) -> tensor<i32> {
  %zero = wax.constant dense<0> : tensor<i32>
  %p = wax.broadcast arith.muli(%x[0], %y[0]) : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi8>
  %a = wax.map arith.extsi(%p) : (tensor<8xi8>) -> tensor<8xi32>
  %r = wax.reduce arith.addi(%a) over [0] init(%zero) : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// CHECK-LABEL: func.func @of_two_signs
// CHECK-NOT: wax.contract
func.func @of_two_signs(%x: tensor<8xi8>, %y: tensor<8xi8>) -> tensor<i32> {
  %zero = wax.constant dense<0> : tensor<i32>
  %p = wax.broadcast (%a = %x[0], %b = %y[0]) : (tensor<8xi8>, tensor<8xi8>) -> tensor<8xi32> {
    %1 = arith.extsi %a : i8 to i32
    %2 = arith.extui %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    wax.yield %3 : i32
  }
  %r = wax.reduce arith.addi(%p) over [0] init(%zero) : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// CHECK-LABEL: func.func @products_that_others_read
// CHECK-NOT: wax.contract
func.func @products_that_others_read(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<f32>, tensor<8xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %p = wax.broadcast arith.mulf(%x[0], %y[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %r = wax.reduce arith.addf(%p) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %r, %p : tensor<f32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @a_factor_of_the_kernel
// CHECK-NOT: wax.contract
func.func @a_factor_of_the_kernel(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<f32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %p = wax.broadcast (%a = %x[0], %b = %y[0]) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> {
    %1 = math.exp %a : f32
    %2 = arith.mulf %1, %b : f32
    wax.yield %2 : f32
  }
  %r = wax.reduce arith.addf(%p) over [0] init(%zero) : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
