// MLIR takes a slice behind the end of what a pad puts around nothing.
// arguments: tensor<1x0xi1>, tensor<4x0xf64>; seed 402011044
module {
  func.func @main(%arg0: tensor<?x?xi1>, %arg1: tensor<4x0xf64>) -> (tensor<4x0xf64>, tensor<4x?xf64>, tensor<?x?xf64>) {
    %0 = wax.constant dense<false> : tensor<i1>
    %1 = wax.scan (%a = %arg0) along 0 init(%acc = %0) : (tensor<?x?xi1>, tensor<i1>) -> tensor<?x?xi1> {
      %true = arith.constant true
      %18 = arith.xori %a, %a : i1
      %19 = arith.xori %18, %true : i1
      %20 = arith.xori %19, %acc : i1
      wax.yield %20 : i1
    } combine (%acc, %acc_1) {
      %18 = arith.xori %acc, %acc_1 : i1
      wax.yield %18 : i1
    }
    %2 = wax.constant dense<1.000000e+00> : tensor<f64>
    %3 = wax.fold (%a = %1) dims [] sizes [] strides [] dilations [] init(%acc = %2) : (tensor<?x?xi1>, tensor<f64>) -> tensor<?x?xf64> {
      %18 = arith.select %a, %a, %a : i1
      %19 = arith.sitofp %18 : i1 to f64
      %cst = arith.constant -8.000000e+00 : f64
      %20 = arith.maximumf %19, %cst : f64
      %cst_1 = arith.constant 8.000000e+00 : f64
      %21 = arith.minimumf %20, %cst_1 : f64
      %cst_2 = arith.constant 3.281250e-01 : f64
      %22 = arith.addf %21, %cst_2 : f64
      %23 = math.floor %22 : f64
      %24 = arith.addf %acc, %23 : f64
      wax.yield %24 : f64
    }
    %4 = wax.constant dense<1.000000e+00> : tensor<f64>
    %5 = wax.pad %3 with %4 low [0, 2] high [1, 0] interior [0, 0] : (tensor<?x?xf64>, tensor<f64>) -> tensor<?x?xf64>
    %6 = wax.constant dense<false> : tensor<i1>
    %7 = wax.reduce (%a = %1) over [0] init(%acc = %6) : (tensor<?x?xi1>, tensor<i1>) -> tensor<?xi1> {
      %18 = arith.ori %a, %a : i1
      %19 = arith.ori %acc, %18 : i1
      wax.yield %19 : i1
    } combine (%acc, %acc_1) {
      %18 = arith.ori %acc, %acc_1 : i1
      wax.yield %18 : i1
    }
    %8 = wax.slice %7 offsets [0] sizes [0] strides [1] : (tensor<?xi1>) -> tensor<0xi1>
    %9 = wax.map (%a = %8) : (tensor<0xi1>) -> tensor<0xcomplex<f64>> {
      %18 = arith.extsi %a : i1 to i8
      %19 = arith.sitofp %18 : i8 to f64
      %cst = arith.constant 7.000000e+00 : f64
      %20 = arith.subf %cst, %19 : f64
      %21 = complex.create %19, %20 : complex<f64>
      wax.yield %21 : complex<f64>
    }
    %10 = wax.fft %9 over [0] : (tensor<0xcomplex<f64>>) -> tensor<0xcomplex<f64>>
    %11 = wax.map (%a = %10) : (tensor<0xcomplex<f64>>) -> tensor<0xf64> {
      %18 = complex.im %a : complex<f64>
      %cst = arith.constant 0.000000e+00 : f64
      %19 = arith.addf %18, %cst : f64
      wax.yield %19 : f64
    }
    %12 = wax.window %3 dims [] sizes [] strides [] dilations [] : (tensor<?x?xf64>) -> tensor<?x?xf64>
    %c3 = arith.constant 3 : index
    %13 = wax.broadcast (%a = %5[1, 2]) sizes [%c3] : (tensor<?x?xf64>) -> tensor<?x?x?xi1> {
      %18 = math.clampf %a to [%a, %a] : f64
      %c31_i8 = arith.constant 31 : i8
      %19 = arith.trunci %c31_i8 : i8 to i1
      wax.yield %19 : i1
    }
    %14 = wax.map (%a = %12) : (tensor<?x?xf64>) -> tensor<?x?xf64> {
      %cst = arith.constant -8.000000e+00 : f64
      %18 = arith.maximumf %a, %cst : f64
      %cst_1 = arith.constant 8.000000e+00 : f64
      %19 = arith.minimumf %18, %cst_1 : f64
      %cst_2 = arith.constant 3.281250e-01 : f64
      %20 = arith.addf %19, %cst_2 : f64
      %21 = math.floor %20 : f64
      wax.yield %21 : f64
    }
    %15 = wax.map (%a = %arg1) : (tensor<4x0xf64>) -> tensor<4x0xf64> {
      %cst = arith.constant -8.000000e+00 : f64
      %18 = arith.maximumf %a, %cst : f64
      %cst_1 = arith.constant 8.000000e+00 : f64
      %19 = arith.minimumf %18, %cst_1 : f64
      %cst_2 = arith.constant 3.281250e-01 : f64
      %20 = arith.addf %19, %cst_2 : f64
      %21 = math.floor %20 : f64
      wax.yield %21 : f64
    }
    %16 = wax.convolve %14[b, f], %15[o, i] to [f, b] strides [] low [] high [] feature_groups 2 : (tensor<?x?xf64>, tensor<4x0xf64>) -> tensor<4x?xf64>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1_0 = arith.constant 1 : index
    %17 = scf.for %arg2 = %c0 to %c1_0 step %c1 iter_args(%arg3 = %5) -> (tensor<?x?xf64>) {
      %cast = tensor.cast %arg3 : tensor<?x?xf64> to tensor<?x2xf64>
      %18 = arith.index_cast %arg2 : index to i32
      %from_elements = tensor.from_elements %18 : tensor<i32>
      %cast_1 = tensor.cast %cast : tensor<?x2xf64> to tensor<?x?xf64>
      scf.yield %cast_1 : tensor<?x?xf64>
    }
    return %arg1, %16, %17 : tensor<4x0xf64>, tensor<4x?xf64>, tensor<?x?xf64>
  }
}
