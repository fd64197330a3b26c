// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @body_of_other_types(%x: tensor<3xf32>) {
  // expected-error@+1 {{'wax.checkpoint' op [checkpoint_c1] the body takes 'tensor<2xf32>' in place 0, but operand 0 is 'tensor<3xf32>'}}
  "wax.checkpoint"(%x) <{saving = []}> ({
  ^bb0(%a: tensor<2xf32>):
    wax.return
  }) : (tensor<3xf32>) -> ()
  return
}

// -----

func.func @body_that_takes_less(%x: tensor<3xf32>) {
  // expected-error@+1 {{[checkpoint_c1] the body takes 0 values, but there is 1 operand}}
  "wax.checkpoint"(%x) <{saving = []}> ({
    wax.return
  }) : (tensor<3xf32>) -> ()
  return
}

// -----

func.func @results_of_other_types(%x: tensor<3xf32>) {
  // expected-error@+1 {{[checkpoint_c2] the body gives 'tensor<3xf32>' in place 0, but result 0 is 'tensor<3xf64>'}}
  %0 = wax.checkpoint (%a = %x) saving [] : (tensor<3xf32>) -> tensor<3xf64> {
    wax.return %a : tensor<3xf32>
  }
  return
}

// -----

func.func @fewer_results(%x: tensor<3xf32>) {
  // expected-error@+1 {{[checkpoint_c2] the body gives 1 value, but there are 0 results}}
  wax.checkpoint (%a = %x) saving [] : (tensor<3xf32>) -> () {
    wax.return %a : tensor<3xf32>
  }
  return
}

// -----

func.func @no_such_rule(%x: tensor<3xf32>) {
  // expected-error@+1 {{[checkpoint_c3] ["some"] is no rule of what is kept}}
  wax.checkpoint (%a = %x) saving [["dots"], ["some"]] : (tensor<3xf32>) -> () {
    wax.return
  }
  return
}

// -----

func.func @rule_with_needless_names(%x: tensor<3xf32>) {
  // expected-error@+1 {{[checkpoint_c3] ["dots", "a"] is no rule of what is kept}}
  wax.checkpoint (%a = %x) saving [["dots", "a"]] : (tensor<3xf32>) -> () {
    wax.return
  }
  return
}

// -----

func.func @no_such_operand(%x: tensor<3xf32>) {
  // expected-error@+1 {{[checkpoint_c4] there is no operand 1}}
  wax.checkpoint (%a = %x) saving [] recomputed [0, 1] : (tensor<3xf32>) -> () {
    wax.return
  }
  return
}

// -----

func.func @capture(%x: tensor<3xf32>) {
  // expected-note@+1 {{required by region isolation constraints}}
  %0 = wax.checkpoint () saving [] : () -> tensor<3xf32> {
    // expected-error@+1 {{using value defined outside the region}}
    %1 = wax.map math.sin(%x) : (tensor<3xf32>) -> tensor<3xf32>
    wax.return %1 : tensor<3xf32>
  }
  return
}
