// Of no rows of an open number MLIR's bufferization made a merged dim of another type.
// arguments: tensor<0x1x2xi16>; seed 712002734
module {
  func.func @main(%arg0: tensor<?x?x2xi16>) -> (tensor<?x?x2xi16>, tensor<?x2x2x?xi16>, tensor<2x?x?xi16>) {
    %0 = wax.constant dense<0> : tensor<i32>
    %1:2 = scf.while (%arg1 = %0, %arg2 = %0) : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) {
      %14 = wax.broadcast (%a = %arg1[], %b = %arg2[]) : (tensor<i32>, tensor<i32>) -> tensor<i1> {
        %c3_i32 = arith.constant 3 : i32
        %15 = arith.cmpi slt, %a, %c3_i32 : i32
        %16 = arith.trunci %b : i32 to i1
        %17 = arith.andi %15, %16 : i1
        wax.yield %17 : i1
      }
      %extracted = tensor.extract %14[] : tensor<i1>
      scf.condition(%extracted) %arg1, %arg2 : tensor<i32>, tensor<i32>
    } do {
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %c1_1 = arith.constant 1 : index
      %14 = wax.reshape %arg1 [[]] into [[0]] sizes [%c1_1] : (tensor<i32>) -> tensor<?xi32>
      %15 = wax.map (%a = %arg1) : (tensor<i32>) -> tensor<i32> {
        %c1_i32 = arith.constant 1 : i32
        %16 = arith.addi %a, %c1_i32 : i32
        wax.yield %16 : i32
      }
      scf.yield %15, %0 : tensor<i32>, tensor<i32>
    }
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1_0 = arith.constant 1 : index
    %2 = scf.for %arg1 = %c0 to %c1_0 step %c1 iter_args(%arg2 = %arg0) -> (tensor<?x?x2xi16>) {
      %cast = tensor.cast %arg2 : tensor<?x?x2xi16> to tensor<0x?x?xi16>
      %14 = arith.index_cast %arg1 : index to i64
      %from_elements = tensor.from_elements %14 : tensor<i64>
      %15 = wax.reverse %from_elements dims [] : (tensor<i64>) -> tensor<i64>
      %16 = wax.gather %cast[0, %cast[0, 1, 2], 2] : (tensor<0x?x?xi16>, tensor<0x?x?xi16>) -> tensor<0x?x?xi16>
      %cast_1 = tensor.cast %16 : tensor<0x?x?xi16> to tensor<?x?x2xi16>
      scf.yield %cast_1 : tensor<?x?x2xi16>
    }
    %3 = wax.reshape %arg0 [[], [0, 1], [2]] into [[0], [1], [2]] : (tensor<?x?x2xi16>) -> tensor<1x0x2xi16>
    %4 = wax.slice %1#0 offsets [] sizes [] strides [] : (tensor<i32>) -> tensor<i32>
    %5 = wax.constant dense<1> : tensor<i16>
    %6 = wax.reduce (%a = %1#1) over [] init(%acc = %5) : (tensor<i32>, tensor<i16>) -> tensor<i16> {
      %14 = arith.trunci %a : i32 to i16
      %15 = arith.andi %14, %acc : i16
      wax.yield %15 : i16
    }
    %7:3 = wax.sort (%a, %b = %arg0, %c, %d = %arg0, %e, %f = %2) along 2 : (tensor<?x?x2xi16>, tensor<?x?x2xi16>, tensor<?x?x2xi16>) -> (tensor<?x?x2xi16>, tensor<?x?x2xi16>, tensor<?x?x2xi16>) {
      %14 = arith.cmpi slt, %b, %a : i16
      wax.yield %14 : i1
    }
    %8 = wax.broadcast (%a = %6[], %b = %7#2[0, 1, 2]) : (tensor<i16>, tensor<?x?x2xi16>) -> tensor<?x?x2xi16> {
      %14 = arith.cmpi ugt, %b, %a : i16
      wax.yield %b : i16
    }
    %9 = wax.insert %7#2 into %7#0 offsets [0, 0, 0] strides [2, 1, 1] : (tensor<?x?x2xi16>, tensor<?x?x2xi16>) -> tensor<?x?x2xi16>
    %10 = wax.insert %7#2 into %9 offsets [0, 0, 0] strides [2, 1, 1] : (tensor<?x?x2xi16>, tensor<?x?x2xi16>) -> tensor<?x?x2xi16>
    %11 = wax.insert %7#2 into %10 offsets [0, 0, 0] strides [2, 1, 1] : (tensor<?x?x2xi16>, tensor<?x?x2xi16>) -> tensor<?x?x2xi16>
    %12 = wax.broadcast (%a = %9[3, 0, 2]) sizes [2] : (tensor<?x?x2xi16>) -> tensor<?x2x2x?xi16> {
      wax.yield %a : i16
    }
    %13 = wax.permute %10 [2, 1, 0] : (tensor<?x?x2xi16>) -> tensor<2x?x?xi16>
    return %11, %12, %13 : tensor<?x?x2xi16>, tensor<?x2x2x?xi16>, tensor<2x?x?xi16>
  }
}
