// A loop of as many turns as a tensor has rows has room for so many on the way back.

// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=main" | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<?xf32>, %{{.*}}: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>)
// CHECK-DAG: %[[N:.*]] = tensor.dim %[[X]]
// CHECK: %[[ROOM:.*]] = wax.broadcast {{.*}} -> tensor<?x?xf32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] {{.*}} iter_args(%[[A:.*]] = %[[X]], %[[S:.*]] = %[[ROOM]])
// CHECK: wax.insert %{{.*}} into %[[S]] offsets [%[[I]], 0]
// CHECK: scf.for {{.*}} to %[[N]]
// CHECK: wax.slice
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<?xf32> {
    %1 = wax.map math.sin(%a) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
