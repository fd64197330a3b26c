//===- Block.h - Pieces of host memory --------------------------*- C++ -*-===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WAX_PYTHON_BLOCK_H
#define WAX_PYTHON_BLOCK_H

#include <nanobind/nanobind.h>

namespace mlir::wax::python {

/// Memory that blocks are pieces of, aligned as compiled code wants it. As long
/// as one of them lives, or this.
class Slab {
public:
  static constexpr size_t alignment = 64;

  /// Throws MemoryError.
  explicit Slab(size_t size);
  Slab(Slab &&other) : header(other.header) { other.header = nullptr; }
  Slab(const Slab &) = delete;
  Slab &operator=(const Slab &) = delete;
  ~Slab() {
    if (header)
      release(header);
  }

  char *data() const;

  /// So many bytes of it, as an object of Python's.
  nanobind::object block(size_t offset, size_t size) const;

  struct Header;
  static void release(Header *header);

private:
  Header *header;
};

/// Memory of another object with Python's buffer protocol, as a block: a copy
/// where it is not aligned. Invalid, and no error, where it is not in one
/// piece.
nanobind::object blockOn(nanobind::handle memory);

/// A block's memory; null for any other object.
char *dataOf(nanobind::handle object);

} // namespace mlir::wax::python

#endif // WAX_PYTHON_BLOCK_H
