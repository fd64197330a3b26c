// RUN: wax-opt %s "--wax-batch=function=one_choice arguments=1 size=4" | FileCheck %s --check-prefix=ONE-CHOICE
// RUN: wax-opt %s "--wax-batch=function=each_row_its_own arguments=0 size=4" | FileCheck %s --check-prefix=EACH-ROW-ITS-OWN
// RUN: wax-opt %s "--wax-batch=function=turns_alike arguments=0 size=4" | FileCheck %s --check-prefix=TURNS-ALIKE
// RUN: wax-opt %s "--wax-batch=function=bounds_that_differ size=4" | FileCheck %s --check-prefix=BOUNDS-THAT-DIFFER
// RUN: wax-opt %s "--wax-batch=function=until_all_are_done arguments=0 size=4" | FileCheck %s --check-prefix=UNTIL-ALL-ARE-DONE

// ONE-CHOICE: func.func @one_choice(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<i1>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4x3xf32>) -> tensor<4x3xf32> {
// ONE-CHOICE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<0.000000e+00> : tensor<4x3xf32>
// ONE-CHOICE-NEXT: %[[EXTRACTED:[a-zA-Z0-9_]+]] = tensor.extract %[[ARG0]][] : tensor<i1>
// ONE-CHOICE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = scf.if %[[EXTRACTED]] -> (tensor<4x3xf32>) {
// ONE-CHOICE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.map math.exp(%[[ARG1]]) : (tensor<4x3xf32>) -> tensor<4x3xf32>
// ONE-CHOICE-NEXT: scf.yield %[[V2]] : tensor<4x3xf32>
// ONE-CHOICE-NEXT: } else {
// ONE-CHOICE-NEXT: scf.yield %[[V0]] : tensor<4x3xf32>
// ONE-CHOICE-NEXT: }
// ONE-CHOICE-NEXT: return %[[V1]] : tensor<4x3xf32>
func.func @one_choice(%p: tensor<i1>, %x: tensor<3xf32>) -> tensor<3xf32> {
  %c = tensor.extract %p[] : tensor<i1>
  %0 = scf.if %c -> tensor<3xf32> {
    %1 = wax.map math.exp(%x) : (tensor<3xf32>) -> tensor<3xf32>
    scf.yield %1 : tensor<3xf32>
  } else {
    %zero = wax.constant dense<0.0> : tensor<3xf32>
    scf.yield %zero : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// EACH-ROW-ITS-OWN: func.func @each_row_its_own(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xi1>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<3xf32>) -> tensor<4x3xf32> {
// EACH-ROW-ITS-OWN-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.map math.exp(%[[ARG1]]) : (tensor<3xf32>) -> tensor<3xf32>
// EACH-ROW-ITS-OWN-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.broadcast arith.select(%[[ARG0]][0], %[[V0]][1], %[[ARG1]][1]) : (tensor<4xi1>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
// EACH-ROW-ITS-OWN-NEXT: return %[[V1]] : tensor<4x3xf32>
// No branch is left, and what has no rows is not repeated.
func.func @each_row_its_own(%p: tensor<i1>, %x: tensor<3xf32>) -> tensor<3xf32> {
  %c = tensor.extract %p[] : tensor<i1>
  %0 = scf.if %c -> tensor<3xf32> {
    %1 = wax.map math.exp(%x) : (tensor<3xf32>) -> tensor<3xf32>
    scf.yield %1 : tensor<3xf32>
  } else {
    scf.yield %x : tensor<3xf32>
  }
  return %0 : tensor<3xf32>
}

// TURNS-ALIKE: func.func @turns_alike(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
// TURNS-ALIKE-NEXT: %[[C0:[a-zA-Z0-9_]+]] = arith.constant 0 : index
// TURNS-ALIKE-NEXT: %[[C1:[a-zA-Z0-9_]+]] = arith.constant 1 : index
// TURNS-ALIKE-NEXT: %[[C9:[a-zA-Z0-9_]+]] = arith.constant 9 : index
// TURNS-ALIKE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG1]][]) sizes [4] : (tensor<f32>) -> tensor<4xf32> {
// TURNS-ALIKE-NEXT: wax.yield %[[A]] : f32
// TURNS-ALIKE-NEXT: }
// TURNS-ALIKE-NEXT: %[[V1:[a-zA-Z0-9_]+]]:2 = scf.for %[[ARG2:[a-zA-Z0-9_]+]] = %[[C0]] to %[[C9]] step %[[C1]] iter_args(%[[ARG3:[a-zA-Z0-9_]+]] = %[[V0]], %[[ARG4:[a-zA-Z0-9_]+]] = %[[ARG1]]) -> (tensor<4xf32>, tensor<f32>) {
// TURNS-ALIKE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast arith.addf(%[[ARG3]][0], %[[ARG0]][0]) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// TURNS-ALIKE-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.map math.exp(%[[ARG4]]) : (tensor<f32>) -> tensor<f32>
// TURNS-ALIKE-NEXT: scf.yield %[[V2]], %[[V3]] : tensor<4xf32>, tensor<f32>
// TURNS-ALIKE-NEXT: }
// TURNS-ALIKE-NEXT: return %[[V1]]#0, %[[V1]]#1 : tensor<4xf32>, tensor<f32>
// What a turn makes depend on the row does so from the start; the count does not.
func.func @turns_alike(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %0:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %y, %b = %y) -> (tensor<f32>, tensor<f32>) {
    %1 = wax.broadcast arith.addf(%a[], %x[]) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %2 = wax.map math.exp(%b) : (tensor<f32>) -> tensor<f32>
    scf.yield %1, %2 : tensor<f32>, tensor<f32>
  }
  return %0#0, %0#1 : tensor<f32>, tensor<f32>
}

// BOUNDS-THAT-DIFFER: func.func @bounds_that_differ(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xi64>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<4xf32>) -> tensor<4xf32> {
// BOUNDS-THAT-DIFFER-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<-9223372036854775808> : tensor<i64>
// BOUNDS-THAT-DIFFER-NEXT: %[[C0:[a-zA-Z0-9_]+]] = arith.constant 0 : index
// BOUNDS-THAT-DIFFER-NEXT: %[[C1:[a-zA-Z0-9_]+]] = arith.constant 1 : index
// BOUNDS-THAT-DIFFER-NEXT: %[[V1:[a-zA-Z0-9_]+]] = wax.reduce arith.maxsi(%[[ARG0]]) over [0] init(%[[V0]]) : (tensor<4xi64>, tensor<i64>) -> tensor<i64>
// BOUNDS-THAT-DIFFER-NEXT: %[[EXTRACTED:[a-zA-Z0-9_]+]] = tensor.extract %[[V1]][] : tensor<i64>
// BOUNDS-THAT-DIFFER-NEXT: %[[V2:[a-zA-Z0-9_]+]] = arith.index_cast %[[EXTRACTED]] : i64 to index
// BOUNDS-THAT-DIFFER-NEXT: %[[V3:[a-zA-Z0-9_]+]] = scf.for %[[ARG2:[a-zA-Z0-9_]+]] = %[[C0]] to %[[V2]] step %[[C1]] iter_args(%[[ARG3:[a-zA-Z0-9_]+]] = %[[ARG1]]) -> (tensor<4xf32>) {
// BOUNDS-THAT-DIFFER-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.index_cast %[[ARG2]] : index to i64
// BOUNDS-THAT-DIFFER-NEXT: %[[FROM_ELEMENTS:[a-zA-Z0-9_]+]] = tensor.from_elements %[[V4]] : tensor<i64>
// BOUNDS-THAT-DIFFER-NEXT: %[[V5:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[FROM_ELEMENTS]][], %[[B:[a-zA-Z0-9_]+]] = %[[ARG0]][0]) : (tensor<i64>, tensor<4xi64>) -> tensor<4xi1> {
// BOUNDS-THAT-DIFFER-NEXT: %[[V8:[a-zA-Z0-9_]+]] = arith.cmpi slt, %[[A]], %[[B]] : i64
// BOUNDS-THAT-DIFFER-NEXT: wax.yield %[[V8]] : i1
// BOUNDS-THAT-DIFFER-NEXT: }
// BOUNDS-THAT-DIFFER-NEXT: %[[V6:[a-zA-Z0-9_]+]] = wax.map math.exp(%[[ARG3]]) : (tensor<4xf32>) -> tensor<4xf32>
// BOUNDS-THAT-DIFFER-NEXT: %[[V7:[a-zA-Z0-9_]+]] = wax.broadcast arith.select(%[[V5]][0], %[[V6]][0], %[[ARG3]][0]) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// BOUNDS-THAT-DIFFER-NEXT: scf.yield %[[V7]] : tensor<4xf32>
// BOUNDS-THAT-DIFFER-NEXT: }
// BOUNDS-THAT-DIFFER-NEXT: return %[[V3]] : tensor<4xf32>
// All rows count by one number.
func.func @bounds_that_differ(%n: tensor<i64>, %x: tensor<f32>) -> tensor<f32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.extract %n[] : tensor<i64>
  %count = arith.index_cast %e : i64 to index
  %0 = scf.for %i = %c0 to %count step %c1 iter_args(%a = %x) -> (tensor<f32>) {
    %1 = wax.map math.exp(%a) : (tensor<f32>) -> tensor<f32>
    scf.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}

// UNTIL-ALL-ARE-DONE: func.func @until_all_are_done(%[[ARG0:[a-zA-Z0-9_]+]]: tensor<4xf32>, %[[ARG1:[a-zA-Z0-9_]+]]: tensor<f32>) -> tensor<4xf32> {
// UNTIL-ALL-ARE-DONE-NEXT: %[[V0:[a-zA-Z0-9_]+]] = wax.constant dense<false> : tensor<i1>
// UNTIL-ALL-ARE-DONE-NEXT: %[[V1:[a-zA-Z0-9_]+]] = scf.while (%[[ARG2:[a-zA-Z0-9_]+]] = %[[ARG0]]) : (tensor<4xf32>) -> tensor<4xf32> {
// UNTIL-ALL-ARE-DONE-NEXT: %[[V2:[a-zA-Z0-9_]+]] = wax.broadcast (%[[A:[a-zA-Z0-9_]+]] = %[[ARG2]][0], %[[B:[a-zA-Z0-9_]+]] = %[[ARG1]][]) : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1> {
// UNTIL-ALL-ARE-DONE-NEXT: %[[V4:[a-zA-Z0-9_]+]] = arith.cmpf olt, %[[A]], %[[B]] : f32
// UNTIL-ALL-ARE-DONE-NEXT: wax.yield %[[V4]] : i1
// UNTIL-ALL-ARE-DONE-NEXT: }
// UNTIL-ALL-ARE-DONE-NEXT: %[[V3:[a-zA-Z0-9_]+]] = wax.reduce arith.ori(%[[V2]]) over [0] init(%[[V0]]) : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
// UNTIL-ALL-ARE-DONE-NEXT: %[[EXTRACTED:[a-zA-Z0-9_]+]] = tensor.extract %[[V3]][] : tensor<i1>
// UNTIL-ALL-ARE-DONE-NEXT: scf.condition(%[[EXTRACTED]]) %[[ARG2]] : tensor<4xf32>
// UNTIL-ALL-ARE-DONE-NEXT: } do {
// UNTIL-ALL-ARE-DONE-NEXT: ^bb0(%[[ARG2]]: tensor<4xf32>):
// UNTIL-ALL-ARE-DONE-NEXT: %[[V2]] = wax.broadcast (%[[A]] = %[[ARG2]][0], %[[B]] = %[[ARG1]][]) : (tensor<4xf32>, tensor<f32>) -> tensor<4xi1> {
// UNTIL-ALL-ARE-DONE-NEXT: %[[V5:[a-zA-Z0-9_]+]] = arith.cmpf olt, %[[A]], %[[B]] : f32
// UNTIL-ALL-ARE-DONE-NEXT: wax.yield %[[V5]] : i1
// UNTIL-ALL-ARE-DONE-NEXT: }
// UNTIL-ALL-ARE-DONE-NEXT: %[[V3]] = wax.map math.exp(%[[ARG2]]) : (tensor<4xf32>) -> tensor<4xf32>
// UNTIL-ALL-ARE-DONE-NEXT: %[[V4]] = wax.broadcast arith.select(%[[V2]][0], %[[V3]][0], %[[ARG2]][0]) : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// UNTIL-ALL-ARE-DONE-NEXT: scf.yield %[[V4]] : tensor<4xf32>
// UNTIL-ALL-ARE-DONE-NEXT: }
// UNTIL-ALL-ARE-DONE-NEXT: return %[[V1]] : tensor<4xf32>
func.func @until_all_are_done(%x: tensor<f32>, %limit: tensor<f32>) -> tensor<f32> {
  %0 = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    %1 = wax.broadcast (%p = %a[], %q = %limit[]) : (tensor<f32>, tensor<f32>) -> tensor<i1> {
      %less = arith.cmpf olt, %p, %q : f32
      wax.yield %less : i1
    }
    %c = tensor.extract %1[] : tensor<i1>
    scf.condition(%c) %a : tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>):
    %1 = wax.map math.exp(%a) : (tensor<f32>) -> tensor<f32>
    scf.yield %1 : tensor<f32>
  }
  return %0 : tensor<f32>
}
