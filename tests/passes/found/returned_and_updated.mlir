// A tensor was updated in place for a result, and then copied for another that it is.
// arguments: tensor<1x1xi64>, tensor<2x4xf64>, tensor<1xi64>; seed 66000930
module {
  func.func @main(%arg0: tensor<?x1xi64>, %arg1: tensor<2x?xf64>, %arg2: tensor<1xi64>) -> (tensor<2x?xf64>, tensor<3x2x2x?xf64>, tensor<2x?xf64>) {
    %0 = wax.constant dense<1.000000e+00> : tensor<4x3xf64>
    %1 = wax.constant dense<[[2.000000e+00], [0.000000e+00], [2.000000e+00], [2.000000e+00]]> : tensor<4x1xf64>
    %2 = wax.map (%a = %arg1) : (tensor<2x?xf64>) -> tensor<2x?xf64> {
      %cst = arith.constant -8.000000e+00 : f64
      %12 = arith.maximumf %a, %cst : f64
      %cst_0 = arith.constant 8.000000e+00 : f64
      %13 = arith.minimumf %12, %cst_0 : f64
      %cst_1 = arith.constant 3.281250e-01 : f64
      %14 = arith.addf %13, %cst_1 : f64
      %15 = math.floor %14 : f64
      wax.yield %15 : f64
    }
    %3 = wax.map (%a = %1) : (tensor<4x1xf64>) -> tensor<4x1xf64> {
      %cst = arith.constant -8.000000e+00 : f64
      %12 = arith.maximumf %a, %cst : f64
      %cst_0 = arith.constant 8.000000e+00 : f64
      %13 = arith.minimumf %12, %cst_0 : f64
      %cst_1 = arith.constant 3.281250e-01 : f64
      %14 = arith.addf %13, %cst_1 : f64
      %15 = math.floor %14 : f64
      wax.yield %15 : f64
    }
    %4 = wax.convolve %2[f, b], %3[o, i] to [f, b] strides [] low [] high [] feature_groups 2 : (tensor<2x?xf64>, tensor<4x1xf64>) -> tensor<4x?xf64>
    %5 = wax.constant dense<1.000000e+00> : tensor<f64>
    %6 = wax.pad %arg1 with %5 low [1, 1] high [0, -1] interior [0, 0] : (tensor<2x?xf64>, tensor<f64>) -> tensor<3x?xf64>
    %7:3 = wax.sort (%a, %b = %arg1, %c, %d = %arg1, %e, %f = %arg1) along 1 : (tensor<2x?xf64>, tensor<2x?xf64>, tensor<2x?xf64>) -> (tensor<2x?xf64>, tensor<2x?xf64>, tensor<2x?xf64>) {
      %12 = arith.cmpf ult, %b, %a : f64
      %13 = arith.cmpf ord, %b, %b : f64
      %14 = arith.andi %12, %13 : i1
      wax.yield %14 : i1
    }
    %8 = wax.broadcast (%a = %7#2[2, 3], %b = %6[0, 3]) sizes [2] : (tensor<2x?xf64>, tensor<3x?xf64>) -> tensor<3x2x2x?xf64> {
      %cst = arith.constant 1.000000e+00 : f64
      %12 = arith.cmpf ord, %a, %cst : f64
      %13 = arith.fptosi %cst : f64 to i64
      %14 = arith.ori %12, %12 : i1
      %15 = arith.cmpf oge, %a, %a : f64
      wax.yield %cst : f64
    }
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %9 = scf.for %arg3 = %c0 to %c3 step %c1 iter_args(%arg4 = %7#0) -> (tensor<2x?xf64>) {
      %cast = tensor.cast %arg4 : tensor<2x?xf64> to tensor<2x4xf64>
      %cast_0 = tensor.cast %7#1 : tensor<2x?xf64> to tensor<2x4xf64>
      %12 = arith.index_cast %arg3 : index to i8
      %from_elements = tensor.from_elements %12 : tensor<i8>
      %cast_1 = tensor.cast %cast_0 : tensor<2x4xf64> to tensor<2x?xf64>
      scf.yield %cast_1 : tensor<2x?xf64>
    }
    %10 = wax.map (%a = %8) : (tensor<3x2x2x?xf64>) -> tensor<3x2x2x?xf64> {
      %12 = math.roundeven %a : f64
      %13 = arith.remf %a, %a : f64
      wax.yield %12 : f64
    }
    %c-3 = arith.constant -3 : index
    %11 = wax.insert %arg1 into %7#0 offsets [0, %c-3] strides [1, 1] : (tensor<2x?xf64>, tensor<2x?xf64>) -> tensor<2x?xf64>
    return %9, %10, %11 : tensor<2x?xf64>, tensor<3x2x2x?xf64>, tensor<2x?xf64>
  }
}
