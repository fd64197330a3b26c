// RUN: wax-opt %s --cse --wax-resolve-dims --verify-each=0 --verify-diagnostics

// A constraint between two values may be found not to hold once they are one.
func.func @of_one_value(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = wax.map math.exp(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = wax.map math.exp(%x) : (tensor<?xf32>) -> tensor<?xf32>
  // expected-error@+1 {{'wax.insert' op [insert_c4] dim 0 of size ? does not hold ? elements at stride 1 from offset 64}}
  %2 = wax.insert %0 into %1 offsets [64] strides [1] : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %2 : tensor<?xf32>
}
