// MLIR's own passes took a slice, at an offset, of what had turned out to have no rows.
// arguments: tensor<0x4xi1>; seed 322002999
module {
  func.func @main(%arg0: tensor<?x4xi1>) -> tensor<0x8xi1> {
    %0 = wax.constant dense<true> : tensor<i1>
    %1 = wax.pad %arg0 with %0 low [0, 2] high [0, 2] interior [0, 0] : (tensor<?x4xi1>, tensor<i1>) -> tensor<?x8xi1>
    %2 = tensor.cast %1 : tensor<?x8xi1> to tensor<0x8xi1>
    return %2 : tensor<0x8xi1>
  }
}
