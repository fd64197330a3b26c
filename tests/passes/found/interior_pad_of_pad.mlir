// Elements of a pad's, far apart, were laid out in dims of their own, which IREE could not merge.
// arguments: tensor<1x3xi1>, tensor<i1>; seed 10498
module {
  func.func @main(%arg0: tensor<?x?xi1>, %arg1: tensor<i1>) -> tensor<?x?xi1> {
    %0 = wax.constant dense<true> : tensor<i1>
    %1 = wax.pad %arg0 with %0 low [0, 0] high [1, 2] interior [1, 0] : (tensor<?x?xi1>, tensor<i1>) -> tensor<?x?xi1>
    %2 = wax.pad %1 with %0 low [0, -1] high [1, -1] interior [0, 1] : (tensor<?x?xi1>, tensor<i1>) -> tensor<?x?xi1>
    return %2 : tensor<?x?xi1>
  }
}
