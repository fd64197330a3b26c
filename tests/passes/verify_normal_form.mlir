// RUN: wax-opt %s --wax-verify-normal-form=form=basis --split-input-file --verify-diagnostics
// RUN: sed -e 's/expected-error/unexpected/' -e 's/expected-upstream/expected-error/' %s | wax-opt --wax-verify-normal-form=form=upstream --split-input-file --verify-diagnostics

func.func @basis_and_glue(%x: tensor<?xf32>, %i: tensor<i32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %m = arith.addi %n, %n : index
  %e = tensor.extract %i[] : tensor<i32>
  %k = arith.index_cast %e : i32 to index
  %more = arith.cmpi sgt, %k, %m : index
  %r = scf.if %more -> tensor<?xf32> {
    // expected-upstream @+1 {{'wax.map' op does not occur in the normal form 'upstream'}}
    %0 = wax.map math.exp(%x) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %0 : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----

func.func @linalg_is_not_basis(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'linalg.exp' op does not occur in the normal form 'basis'}}
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @checks_are_basis(%b: i1) {
  cf.assert %b, "checked"
  return
}

// -----

func.func @arithmetic_on_tensors_is_not_glue(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'arith.addf' op does not occur in the normal form 'basis'}}
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// expected-error @+2 {{'cf.br' op does not occur in the normal form 'basis'}}
// expected-upstream @+1 {{'cf.br' op does not occur in the normal form 'upstream'}}
func.func @control_flow_is_structured() { cf.br ^next
^next:
  return
}

// -----

func.func @recognised_operations_are_not_basis(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{'wax.softmax' op does not occur in the normal form 'basis'}}
  // expected-upstream @+1 {{'wax.softmax' op does not occur in the normal form 'upstream'}}
  %0 = wax.softmax (%a = %x) {accumulator = f32, dims = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32> {
    wax.return %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
