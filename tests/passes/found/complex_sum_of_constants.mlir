// A complex (a + b) - b of constants was folded to a, of which b was NaN.
// arguments: tensor<1xi8>; seed 621000124
module {
  func.func @main(%arg0: tensor<1xi8>) -> tensor<2xcomplex<f32>> {
    %0 = wax.permute %arg0 [0] : (tensor<1xi8>) -> tensor<1xi8>
    %1 = wax.concat (%arg0, %0) along 0 : (tensor<1xi8>, tensor<1xi8>) -> tensor<2xi8>
    %2 = wax.broadcast (%a = %0[0], %b = %1[1]) : (tensor<1xi8>, tensor<2xi8>) -> tensor<1x2xcomplex<f32>> {
      %11 = math.ctlz %b : i8
      %12 = math.ctlz %11 : i8
      %cst = complex.constant [0.000000e+00 : f32, -0.000000e+00 : f32] : complex<f32>
      wax.yield %cst : complex<f32>
    }
    %3 = wax.broadcast (%a = %2[1, 0]) : (tensor<1x2xcomplex<f32>>) -> tensor<2x1xcomplex<f32>> {
      %cst = complex.constant [0x7FC00000 : f32, -3.000000e+00 : f32] : complex<f32>
      %c2_i8 = arith.constant 2 : i8
      %11 = complex.add %a, %cst : complex<f32>
      %12 = complex.sub %11, %cst : complex<f32>
      %13 = complex.re %11 : complex<f32>
      %14 = arith.fptosi %13 : f32 to i32
      wax.yield %12 : complex<f32>
    }
    %4 = wax.permute %3 [1, 0] : (tensor<2x1xcomplex<f32>>) -> tensor<1x2xcomplex<f32>>
    %5 = wax.insert %3 into %3 offsets [0, 0] strides [1, 2] : (tensor<2x1xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
    %6:3 = wax.sort (%a, %b = %5, %c, %d = %3, %e, %f = %5) along 1 : (tensor<2x1xcomplex<f32>>, tensor<2x1xcomplex<f32>>, tensor<2x1xcomplex<f32>>) -> (tensor<2x1xcomplex<f32>>, tensor<2x1xcomplex<f32>>, tensor<2x1xcomplex<f32>>) {
      %11 = complex.re %a : complex<f32>
      %12 = complex.re %b : complex<f32>
      %13 = arith.cmpf ult, %11, %12 : f32
      %14 = arith.cmpf ord, %11, %11 : f32
      %15 = arith.andi %13, %14 : i1
      wax.yield %15 : i1
    }
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %7 = wax.reshape %6#1 [[0], [1]] into [[0, 1], [2]] sizes [%c2, %c1] : (tensor<2x1xcomplex<f32>>) -> tensor<?x?x1xcomplex<f32>>
    %8 = wax.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %9 = wax.fold (%a = %6#2) dims [0] sizes [%c2] strides [1] dilations [1] init(%acc = %8) : (tensor<2x1xcomplex<f32>>, tensor<complex<f32>>) -> tensor<?xcomplex<f32>> {
      %11 = complex.re %a : complex<f32>
      %12 = arith.fptosi %11 : f32 to i8
      %13 = complex.re %a : complex<f32>
      %cst = arith.constant -8.000000e+00 : f32
      %14 = arith.maximumf %13, %cst : f32
      %cst_0 = arith.constant 8.000000e+00 : f32
      %15 = arith.minimumf %14, %cst_0 : f32
      %cst_1 = arith.constant 3.281250e-01 : f32
      %16 = arith.addf %15, %cst_1 : f32
      %17 = math.floor %16 : f32
      %18 = complex.im %a : complex<f32>
      %cst_2 = arith.constant -8.000000e+00 : f32
      %19 = arith.maximumf %18, %cst_2 : f32
      %cst_3 = arith.constant 8.000000e+00 : f32
      %20 = arith.minimumf %19, %cst_3 : f32
      %cst_4 = arith.constant 3.281250e-01 : f32
      %21 = arith.addf %20, %cst_4 : f32
      %22 = math.floor %21 : f32
      %23 = arith.addf %17, %22 : f32
      %cst_5 = arith.constant 0.000000e+00 : f32
      %24 = arith.mulf %23, %cst_5 : f32
      %25 = arith.addf %17, %24 : f32
      %26 = arith.addf %22, %24 : f32
      %27 = complex.create %25, %26 : complex<f32>
      %28 = complex.add %acc, %27 : complex<f32>
      wax.yield %28 : complex<f32>
    } combine (%acc, %acc_0) {
      %11 = complex.add %acc, %acc_0 : complex<f32>
      wax.yield %11 : complex<f32>
    }
    %10 = wax.reshape %5 [[0, 1]] into [[0]] : (tensor<2x1xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    return %10 : tensor<2xcomplex<f32>>
  }
}
