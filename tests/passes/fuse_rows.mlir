// RUN: wax-opt %s --wax-lower='target=iree keep-rows=true' --wax-fuse-rows --split-input-file | FileCheck %s

// The exponentials are kept where the result is written in the last turn.
// CHECK-LABEL: func @softmax
// CHECK-SAME: %[[X:.*]]: tensor<64x512xf32>
// CHECK: "flow.dispatch.region"
// CHECK-NOT: "flow.dispatch.region"
// CHECK: scf.forall
// CHECK: scf.for %[[ROW:.*]] = {{.*}} iter_args(%[[PART:.*]] = %{{.*}}) -> (tensor<{{.*}}xf32>)
// CHECK: scf.for %{{.*}} -> (vector<32xf32>)
// CHECK: vector.transfer_read %[[X]][%[[ROW]]
// CHECK: arith.maximumf
// CHECK: vector.extract %{{.*}}[0] : f32
// CHECK: %[[KEPT:.*]]:2 = scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %[[TO:.*]] = %[[PART]])
// CHECK: vector.transfer_read %[[X]][%[[ROW]]
// CHECK: math.exp
// CHECK-DAG: arith.addf
// CHECK-DAG: vector.transfer_write %{{.*}}, %[[TO]]
// CHECK: scf.for %{{.*}} iter_args(%[[LAST:.*]] = %[[KEPT]]#1)
// CHECK: %[[E:.*]] = vector.transfer_read %[[LAST]]
// CHECK: arith.divf %[[E]]
// CHECK: vector.transfer_write %{{.*}}, %[[LAST]]
// CHECK: return
func.func @softmax(%x: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %0 = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<64x512xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = wax.broadcast (%a = %x[0, 1], %b = %0[0]) : (tensor<64x512xf32>, tensor<64xf32>) -> tensor<64x512xf32> {
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    wax.yield %e : f32
  }
  %2 = wax.reduce arith.addf(%1) over [1] init(%zero) : (tensor<64x512xf32>, tensor<f32>) -> tensor<64xf32>
  %3 = wax.broadcast arith.divf(%1[0, 1], %2[0]) : (tensor<64x512xf32>, tensor<64xf32>) -> tensor<64x512xf32>
  return %3 : tensor<64x512xf32>
}

// -----

// Halves are no memory for them: they are on the stack. A sum's result is a
// result too.
// CHECK-LABEL: func @softmax_of_halves
// CHECK: %{{.*}}:2 = "flow.dispatch.region"
// CHECK: scf.forall
// CHECK: %[[STACK:.*]] = tensor.empty() : tensor<512xf32>
// CHECK: scf.for %{{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[ROW:.*]] = %[[STACK]])
// CHECK: math.exp
// CHECK: vector.transfer_write %{{.*}} : vector<{{.*}}xf32>, tensor<512xf32>
// CHECK: vector.transfer_read %{{.*}} : tensor<512xf32>
// CHECK: arith.truncf
// CHECK: tensor.insert
// CHECK-NOT: "flow.dispatch.region"
// CHECK: return
func.func @softmax_of_halves(%x: tensor<64x512xf32>) -> (tensor<64x512xf16>, tensor<64xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %0 = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<64x512xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = wax.broadcast (%a = %x[0, 1], %b = %0[0]) : (tensor<64x512xf32>, tensor<64xf32>) -> tensor<64x512xf32> {
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    wax.yield %e : f32
  }
  %2 = wax.reduce arith.addf(%1) over [1] init(%zero) : (tensor<64x512xf32>, tensor<f32>) -> tensor<64xf32>
  %3 = wax.broadcast (%a = %1[0, 1], %b = %2[0]) : (tensor<64x512xf32>, tensor<64xf32>) -> tensor<64x512xf16> {
    %q = arith.divf %a, %b : f32
    %h = arith.truncf %q : f32 to f16
    wax.yield %h : f16
  }
  return %3, %2 : tensor<64x512xf16>, tensor<64xf32>
}

// -----

// A difference of what is read is made again, and the mean is an element of the
// row.
// CHECK-LABEL: func @norm
// CHECK: "flow.dispatch.region"
// CHECK: scf.forall
// CHECK: scf.for
// CHECK: scf.for %{{.*}} -> (vector<{{.*}}xf32>)
// CHECK: arith.divf %{{.*}} : vector<1xf32>
// CHECK: scf.for %{{.*}} -> (vector<{{.*}}xf32>)
// CHECK: arith.subf
// CHECK-NOT: vector.transfer_write
// CHECK: scf.for %{{.*}} -> (tensor<{{.*}}x?xf32>)
// CHECK: arith.subf
// CHECK: arith.divf
// CHECK: vector.transfer_write
// CHECK-NOT: "flow.dispatch.region"
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @norm(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = wax.map (%a = %0) : (tensor<?xf32>) -> tensor<?xf32> {
    %n = arith.constant 512.0 : f32
    %m = arith.divf %a, %n : f32
    wax.yield %m : f32
  }
  %2 = wax.broadcast arith.subf(%x[0, 1], %1[0]) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  %3 = wax.broadcast arith.mulf(%2[0, 1], %2[0, 1]) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %4 = wax.reduce arith.addf(%3) over [1] init(%zero) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %5 = wax.broadcast arith.divf(%2[0, 1], %4[0]) : (tensor<?x?xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  return %5 : tensor<?x?xf32>
}

// -----

// A sum of a product may be contracted in one place and not in another, so
// what is compared with the greatest is what was folded.
// CHECK-LABEL: func @sums_of_products_are_made_once
// CHECK: "flow.dispatch.region"
// CHECK: arith.addf
// CHECK: vector.transfer_write
// CHECK: arith.cmpf oeq
// CHECK-NOT: arith.addf
// CHECK: return
func.func @sums_of_products_are_made_once(%x: tensor<64x512xf32>) -> tensor<64x512xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %0 = wax.map (%a = %x) : (tensor<64x512xf32>) -> tensor<64x512xf32> {
    %c = arith.constant 0.3 : f32
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %p, %c : f32
    wax.yield %s : f32
  }
  %1 = wax.reduce arith.maximumf(%0) over [1] init(%low) : (tensor<64x512xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = wax.broadcast (%a = %0[0, 1], %b = %1[0]) : (tensor<64x512xf32>, tensor<64xf32>) -> tensor<64x512xf32> {
    %zero = arith.constant 0.0 : f32
    %e = arith.cmpf oeq, %a, %b : f32
    %v = arith.select %e, %a, %zero : f32
    wax.yield %v : f32
  }
  return %2 : tensor<64x512xf32>
}

// -----

// What reads what the chain makes, and stood before its end, comes behind it.
// CHECK-LABEL: func @readers_come_behind
// CHECK: %[[MADE:.*]]:2 = "flow.dispatch.region"
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: "flow.return"
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[MADE]]#0
// CHECK: return %[[T]], %[[MADE]]#1
func.func @readers_come_behind(%x: tensor<64x512xf32>) -> (tensor<512x64xf32>, tensor<64x512xf32>) {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %0 = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<64x512xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = wax.broadcast (%a = %x[0, 1], %b = %0[0]) : (tensor<64x512xf32>, tensor<64xf32>) -> tensor<64x512xf32> {
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    wax.yield %e : f32
  }
  %t = wax.permute %1 [1, 0] : (tensor<64x512xf32>) -> tensor<512x64xf32>
  %2 = wax.reduce arith.addf(%1) over [1] init(%zero) : (tensor<64x512xf32>, tensor<f32>) -> tensor<64xf32>
  %3 = wax.broadcast arith.divf(%1[0, 1], %2[0]) : (tensor<64x512xf32>, tensor<64xf32>) -> tensor<64x512xf32>
  return %t, %3 : tensor<512x64xf32>, tensor<64x512xf32>
}

// -----

// Of a square, each element less the greatest of the row that has its column's
// number.
// CHECK-LABEL: func @other_rows_are_none_of_it
// CHECK: "flow.dispatch.region"
// CHECK: "flow.return"
// CHECK: linalg.generic
// CHECK: arith.subf
func.func @other_rows_are_none_of_it(%x: tensor<1000x1000xf32>) -> tensor<1000x1000xf32> {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %0 = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<1000x1000xf32>, tensor<f32>) -> tensor<1000xf32>
  %1 = wax.broadcast arith.subf(%x[0, 1], %0[1]) : (tensor<1000x1000xf32>, tensor<1000xf32>) -> tensor<1000x1000xf32>
  return %1 : tensor<1000x1000xf32>
}

// -----

// As many rows, but longer ones.
// CHECK-LABEL: func @rows_of_another_length_are_none_of_it
// CHECK: "flow.dispatch.region"
// CHECK: "flow.return"
// CHECK: linalg.generic
// CHECK: arith.subf
func.func @rows_of_another_length_are_none_of_it(%x: tensor<512x1024xf32>, %y: tensor<512x2048xf32>) -> (tensor<512x2048xf32>, tensor<512xf32>) {
  %low = wax.constant dense<0xFF800000> : tensor<f32>
  %0 = wax.reduce arith.maximumf(%x) over [1] init(%low) : (tensor<512x1024xf32>, tensor<f32>) -> tensor<512xf32>
  %1 = wax.broadcast arith.subf(%y[0, 1], %0[0]) : (tensor<512x2048xf32>, tensor<512xf32>) -> tensor<512x2048xf32>
  return %1, %0 : tensor<512x2048xf32>, tensor<512xf32>
}

// -----

// Few long rows are cut into pieces, and short ones IREE folds as they are made.
// CHECK-LABEL: func @one_long_row
// CHECK: "flow.dispatch.region"
// CHECK: "flow.dispatch.region"
// CHECK: linalg.generic
func.func @one_long_row(%x: tensor<1x100000xf32>) -> tensor<1x100000xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<1x100000xf32>, tensor<f32>) -> tensor<1xf32>
  %1 = wax.broadcast arith.divf(%x[0, 1], %0[0]) : (tensor<1x100000xf32>, tensor<1xf32>) -> tensor<1x100000xf32>
  return %1 : tensor<1x100000xf32>
}

// CHECK-LABEL: func @short_rows
// CHECK-NOT: "flow.dispatch.region"
// CHECK: return
func.func @short_rows(%x: tensor<4096x16xf32>) -> tensor<4096x16xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %0 = wax.reduce arith.addf(%x) over [1] init(%zero) : (tensor<4096x16xf32>, tensor<f32>) -> tensor<4096xf32>
  %1 = wax.broadcast arith.divf(%x[0, 1], %0[0]) : (tensor<4096x16xf32>, tensor<4096xf32>) -> tensor<4096x16xf32>
  return %1 : tensor<4096x16xf32>
}

// -----

// Of two rows that are kept on the stack, each is of another size: alike, they
// would be taken for one.
// CHECK-LABEL: func @two
// CHECK: scf.forall
// CHECK-DAG: tensor.empty() : tensor<40xf32>
// CHECK-DAG: tensor.empty() : tensor<56xf32>
// CHECK: scf.for %{{.*}} -> (tensor<{{.*}}x40xf32>, tensor<40xf32>, tensor<56xf32>)
func.func @two(%x: tensor<64x40xf32>, %y: tensor<64x40xf32>) -> tensor<64x40xf32> {
  %zero = wax.constant dense<0.0> : tensor<f32>
  %half = wax.constant dense<0.5> : tensor<f32>
  %one = wax.constant dense<1.0> : tensor<f32>
  %0 = wax.broadcast (%a = %x[0, 1], %b = %y[0, 1], %c = %half[]) : (tensor<64x40xf32>, tensor<64x40xf32>, tensor<f32>) -> tensor<64x40xf32> {
    %p = arith.mulf %b, %c : f32
    %d = arith.subf %a, %p : f32
    wax.yield %d : f32
  }
  %1 = wax.reduce arith.addf(%0) over [1] init(%zero) : (tensor<64x40xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = wax.broadcast arith.subf(%0[0, 1], %1[0]) : (tensor<64x40xf32>, tensor<64xf32>) -> tensor<64x40xf32>
  %3 = wax.broadcast (%a = %2[0, 1], %c = %one[]) : (tensor<64x40xf32>, tensor<f32>) -> tensor<64x40xf32> {
    %p = arith.mulf %a, %a : f32
    %d = arith.subf %c, %p : f32
    wax.yield %d : f32
  }
  %4 = wax.reduce arith.addf(%3) over [1] init(%zero) : (tensor<64x40xf32>, tensor<f32>) -> tensor<64xf32>
  %5 = wax.broadcast (%a = %0[0, 1], %b = %3[0, 1], %s = %4[0]) : (tensor<64x40xf32>, tensor<64x40xf32>, tensor<64xf32>) -> tensor<64x40xf32> {
    %p = arith.mulf %a, %s : f32
    %d = arith.addf %p, %b : f32
    wax.yield %d : f32
  }
  return %5 : tensor<64x40xf32>
}
