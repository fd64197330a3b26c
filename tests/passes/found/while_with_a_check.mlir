// A loop with a check, of which no tensor is read, sent IREE's passes in circles.
// arguments: tensor<f16>, tensor<0x4xi8>, tensor<3x2xi8>; seed 90000007
module {
  func.func @main(%arg0: tensor<f16>, %arg1: tensor<0x?xi8>, %arg2: tensor<3x?xi8>) -> (tensor<0x?xi8>, tensor<0x?xi8>, tensor<0x?x1x1xi8>, tensor<0x?xi8>) {
    %0:2 = wax.sort (%a, %b = %arg1, %c, %d = %arg1) along 1 : (tensor<0x?xi8>, tensor<0x?xi8>) -> (tensor<0x?xi8>, tensor<0x?xi8>) {
      %11 = arith.cmpi slt, %a, %b : i8
      wax.yield %11 : i1
    }
    %1 = wax.concat (%0#0, %arg1, %0#1) along 1 : (tensor<0x?xi8>, tensor<0x?xi8>, tensor<0x?xi8>) -> tensor<0x?xi8>
    %2 = wax.window %1 dims [0, 1] sizes [1, 1] strides [3, 2147483647] dilations [2, 2] : (tensor<0x?xi8>) -> tensor<0x?x1x1xi8>
    %3 = wax.constant dense<0> : tensor<i32>
    %4:3 = scf.while (%arg3 = %3, %arg4 = %0#1, %arg5 = %2) : (tensor<i32>, tensor<0x?xi8>, tensor<0x?x1x1xi8>) -> (tensor<i32>, tensor<0x?xi8>, tensor<0x?x1x1xi8>) {
      %cast = tensor.cast %arg4 : tensor<0x?xi8> to tensor<?x?xi8>
      %cast_0 = tensor.cast %arg5 : tensor<0x?x1x1xi8> to tensor<?x?x?x?xi8>
      %11 = wax.broadcast (%a = %arg3[]) : (tensor<i32>) -> tensor<i1> {
        %c1_i32 = arith.constant 1 : i32
        %12 = arith.cmpi slt, %a, %c1_i32 : i32
        wax.yield %12 : i1
      }
      %extracted = tensor.extract %11[] : tensor<i1>
      scf.condition(%extracted) %arg3, %arg4, %arg5 : tensor<i32>, tensor<0x?xi8>, tensor<0x?x1x1xi8>
    } do {
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<0x?xi8>, %arg5: tensor<0x?x1x1xi8>):
      %cast = tensor.cast %arg4 : tensor<0x?xi8> to tensor<0x4xi8>
      %cast_0 = tensor.cast %arg5 : tensor<0x?x1x1xi8> to tensor<0x?x?x1xi8>
      %cast_1 = tensor.cast %0#1 : tensor<0x?xi8> to tensor<?x?xi8>
      %cast_2 = tensor.cast %2 : tensor<0x?x1x1xi8> to tensor<0x?x1x?xi8>
      %c-3 = arith.constant -3 : index
      %c0 = arith.constant 0 : index
      %11 = wax.slice %cast offsets [%c-3, %c0] sizes [0, 1] strides [1, 2] : (tensor<0x4xi8>) -> tensor<0x1xi8>
      %12:3 = wax.sort (%a, %b = %cast_1, %c, %d = %cast_1, %e, %f = %cast) along 1 : (tensor<?x?xi8>, tensor<?x?xi8>, tensor<0x4xi8>) -> (tensor<0x4xi8>, tensor<0x4xi8>, tensor<0x4xi8>) {
        %14 = arith.cmpi ult, %a, %b : i8
        wax.yield %14 : i1
      }
      %13 = wax.map (%a = %arg3) : (tensor<i32>) -> tensor<i32> {
        %c1_i32 = arith.constant 1 : i32
        %14 = arith.addi %a, %c1_i32 : i32
        wax.yield %14 : i32
      }
      %cast_3 = tensor.cast %12#2 : tensor<0x4xi8> to tensor<0x?xi8>
      %cast_4 = tensor.cast %cast_2 : tensor<0x?x1x?xi8> to tensor<0x?x1x1xi8>
      scf.yield %13, %cast_3, %cast_4 : tensor<i32>, tensor<0x?xi8>, tensor<0x?x1x1xi8>
    }
    %5 = wax.insert %3 into %4#0 offsets [] strides [] : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %6 = wax.constant dense<0x7FF0000000000000> : tensor<f64>
    %7 = wax.fold (%a = %4#0) dims [] sizes [] strides [] dilations [] init(%acc = %6) : (tensor<i32>, tensor<f64>) -> tensor<f64> {
      %11 = math.cttz %a : i32
      %cst = arith.constant 1.000000e+00 : f16
      %12 = math.cttz %11 : i32
      %13 = arith.uitofp %11 : i32 to f32
      %14 = arith.divsi %12, %12 : i32
      %15 = arith.sitofp %14 : i32 to f64
      %16 = arith.minimumf %15, %acc : f64
      wax.yield %16 : f64
    } combine (%acc, %acc_0) {
      %11 = arith.minimumf %acc, %acc_0 : f64
      wax.yield %11 : f64
    }
    %8:3 = wax.sort (%a, %b = %4#1, %c, %d = %arg1, %e, %f = %arg1) along 1 : (tensor<0x?xi8>, tensor<0x?xi8>, tensor<0x?xi8>) -> (tensor<0x?xi8>, tensor<0x?xi8>, tensor<0x?xi8>) {
      %11 = arith.cmpi slt, %b, %a : i8
      wax.yield %11 : i1
    }
    %9 = wax.reverse %2 dims [0] : (tensor<0x?x1x1xi8>) -> tensor<0x?x1x1xi8>
    %10 = wax.concat (%4#1, %arg1, %8#1) along 1 : (tensor<0x?xi8>, tensor<0x?xi8>, tensor<0x?xi8>) -> tensor<0x?xi8>
    return %8#1, %8#2, %9, %10 : tensor<0x?xi8>, tensor<0x?xi8>, tensor<0x?x1x1xi8>, tensor<0x?xi8>
  }
}
