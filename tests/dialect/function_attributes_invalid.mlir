// RUN: wax-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{'builtin.module' op [symbols_c1] wax.symbols does not stand on a function}}
module attributes {wax.symbols = []} {
}

// -----

// expected-error@+1 {{'func.func' op [symbols_c1] wax.symbols is not a list}}
func.func private @symbols_not_a_list() attributes {wax.symbols = 1 : i64}

// -----

// expected-error@+1 {{[symbols_c1] {max = 3 : i64, name = "b"} is not {name = string, min = i64, max = i64}}}
func.func private @symbol_without_min() attributes {wax.symbols = [{name = "b", max = 3 : i64}]}

// -----

// expected-error@+1 {{[symbols_c1] symbol "b" is listed twice}}
func.func private @symbol_twice() attributes {wax.symbols = [{name = "b", min = 0 : i64, max = 3 : i64}, {name = "b", min = 0 : i64, max = 3 : i64}]}

// -----

// expected-error@+1 {{[symbols_c1] symbol "b" is at least 4 and at most 3}}
func.func private @symbol_with_no_value() attributes {wax.symbols = [{name = "b", min = 4 : i64, max = 3 : i64}]}

// -----

// expected-error@+1 {{'func.func' op [kept_c1] wax.kept is array<i64: 1, 0>, but must be different i64 in order, from 0 on, of a function}}
func.func @kept_order(%x: tensor<2xf32>) attributes {wax.kept = array<i64: 1, 0>} {
  return
}

// -----

// expected-error@+1 {{[kept_c1] wax.kept is array<i64: 1, 1>}}
func.func @kept_twice(%x: tensor<2xf32>) attributes {wax.kept = array<i64: 1, 1>} {
  return
}

// -----

// expected-error@+1 {{[kept_c1] wax.kept is [0]}}
func.func @kept_list(%x: tensor<2xf32>) attributes {wax.kept = [0]} {
  return
}

// -----

// expected-error@+1 {{[dims_c1] wax.dims of argument 0 is over 0 dims and 1 symbol, but must be over the function's 0 symbols}}
func.func private @dims_over_unknown_symbols(tensor<?xf32> {wax.dims = affine_map<()[s0] -> (s0)>})

// -----

// expected-error@+1 {{[dims_c1] wax.dims of argument 0 has 0 expressions, but 'tensor<?xf32>' has rank 1}}
func.func private @dims_of_another_rank(tensor<?xf32> {wax.dims = affine_map<() -> ()>})

// -----

// expected-error@+1 {{[dims_c1] wax.dims of argument 0 is "b" on 'tensor<?xf32>', but must be an affine map on a ranked tensor}}
func.func private @dims_that_are_no_map(tensor<?xf32> {wax.dims = "b"})

// -----

// expected-error@+1 {{[dims_c2] wax.dims of result 0 says something else of dim 0 than its type 'tensor<4xf32>'}}
func.func private @dims_against_the_type() -> (tensor<4xf32> {wax.dims = affine_map<() -> (5)>})

// -----

// expected-error@+1 {{[sign_c1] wax.sign of argument 0 is "unsigned" on 'tensor<4xf32>', but must be "unsigned" on a tensor of integers}}
func.func private @sign_of_floats(tensor<4xf32> {wax.sign = "unsigned"})

// -----

// expected-error@+1 {{[sign_c1] wax.sign of argument 0 is "signed"}}
func.func private @signed_sign(tensor<4xi32> {wax.sign = "signed"})

// -----

// expected-error@+1 {{[name_c1] wax.name of argument 0 is 1 : i64, but must be a string}}
func.func private @name_that_is_a_number(tensor<4xi32> {wax.name = 1 : i64})

// -----

// expected-error@+1 {{[donated_c1] wax.donated of result 0 is unit, but must be a unit on an argument}}
func.func private @donated_result() -> (tensor<4xi32> {wax.donated})

// -----

// expected-error@+1 {{[attribute_c1] the dialect has no attribute wax.nmae of an argument}}
func.func private @misspelt_argument_attribute(tensor<4xi32> {wax.nmae = "x"})

// -----

// expected-error@+1 {{[attribute_c1] the dialect has no attribute "wax.symbol" of an operation}}
func.func private @misspelt_function_attribute() attributes {wax.symbol = []}

// -----

// expected-error@+1 {{[part_c1] wax.part of argument 0 is "real", but must be "re" or "im"}}
func.func private @part_of_another_name(tensor<4xf32> {wax.part = "real"}, tensor<4xf32> {wax.part = "im"})

// -----

// expected-error@+1 {{[part_c2] wax.part of argument 0 is "re" on 'tensor<4xf32>', but after it there is no "im" of this type}}
func.func private @real_part_alone(tensor<4xf32> {wax.part = "re"})

// -----

// expected-error@+1 {{[part_c2] wax.part of result 0 is "im" on 'tensor<4xf32>', but before it there is no "re" of this type}}
func.func private @imaginary_part_alone() -> (tensor<4xf32> {wax.part = "im"})

// -----

// expected-error@+1 {{[part_c2] wax.part of argument 0 is "re" on 'tensor<4xf32>', but after it there is no "im" of this type}}
func.func private @parts_of_two_types(tensor<4xf32> {wax.part = "re"}, tensor<4xf64> {wax.part = "im"})
