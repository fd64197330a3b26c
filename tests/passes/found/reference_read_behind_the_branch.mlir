// A block was passed a reference that it reads by its own name too, and got its register.
// [ 0] bytecode module.__init:1972 -
// arguments: tensor<0xi1>, tensor<1x1x1xcomplex<f64>>, tensor<1x2x4xcomplex<f64>>, tensor<i1>, tensor<0xcomplex<f64>>; seed 405001850
module {
  func.func @main(%arg0: tensor<?xi1>, %arg1: tensor<1x1x?xcomplex<f64>>, %arg2: tensor<?x2x4xcomplex<f64>>, %arg3: tensor<i1>, %arg4: tensor<0xcomplex<f64>>) -> (tensor<?xcomplex<f64>>, tensor<?xcomplex<f64>>) {
    %0 = wax.broadcast (%a = %arg1[0, 3, 1], %b = %arg0[2], %c = %arg1[3, 1, 0]) : (tensor<1x1x?xcomplex<f64>>, tensor<?xi1>, tensor<1x1x?xcomplex<f64>>) -> tensor<1x1x?x1xi1> {
      %18 = complex.add %c, %a : complex<f64>
      %true = arith.constant true
      wax.yield %true : i1
    }
    %1 = wax.map (%a = %arg1) : (tensor<1x1x?xcomplex<f64>>) -> tensor<1x1x?xcomplex<f64>> {
      %18 = complex.re %a : complex<f64>
      %cst = arith.constant -8.000000e+00 : f64
      %19 = arith.maximumf %18, %cst : f64
      %cst_0 = arith.constant 8.000000e+00 : f64
      %20 = arith.minimumf %19, %cst_0 : f64
      %cst_1 = arith.constant 3.281250e-01 : f64
      %21 = arith.addf %20, %cst_1 : f64
      %22 = math.floor %21 : f64
      %23 = complex.im %a : complex<f64>
      %cst_2 = arith.constant -8.000000e+00 : f64
      %24 = arith.maximumf %23, %cst_2 : f64
      %cst_3 = arith.constant 8.000000e+00 : f64
      %25 = arith.minimumf %24, %cst_3 : f64
      %cst_4 = arith.constant 3.281250e-01 : f64
      %26 = arith.addf %25, %cst_4 : f64
      %27 = math.floor %26 : f64
      %28 = arith.addf %22, %27 : f64
      %cst_5 = arith.constant 0.000000e+00 : f64
      %29 = arith.mulf %28, %cst_5 : f64
      %30 = arith.addf %22, %29 : f64
      %31 = arith.addf %27, %29 : f64
      %32 = complex.create %30, %31 : complex<f64>
      wax.yield %32 : complex<f64>
    }
    %2 = wax.map (%a = %arg2) : (tensor<?x2x4xcomplex<f64>>) -> tensor<?x2x4xcomplex<f64>> {
      %18 = complex.re %a : complex<f64>
      %cst = arith.constant -8.000000e+00 : f64
      %19 = arith.maximumf %18, %cst : f64
      %cst_0 = arith.constant 8.000000e+00 : f64
      %20 = arith.minimumf %19, %cst_0 : f64
      %cst_1 = arith.constant 3.281250e-01 : f64
      %21 = arith.addf %20, %cst_1 : f64
      %22 = math.floor %21 : f64
      %23 = complex.im %a : complex<f64>
      %cst_2 = arith.constant -8.000000e+00 : f64
      %24 = arith.maximumf %23, %cst_2 : f64
      %cst_3 = arith.constant 8.000000e+00 : f64
      %25 = arith.minimumf %24, %cst_3 : f64
      %cst_4 = arith.constant 3.281250e-01 : f64
      %26 = arith.addf %25, %cst_4 : f64
      %27 = math.floor %26 : f64
      %28 = arith.addf %22, %27 : f64
      %cst_5 = arith.constant 0.000000e+00 : f64
      %29 = arith.mulf %28, %cst_5 : f64
      %30 = arith.addf %22, %29 : f64
      %31 = arith.addf %27, %29 : f64
      %32 = complex.create %30, %31 : complex<f64>
      wax.yield %32 : complex<f64>
    }
    %3 = wax.convolve %1[b, f, 0], %2[i, 0, o] to [f, b, 0] strides [3] low [1] high [2] lhs_dilations [2] : (tensor<1x1x?xcomplex<f64>>, tensor<?x2x4xcomplex<f64>>) -> tensor<4x1x?xcomplex<f64>>
    %4 = wax.concat (%arg1, %arg1) along 1 : (tensor<1x1x?xcomplex<f64>>, tensor<1x1x?xcomplex<f64>>) -> tensor<1x2x?xcomplex<f64>>
    %c0 = arith.constant 0 : index
    %5 = wax.insert %arg0 into %arg0 offsets [%c0] strides [2] : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
    %6 = wax.insert %arg0 into %5 offsets [%c0] strides [2] : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
    %7 = wax.insert %arg0 into %6 offsets [%c0] strides [2] : (tensor<?xi1>, tensor<?xi1>) -> tensor<?xi1>
    %8 = wax.constant dense<> : tensor<2x4x0xcomplex<f64>>
    %9 = wax.map (%a = %3) : (tensor<4x1x?xcomplex<f64>>) -> tensor<4x1x?xcomplex<f64>> {
      %18 = complex.re %a : complex<f64>
      %cst = arith.constant -8.000000e+00 : f64
      %19 = arith.maximumf %18, %cst : f64
      %cst_0 = arith.constant 8.000000e+00 : f64
      %20 = arith.minimumf %19, %cst_0 : f64
      %cst_1 = arith.constant 3.281250e-01 : f64
      %21 = arith.addf %20, %cst_1 : f64
      %22 = math.floor %21 : f64
      %23 = complex.im %a : complex<f64>
      %cst_2 = arith.constant -8.000000e+00 : f64
      %24 = arith.maximumf %23, %cst_2 : f64
      %cst_3 = arith.constant 8.000000e+00 : f64
      %25 = arith.minimumf %24, %cst_3 : f64
      %cst_4 = arith.constant 3.281250e-01 : f64
      %26 = arith.addf %25, %cst_4 : f64
      %27 = math.floor %26 : f64
      %28 = arith.addf %22, %27 : f64
      %cst_5 = arith.constant 0.000000e+00 : f64
      %29 = arith.mulf %28, %cst_5 : f64
      %30 = arith.addf %22, %29 : f64
      %31 = arith.addf %27, %29 : f64
      %32 = complex.create %30, %31 : complex<f64>
      wax.yield %32 : complex<f64>
    }
    %10 = wax.map (%a = %8) : (tensor<2x4x0xcomplex<f64>>) -> tensor<2x4x0xcomplex<f64>> {
      %18 = complex.re %a : complex<f64>
      %cst = arith.constant -8.000000e+00 : f64
      %19 = arith.maximumf %18, %cst : f64
      %cst_0 = arith.constant 8.000000e+00 : f64
      %20 = arith.minimumf %19, %cst_0 : f64
      %cst_1 = arith.constant 3.281250e-01 : f64
      %21 = arith.addf %20, %cst_1 : f64
      %22 = math.floor %21 : f64
      %23 = complex.im %a : complex<f64>
      %cst_2 = arith.constant -8.000000e+00 : f64
      %24 = arith.maximumf %23, %cst_2 : f64
      %cst_3 = arith.constant 8.000000e+00 : f64
      %25 = arith.minimumf %24, %cst_3 : f64
      %cst_4 = arith.constant 3.281250e-01 : f64
      %26 = arith.addf %25, %cst_4 : f64
      %27 = math.floor %26 : f64
      %28 = arith.addf %22, %27 : f64
      %cst_5 = arith.constant 0.000000e+00 : f64
      %29 = arith.mulf %28, %cst_5 : f64
      %30 = arith.addf %22, %29 : f64
      %31 = arith.addf %27, %29 : f64
      %32 = complex.create %30, %31 : complex<f64>
      wax.yield %32 : complex<f64>
    }
    %11 = wax.convolve %9[f, b, 0], %10[0, i, o] to [f, b, 0] strides [3] low [2] high [-1] rhs_dilations [2] : (tensor<4x1x?xcomplex<f64>>, tensor<2x4x0xcomplex<f64>>) -> tensor<0x1x?xcomplex<f64>>
    %12:3 = wax.sort (%a, %b = %5, %c, %d = %5, %e, %f = %6) along 0 : (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>) -> (tensor<?xi1>, tensor<?xi1>, tensor<?xi1>) {
      %18 = arith.cmpi ult, %b, %a : i1
      wax.yield %18 : i1
    }
    %extracted = tensor.extract %arg3[] : tensor<i1>
    %13:2 = scf.if %extracted -> (tensor<?xi1>, tensor<?xcomplex<f64>>) {
      %18 = wax.map (%a = %12#1) : (tensor<?xi1>) -> tensor<?xcomplex<f64>> {
        %19 = arith.sitofp %a : i1 to f64
        %cst = arith.constant 0.000000e+00 : f64
        %20 = complex.create %19, %cst : complex<f64>
        wax.yield %20 : complex<f64>
      }
      scf.yield %12#1, %18 : tensor<?xi1>, tensor<?xcomplex<f64>>
    } else {
      %cast = tensor.cast %12#1 : tensor<?xi1> to tensor<0xi1>
      %cast_0 = tensor.cast %12#2 : tensor<?xi1> to tensor<0xi1>
      %cast_1 = tensor.cast %arg4 : tensor<0xcomplex<f64>> to tensor<?xcomplex<f64>>
      %cast_2 = tensor.cast %cast_0 : tensor<0xi1> to tensor<?xi1>
      scf.yield %cast_2, %cast_1 : tensor<?xi1>, tensor<?xcomplex<f64>>
    }
    %14 = wax.constant dense<true> : tensor<i1>
    %15 = wax.pad %6 with %14 low [0] high [0] interior [0] : (tensor<?xi1>, tensor<i1>) -> tensor<?xi1>
    %16 = wax.slice %13#1 offsets [0] sizes [%c0] strides [2] : (tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>>
    %c9 = arith.constant 9 : index
    %17 = wax.insert %16 into %13#1 offsets [%c9] strides [2] : (tensor<?xcomplex<f64>>, tensor<?xcomplex<f64>>) -> tensor<?xcomplex<f64>>
    return %16, %17 : tensor<?xcomplex<f64>>, tensor<?xcomplex<f64>>
  }
}
