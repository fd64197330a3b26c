// Special functions and quotients of complex numbers, run by mlir-runner: what the upstream target computes.
// RUN: wax-opt %s --wax-to-linalg | %to_llvm | %run_main | FileCheck %s
// RUN: wax-opt %s --wax-to-linalg=split-complex=true | %to_llvm | %run_main | FileCheck %s

func.func @gamma(%x: tensor<?xf64>) -> tensor<?xf64> attributes {no_inline} {
  %0 = wax.map wax.lgamma(%x) : (tensor<?xf64>) -> tensor<?xf64>
  return %0 : tensor<?xf64>
}

func.func @trigamma(%x: tensor<?xf32>) -> tensor<?xf32> attributes {no_inline} {
  %0 = wax.map (%e = %x) : (tensor<?xf32>) -> tensor<?xf32> {
    %y = wax.polygamma 1, %e : f32
    wax.yield %y : f32
  }
  return %0 : tensor<?xf32>
}

func.func @lower_and_upper(%a: tensor<?xf64>, %x: tensor<?xf64>) -> tensor<?xf64> attributes {no_inline} {
  %0 = wax.broadcast (%b = %a[0], %y = %x[0]) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64> {
    %lower = wax.igamma %b, %y : f64
    %upper = wax.igammac %b, %y : f64
    %sum = arith.addf %lower, %upper : f64
    wax.yield %sum : f64
  }
  return %0 : tensor<?xf64>
}

func.func @half_of_itself(%x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> attributes {no_inline} {
  %0 = wax.broadcast (%re = %x[0], %im = %y[0]) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64> {
    %z = complex.create %re, %im : complex<f64>
    %w = complex.add %z, %z : complex<f64>
    %q = complex.div %z, %w : complex<f64>
    %r = complex.re %q : complex<f64>
    wax.yield %r : f64
  }
  return %0 : tensor<?xf64>
}

// Driver
func.func private @printMemrefF32(tensor<*xf32>)
func.func private @printMemrefF64(tensor<*xf64>)

func.func @main() {
  %x = wax.constant dense<[1.0, 2.0, 5.0, 0.0, -0.5, 100.0]> : tensor<6xf64>
  %xs = tensor.cast %x : tensor<6xf64> to tensor<?xf64>
  %0 = call @gamma(%xs) : (tensor<?xf64>) -> tensor<?xf64>
  %u0 = tensor.cast %0 : tensor<?xf64> to tensor<*xf64>
  // CHECK: [0,  0,  3.17805,  inf,  1.26551,  359.134]
  call @printMemrefF64(%u0) : (tensor<*xf64>) -> ()

  %t = wax.constant dense<[1.0, 0.5, 10.0, -0.5]> : tensor<4xf32>
  %ts = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %1 = call @trigamma(%ts) : (tensor<?xf32>) -> tensor<?xf32>
  %u1 = tensor.cast %1 : tensor<?xf32> to tensor<*xf32>
  // CHECK: [1.64493,  4.9348,  0.105166,  8.9348]
  call @printMemrefF32(%u1) : (tensor<*xf32>) -> ()

  %a = wax.constant dense<[0.5, 3.0, 50.0, 1000.0, 1.0e-9]> : tensor<5xf64>
  %as = tensor.cast %a : tensor<5xf64> to tensor<?xf64>
  %b = wax.constant dense<[2.0, 1.0, 55.0, 10.0, 0.25]> : tensor<5xf64>
  %bs = tensor.cast %b : tensor<5xf64> to tensor<?xf64>
  %2 = call @lower_and_upper(%as, %bs) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %u2 = tensor.cast %2 : tensor<?xf64> to tensor<*xf64>
  // CHECK: [1,  1,  1,  1,  1]
  call @printMemrefF64(%u2) : (tensor<*xf64>) -> ()

  %re = wax.constant dense<[1.0, 1.0e-300, 4.0e307, 0.0]> : tensor<4xf64>
  %im = wax.constant dense<[2.0, 1.0e-300, 8.0e307, 5.0]> : tensor<4xf64>
  %res = tensor.cast %re : tensor<4xf64> to tensor<?xf64>
  %ims = tensor.cast %im : tensor<4xf64> to tensor<?xf64>
  %3 = call @half_of_itself(%res, %ims) : (tensor<?xf64>, tensor<?xf64>) -> tensor<?xf64>
  %u3 = tensor.cast %3 : tensor<?xf64> to tensor<*xf64>
  // CHECK: [0.5,  0.5,  0.5,  0.5]
  call @printMemrefF64(%u3) : (tensor<*xf64>) -> ()
  return
}
