// RUN: wax-opt %s --wax-verify-normal-form=form=iree --split-input-file --verify-diagnostics
// RUN: sed -e 's/expected-error/unexpected/' -e 's/expected-upstream/expected-error/' %s | wax-opt --wax-verify-normal-form=form=upstream --split-input-file --verify-diagnostics

func.func @a_dispatch_is_not_upstream(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // expected-upstream @+1 {{'flow.dispatch.region' op does not occur in the normal form 'upstream'}}
  %0 = "flow.dispatch.region"(%n) <{operandSegmentSizes = array<i32: 1, 0>}> ({
    "flow.return"(%x) : (tensor<?xf32>) -> ()
  }, {}) : (index) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @what_is_in_a_dispatch_is_lowered(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  // expected-upstream @+1 {{'flow.dispatch.region' op does not occur in the normal form 'upstream'}}
  %0 = "flow.dispatch.region"(%n) <{operandSegmentSizes = array<i32: 1, 0>}> ({
    // expected-error @+1 {{'wax.map' op does not occur in the normal form 'iree'}}
    %1 = wax.map math.exp(%x) : (tensor<?xf32>) -> tensor<?xf32>
    "flow.return"(%1) : (tensor<?xf32>) -> ()
  }, {}) : (index) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
