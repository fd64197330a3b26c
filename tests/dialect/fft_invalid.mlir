// RUN: wax-opt %s --split-input-file --verify-diagnostics

func.func @no_dims(%x: tensor<8xcomplex<f32>>) {
  // expected-error@+1 {{'wax.fft' op [fft_c1] no dims are listed}}
  %0 = wax.fft %x over [] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @dim_past_the_rank(%x: tensor<8xcomplex<f32>>) {
  // expected-error@+1 {{[fft_c1] dim 1 does not lie in the operand's rank 1}}
  %0 = wax.fft %x over [1] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @negative_dim(%x: tensor<8xcomplex<f32>>) {
  // expected-error@+1 {{[fft_c1] dim -1 does not lie in the operand's rank 1}}
  %0 = wax.fft %x over [-1] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @dim_listed_twice(%x: tensor<4x8xcomplex<f32>>) {
  // expected-error@+1 {{[fft_c1] dim 1 is listed twice}}
  %0 = wax.fft %x over [1, 0, 1] : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
  return
}

// -----

func.func @length_of_a_real_operand(%x: tensor<5xf32>) {
  // expected-error@+1 {{[fft_c2] a real result of length 8 is made of complex elements, not of 'f32'}}
  %0 = wax.fft inverse %x over [0] length 8 : (tensor<5xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @negative_length(%x: tensor<1xcomplex<f32>>) {
  // expected-error@+1 {{[fft_c2] length -1 is negative}}
  %0 = wax.fft inverse %x over [0] length -1 : (tensor<1xcomplex<f32>>) -> tensor<1xf32>
  return
}

// -----

func.func @dynamic_size(%x: tensor<4x?xcomplex<f32>>) {
  // expected-error@+1 {{[fft_c3] dim 1 of 'tensor<4x?xcomplex<f32>>' is transformed, so its size must be static}}
  %0 = wax.fft %x over [0, 1] : (tensor<4x?xcomplex<f32>>) -> tensor<4x?xcomplex<f32>>
  return
}

// -----

func.func @size_too_large(%x: tensor<2147483648xcomplex<f32>>) {
  // expected-error@+1 {{[fft_c3] dim 0 has size 2147483648, but must be below 2^31}}
  %0 = wax.fft %x over [0] : (tensor<2147483648xcomplex<f32>>) -> tensor<2147483648xcomplex<f32>>
  return
}

// -----

func.func @length_too_large(%x: tensor<1073741825xcomplex<f32>>) {
  // expected-error@+1 {{[fft_c3] length 2147483648 must be below 2^31}}
  %0 = wax.fft %x over [0] length 2147483648 : (tensor<1073741825xcomplex<f32>>) -> tensor<2147483648xf32>
  return
}

// -----

func.func @length_that_the_half_does_not_fit(%x: tensor<4x5xcomplex<f32>>) {
  // expected-error@+1 {{[fft_c4] length 10 takes 6 elements along dim 1, but there are 5}}
  %0 = wax.fft inverse %x over [0, 1] length 10 : (tensor<4x5xcomplex<f32>>) -> tensor<4x10xf32>
  return
}

// -----

func.func @whole_result_of_a_real_operand(%x: tensor<8xf32>) {
  // expected-error@+1 {{'wax.fft' op result 0 is of type 'tensor<8xcomplex<f32>>', but must be of type 'tensor<5xcomplex<f32>>'}}
  %0 = wax.fft %x over [0] : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @half_floats(%x: tensor<8xf16>) {
  // expected-error@+1 {{operand #0 must be ranked tensor of at most 2^47 elements of 32-bit float or 64-bit float or complex type}}
  %0 = wax.fft %x over [0] : (tensor<8xf16>) -> tensor<5xcomplex<f16>>
  return
}
