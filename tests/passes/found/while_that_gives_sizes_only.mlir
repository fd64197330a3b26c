// A loop of which only sizes are asked for sent IREE's passes in circles.
// arguments: tensor<0x3x3xf32>, tensor<i1>; seed 91000052
module {
  func.func @main(%arg0: tensor<?x3x3xf32>, %arg1: tensor<i1>) -> tensor<3x?x?xf32> {
    %0 = wax.sort (%a, %b = %arg0) along 2 : (tensor<?x3x3xf32>) -> tensor<?x3x3xf32> {
      %13 = arith.cmpf ult, %b, %a : f32
      %14 = arith.cmpf ord, %b, %b : f32
      %15 = arith.andi %13, %14 : i1
      wax.yield %15 : i1
    }
    %1 = wax.constant dense<0x7F800000> : tensor<f32>
    %2 = wax.scan (%a = %0) along 0 reverse init(%acc = %1) : (tensor<?x3x3xf32>, tensor<f32>) -> tensor<?x3x3xf32> {
      %13 = math.erfc %a : f32
      %cst = arith.constant -8.000000e+00 : f32
      %14 = arith.maximumf %13, %cst : f32
      %cst_0 = arith.constant 8.000000e+00 : f32
      %15 = arith.minimumf %14, %cst_0 : f32
      %cst_1 = arith.constant 3.281250e-01 : f32
      %16 = arith.addf %15, %cst_1 : f32
      %17 = math.floor %16 : f32
      %18 = arith.minimumf %17, %acc : f32
      wax.yield %18 : f32
    } combine (%acc, %acc_0) {
      %13 = arith.minimumf %acc, %acc_0 : f32
      wax.yield %13 : f32
    }
    %3 = wax.constant dense<0> : tensor<i32>
    %4:3 = scf.while (%arg2 = %3, %arg3 = %0, %arg4 = %2) : (tensor<i32>, tensor<?x3x3xf32>, tensor<?x3x3xf32>) -> (tensor<i32>, tensor<?x3x3xf32>, tensor<?x3x3xf32>) {
      %cast = tensor.cast %arg3 : tensor<?x3x3xf32> to tensor<?x?x?xf32>
      %cast_0 = tensor.cast %arg4 : tensor<?x3x3xf32> to tensor<?x?x?xf32>
      %13 = wax.broadcast (%a = %arg2[]) : (tensor<i32>) -> tensor<i1> {
        %c1_i32 = arith.constant 1 : i32
        %14 = arith.cmpi slt, %a, %c1_i32 : i32
        wax.yield %14 : i1
      }
      %extracted_1 = tensor.extract %13[] : tensor<i1>
      scf.condition(%extracted_1) %arg2, %arg3, %arg4 : tensor<i32>, tensor<?x3x3xf32>, tensor<?x3x3xf32>
    } do {
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<?x3x3xf32>, %arg4: tensor<?x3x3xf32>):
      %cast = tensor.cast %arg4 : tensor<?x3x3xf32> to tensor<0x?x?xf32>
      %cast_0 = tensor.cast %arg0 : tensor<?x3x3xf32> to tensor<0x3x3xf32>
      %13 = wax.broadcast (%a = %arg3[1, 2, 0], %b = %arg2[], %c = %arg3[1, 0, 2]) : (tensor<?x3x3xf32>, tensor<i32>, tensor<?x3x3xf32>) -> tensor<3x?x3xf32> {
        %19 = arith.shrsi %b, %b : i32
        wax.yield %c : f32
      }
      %14 = wax.constant dense<[[3], [0], [2]]> : tensor<3x1xi64>
      %15 = wax.gather %13[%14[1, 0], 2, 3] : (tensor<3x?x3xf32>, tensor<3x1xi64>) -> tensor<1x3x?x3xf32>
      %16 = wax.constant dense<3> : tensor<i8>
      %17 = wax.gather %14[0, %16[]] : (tensor<3x1xi64>, tensor<i8>) -> tensor<3xi64>
      %18 = wax.map (%a = %arg2) : (tensor<i32>) -> tensor<i32> {
        %c1_i32 = arith.constant 1 : i32
        %19 = arith.addi %a, %c1_i32 : i32
        wax.yield %19 : i32
      }
      %cast_1 = tensor.cast %cast_0 : tensor<0x3x3xf32> to tensor<?x3x3xf32>
      %cast_2 = tensor.cast %cast_0 : tensor<0x3x3xf32> to tensor<?x3x3xf32>
      scf.yield %18, %cast_1, %cast_2 : tensor<i32>, tensor<?x3x3xf32>, tensor<?x3x3xf32>
    }
    %extracted = tensor.extract %arg1[] : tensor<i1>
    %5 = scf.if %extracted -> (tensor<i1>) {
      %13 = wax.constant dense<0xFF800000> : tensor<f32>
      %14 = wax.fold (%a = %arg1) dims [] sizes [] strides [] dilations [] init(%acc = %13) : (tensor<i1>, tensor<f32>) -> tensor<f32> {
        %cst = arith.constant 1.000000e+00 : f32
        %15 = arith.maximumf %acc, %cst : f32
        wax.yield %15 : f32
      } combine (%acc, %acc_0) {
        %15 = arith.maximumf %acc, %acc_0 : f32
        wax.yield %15 : f32
      }
      scf.yield %arg1 : tensor<i1>
    } else {
      %13 = wax.slice %arg1 offsets [] sizes [] strides [] : (tensor<i1>) -> tensor<i1>
      scf.yield %13 : tensor<i1>
    }
    %6 = wax.constant dense<1.000000e+00> : tensor<f32>
    %7 = wax.constant dense<1.000000e+00> : tensor<f32>
    %8:2 = wax.reduce (%a = %arg0, %b = %0, %c = %4#2) over [1] init(%acc = %6, %acc_0 = %7) : (tensor<?x3x3xf32>, tensor<?x3x3xf32>, tensor<?x3x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
      %13 = arith.maximumf %acc, %b : f32
      %14 = arith.minimumf %b, %acc_0 : f32
      wax.yield %13, %14 : f32, f32
    }
    %9 = wax.map (%a = %arg1) : (tensor<i1>) -> tensor<f32> {
      %13 = arith.xori %a, %a : i1
      %14 = arith.sitofp %13 : i1 to f32
      wax.yield %14 : f32
    }
    %10 = wax.constant dense<0.000000e+00> : tensor<f32>
    %11 = wax.reduce (%a = %2) over [1] init(%acc = %10) : (tensor<?x3x3xf32>, tensor<f32>) -> tensor<?x3xf32> {
      %13 = math.fma %a, %a, %a : f32
      %cst = arith.constant -8.000000e+00 : f32
      %14 = arith.maximumf %13, %cst : f32
      %cst_0 = arith.constant 8.000000e+00 : f32
      %15 = arith.minimumf %14, %cst_0 : f32
      %cst_1 = arith.constant 3.281250e-01 : f32
      %16 = arith.addf %15, %cst_1 : f32
      %17 = math.floor %16 : f32
      %18 = arith.addf %17, %acc : f32
      wax.yield %18 : f32
    } combine (%acc, %acc_0) {
      %13 = arith.addf %acc, %acc_0 : f32
      wax.yield %13 : f32
    }
    %c2 = arith.constant 2 : index
    %12 = wax.broadcast (%a = %8#1[2, 0], %b = %11[2, 0], %c = %9[]) sizes [%c2] : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<f32>) -> tensor<3x?x?xf32> {
      %13 = arith.addf %b, %a : f32
      %cst = arith.constant 0.000000e+00 : f32
      wax.yield %cst : f32
    }
    return %12 : tensor<3x?x?xf32>
  }
}
