// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=nothing" | FileCheck %s --check-prefix=NOTHING
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=everything" | FileCheck %s --check-prefix=EVERYTHING
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=dots" | FileCheck %s --check-prefix=DOTS
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=unbatched" | FileCheck %s --check-prefix=UNBATCHED
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=named" | FileCheck %s --check-prefix=NAMED
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=unnamed" | FileCheck %s --check-prefix=UNNAMED
// RUN: wax-opt %s "--wax-differentiate=mode=forward function=nothing" | FileCheck %s --check-prefix=FORWARD
// RUN: wax-opt %s "--wax-differentiate=mode=reverse function=sums" | FileCheck %s --check-prefix=SUMS

// Only the argument goes from the one to the other.
// NOTHING-LABEL: func.func @nothing
// NOTHING-SAME: (%[[X:.*]]: tensor<4xf32>, %[[CT:.*]]: tensor<4xf32>)
// NOTHING-NEXT: %[[Y:.*]] = wax.checkpoint (%[[A:.*]] = %[[X]]) saving [] :
// NOTHING-NEXT:   %[[SIN:.*]] = wax.map math.sin(%[[A]])
// NOTHING-NEXT:   wax.map math.exp(%[[SIN]])
// NOTHING-NEXT:   wax.return
// NOTHING-NEXT: }
// NOTHING-NEXT: %[[CX:.*]] = wax.checkpoint (%[[B:.*]] = %[[X]], %[[C:.*]] = %[[CT]]) saving [] recomputed [0] :
// NOTHING-NEXT:   wax.map math.sin(%[[B]])
// NOTHING:        wax.return
// NOTHING-NEXT: }
// NOTHING-NEXT: return %[[Y]], %[[CX]]

// FORWARD-LABEL: func.func @nothing
// FORWARD-SAME: (%[[X:.*]]: tensor<4xf32>, %[[T:.*]]: tensor<4xf32>)
// FORWARD-NEXT: %[[Y:.*]]:2 = wax.checkpoint (%{{.*}} = %[[X]], %{{.*}} = %[[T]]) saving [] :
// FORWARD:      return %[[Y]]#0, %[[Y]]#1
func.func @nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.checkpoint (%a = %x) saving [] : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = wax.map math.sin(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = wax.map math.exp(%1) : (tensor<4xf32>) -> tensor<4xf32>
    wax.return %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// EVERYTHING-LABEL: func.func @everything
// EVERYTHING: %[[Y:.*]]:2 = wax.checkpoint
// EVERYTHING: wax.checkpoint ({{.*}} = %[[Y]]#1{{.*}}) saving {{.*}} recomputed [0, 1]
// EVERYTHING-NOT: math.sin
// EVERYTHING: return
func.func @everything(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.checkpoint (%a = %x) saving [["everything"]] : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = wax.map math.sin(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = wax.map math.exp(%1) : (tensor<4xf32>) -> tensor<4xf32>
    wax.return %2 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// The product of half floats is kept as it is rounded.
// DOTS-LABEL: func.func @dots
// DOTS: %[[Y:.*]]:2 = wax.checkpoint {{.*}} -> (tensor<2x3xf16>, tensor<2x3xf16>)
// DOTS: wax.checkpoint ({{.*}} = %[[Y]]#1
// DOTS: return
func.func @dots(%x: tensor<2x4xf16>, %w: tensor<4x3xf16>) -> tensor<2x3xf16> {
  %0 = wax.checkpoint (%a = %x, %b = %w) saving [["dots"]] : (tensor<2x4xf16>, tensor<4x3xf16>) -> tensor<2x3xf16> {
    %zero = wax.constant dense<0.0> : tensor<f32>
    %1 = wax.broadcast (%p = %a[0, 2], %q = %b[2, 1]) : (tensor<2x4xf16>, tensor<4x3xf16>) -> tensor<2x3x4xf32> {
      %5 = arith.extf %p : f16 to f32
      %6 = arith.extf %q : f16 to f32
      %7 = arith.mulf %5, %6 : f32
      wax.yield %7 : f32
    }
    %2 = wax.reduce arith.addf(%1) over [2] init(%zero) : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3xf32>
    %3 = wax.map (%e = %2) : (tensor<2x3xf32>) -> tensor<2x3xf16> {
      %5 = arith.truncf %e : f32 to f16
      wax.yield %5 : f16
    }
    %4 = wax.map math.sin(%3) : (tensor<2x3xf16>) -> tensor<2x3xf16>
    wax.return %4 : tensor<2x3xf16>
  }
  return %0 : tensor<2x3xf16>
}

// A dim of both factors is left: nothing is kept.
// UNBATCHED-LABEL: func.func @unbatched
// UNBATCHED: %{{.*}} = wax.checkpoint {{.*}} -> tensor<2x3xf32> {
// UNBATCHED: wax.checkpoint {{.*}} recomputed [0, 1]
func.func @unbatched(%x: tensor<2x4xf32>, %w: tensor<2x4x3xf32>) -> tensor<2x3xf32> {
  %0 = wax.checkpoint (%a = %x, %b = %w) saving [["unbatched_dots"]] : (tensor<2x4xf32>, tensor<2x4x3xf32>) -> tensor<2x3xf32> {
    %zero = wax.constant dense<0.0> : tensor<f32>
    %1 = wax.broadcast arith.mulf(%a[0, 2], %b[0, 2, 1]) : (tensor<2x4xf32>, tensor<2x4x3xf32>) -> tensor<2x3x4xf32>
    %2 = wax.reduce arith.addf(%1) over [2] init(%zero) : (tensor<2x3x4xf32>, tensor<f32>) -> tensor<2x3xf32>
    %3 = wax.map math.sin(%2) : (tensor<2x3xf32>) -> tensor<2x3xf32>
    wax.return %3 : tensor<2x3xf32>
  }
  return %0 : tensor<2x3xf32>
}

// NAMED-LABEL: func.func @named
// NAMED: %[[Y:.*]]:2 = wax.checkpoint {{.*}} -> (tensor<4xf32>, tensor<4xf32>)
// NAMED:   wax.name %{{.*}} "kept"
// NAMED: wax.checkpoint ({{.*}} = %[[Y]]#1{{.*}} recomputed [0, 1]
// NAMED: return
func.func @named(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.checkpoint (%a = %x) saving [["names", "kept"]] : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = wax.map math.exp(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = wax.name %1 "other" : (tensor<4xf32>) -> tensor<4xf32>
    %3 = wax.map math.sin(%2) : (tensor<4xf32>) -> tensor<4xf32>
    %4 = wax.name %3 "kept" : (tensor<4xf32>) -> tensor<4xf32>
    %5 = wax.map math.sin(%4) : (tensor<4xf32>) -> tensor<4xf32>
    wax.return %5 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// What the name is given to is left out too.
// UNNAMED-LABEL: func.func @unnamed
// UNNAMED: wax.checkpoint {{.*}} recomputed [0]
// UNNAMED: math.exp
// UNNAMED: return
func.func @unnamed(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = wax.checkpoint (%a = %x) saving [["unnamed", "big"]] : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = wax.map math.exp(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = wax.name %1 "big" : (tensor<4xf32>) -> tensor<4xf32>
    %3 = wax.map math.sin(%2) : (tensor<4xf32>) -> tensor<4xf32>
    wax.return %3 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// The cotangent of what others read too goes on from the sum so far.
// SUMS-LABEL: func.func @sums
// SUMS: %[[OTHER:.*]] = wax.broadcast
// SUMS: %[[CX:.*]] = wax.checkpoint ({{.*}} = %[[OTHER]]
// SUMS: return %{{.*}}, %{{.*}}, %[[CX]]
func.func @sums(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = wax.checkpoint (%a = %x) saving [] : (tensor<4xf32>) -> tensor<4xf32> {
    %1 = wax.map math.sin(%a) : (tensor<4xf32>) -> tensor<4xf32>
    wax.return %1 : tensor<4xf32>
  }
  %2 = wax.map math.exp(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %2 : tensor<4xf32>, tensor<4xf32>
}
