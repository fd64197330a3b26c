// Strides of windows of windows multiplied until no integer of the reference's held them.
// arguments: tensor<2x3xi8>; seed 250
module {
  func.func @main(%arg0: tensor<?x3xi8>) -> tensor<?x1x1x1xi8> {
    %0 = wax.window %arg0 dims [1] sizes [1] strides [2147483647] dilations [2147483647] : (tensor<?x3xi8>) -> tensor<?x1x1xi8>
    %1 = wax.window %0 dims [1] sizes [1] strides [2147483647] dilations [2147483647] : (tensor<?x1x1xi8>) -> tensor<?x1x1x1xi8>
    %2 = wax.window %1 dims [1] sizes [1] strides [2147483647] dilations [2147483647] : (tensor<?x1x1x1xi8>) -> tensor<?x1x1x1x1xi8>
    %3 = wax.reshape %2 [[0], [1], [2], [3, 4]] into [[0], [1], [2], [3]] : (tensor<?x1x1x1x1xi8>) -> tensor<?x1x1x1xi8>
    return %3 : tensor<?x1x1x1xi8>
  }
}
