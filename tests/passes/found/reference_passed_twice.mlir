// The host passed one reference to a block twice, and lost it.
// arguments: tensor<1xf32>, tensor<i16>, tensor<4xbf16>; seed 72000244
module {
  func.func @main(%arg0: tensor<?xf32>, %arg1: tensor<i16>, %arg2: tensor<4xbf16>) -> (tensor<?xcomplex<f64>>, tensor<?xf32>, tensor<?x3x?xf16>) {
    %c3 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %0 = wax.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
    %1 = wax.constant dense<1.000000e+00> : tensor<f16>
    %2 = wax.constant dense<0.000000e+00> : tensor<f32>
    %3 = wax.broadcast (%a = %arg0[0], %b = %2[]) : (tensor<?xf32>, tensor<f32>) -> tensor<?xf32> {
      %cst = arith.constant 3.281250e-01 : f32
      %cst_0 = arith.constant 8.000000e+00 : f32
      %cst_1 = arith.constant -8.000000e+00 : f32
      %12 = math.roundeven %a : f32
      %13 = arith.maximumf %12, %cst_1 : f32
      %14 = arith.minimumf %13, %cst_0 : f32
      %15 = arith.addf %14, %cst : f32
      %16 = math.floor %15 : f32
      %17 = arith.addf %b, %16 : f32
      wax.yield %17 : f32
    }
    %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
    %4 = wax.broadcast (%a = %0[]) sizes [%dim] : (tensor<complex<f64>>) -> tensor<?xcomplex<f64>> {
      wax.yield %a : complex<f64>
    }
    %5 = wax.iota along 0 : tensor<3x4xf16>
    %6:2 = wax.scatter (%a = %arg2) into(%acc = %5, %acc_0 = %5)[%arg1[], 0] : (tensor<4xbf16>, tensor<3x4xf16>, tensor<3x4xf16>, tensor<i16>) -> (tensor<3x4xf16>, tensor<3x4xf16>) {
      %cst = arith.constant 0.000000e+00 : f16
      %12 = arith.minimumf %acc, %cst : f16
      %13 = arith.minimumf %acc_0, %cst : f16
      wax.yield %12, %13 : f16, f16
    } combine (%acc, %acc_0, %acc_1, %acc_2) {
      %12 = arith.minimumf %acc, %acc_1 : f16
      %13 = arith.minimumf %acc_0, %acc_2 : f16
      wax.yield %12, %13 : f16, f16
    }
    %7:2 = wax.scatter (%a = %arg2) into(%acc = %6#0, %acc_0 = %6#1)[%arg1[], 0] : (tensor<4xbf16>, tensor<3x4xf16>, tensor<3x4xf16>, tensor<i16>) -> (tensor<3x4xf16>, tensor<3x4xf16>) {
      %cst = arith.constant 0.000000e+00 : f16
      %12 = arith.minimumf %acc, %cst : f16
      %13 = arith.minimumf %acc_0, %cst : f16
      wax.yield %12, %13 : f16, f16
    } combine (%acc, %acc_0, %acc_1, %acc_2) {
      %12 = arith.minimumf %acc, %acc_1 : f16
      %13 = arith.minimumf %acc_0, %acc_2 : f16
      wax.yield %12, %13 : f16, f16
    }
    %8 = wax.scan (%a = %7#1) along 0 reverse init(%acc = %1) : (tensor<3x4xf16>, tensor<f16>) -> tensor<3x4xf16> {
      %cst = arith.constant 8.000000e+00 : f16
      %cst_0 = arith.constant -8.000000e+00 : f16
      %12 = math.sqrt %a : f16
      %13 = arith.maximumf %12, %cst_0 : f16
      %14 = arith.minimumf %13, %cst : f16
      wax.yield %14 : f16
    }
    %9 = wax.broadcast (%a = %8[2, 0]) sizes [1] : (tensor<3x4xf16>) -> tensor<4x1x3xbf16> {
      %12 = arith.extf %a : f16 to f32
      %13 = arith.truncf %12 : f32 to bf16
      wax.yield %13 : bf16
    }
    %10:2 = scf.for %arg3 = %c0 to %c3 step %c1 iter_args(%arg4 = %4, %arg5 = %3) -> (tensor<?xcomplex<f64>>, tensor<?xf32>) {
      %cast_0 = tensor.cast %arg4 : tensor<?xcomplex<f64>> to tensor<1xcomplex<f64>>
      %cast_1 = tensor.cast %arg5 : tensor<?xf32> to tensor<1xf32>
      %12 = arith.index_cast %arg3 : index to i8
      %from_elements = tensor.from_elements %12 : tensor<i8>
      %13:2 = wax.scatter (%a = %from_elements) into(%acc = %cast_0, %acc_3 = %cast_1)[%from_elements[]] : (tensor<i8>, tensor<1xcomplex<f64>>, tensor<1xf32>, tensor<i8>) -> (tensor<1xcomplex<f64>>, tensor<1xf32>) {
        wax.yield %acc, %acc_3 : complex<f64>, f32
      }
      %cast_2 = tensor.cast %13#0 : tensor<1xcomplex<f64>> to tensor<?xcomplex<f64>>
      scf.yield %cast_2, %arg0 : tensor<?xcomplex<f64>>, tensor<?xf32>
    }
    %11 = wax.broadcast (%a = %9[0, 2, 1]) : (tensor<4x1x3xbf16>) -> tensor<4x3x1xf16> {
      %12 = arith.extf %a : bf16 to f32
      %13 = arith.truncf %12 : f32 to f16
      wax.yield %13 : f16
    }
    %cast = tensor.cast %11 : tensor<4x3x1xf16> to tensor<?x3x?xf16>
    return %10#0, %10#1, %cast : tensor<?xcomplex<f64>>, tensor<?xf32>, tensor<?x3x?xf16>
  }
}
