//===- Block.cpp - Pieces of host memory ----------------------------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not by nanobind, which notes each instance that it makes in a table: a call
// of a small program takes no longer than a few of these notes.
//
//===----------------------------------------------------------------------===//

#include "Block.h"

#include "Owned.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

namespace nb = nanobind;
using namespace mlir::wax::python;

/// What memory begins with. The GIL guards the count.
struct alignas(Slab::alignment) Slab::Header {
  size_t references, size;
};

namespace {

/// Memory that was freed, for a slab of the same size. The C library gives
/// large pieces back, and their pages would be new ones at each call. The GIL
/// guards it.
class FreedMemory {
public:
  /// Null where none of this size waits.
  void *take(size_t size) {
    auto found = llvm::find_if(llvm::reverse(waiting), [&](Slab::Header *one) {
      return one->size == size;
    });
    if (found == waiting.rend())
      return nullptr;
    void *memory = *found;
    waiting.erase(std::next(found).base());
    bytes -= size;
    return memory;
  }

  void add(Slab::Header *header) {
    if (header->size < fewest || header->size > most)
      return std::free(header);
    waiting.push_back(header);
    bytes += header->size;
    // Those that have waited longest go.
    while (bytes > most) {
      bytes -= waiting.front()->size;
      std::free(waiting.front());
      waiting.erase(waiting.begin());
    }
  }

private:
  static constexpr size_t fewest = 128 << 10, most = 64 << 20;
  llvm::SmallVector<Slab::Header *> waiting;
  size_t bytes = 0;
};

/// Lives as long as the process.
FreedMemory &freedMemory() {
  static auto *const freed = new FreedMemory();
  return *freed;
}

/// A piece of a slab, or all of another object's memory.
struct Block {
  PyObject_HEAD char *data;
  Py_ssize_t size;
  Slab::Header *slab;
  Py_buffer *borrowed;
};

struct ReleaseBuffer {
  void operator()(Py_buffer *view) const {
    PyBuffer_Release(view);
    delete view;
  }
};

void deallocate(PyObject *self) {
  auto *block = reinterpret_cast<Block *>(self);
  PyTypeObject *type = Py_TYPE(self);
  if (block->slab)
    Slab::release(block->slab);
  if (block->borrowed)
    ReleaseBuffer()(block->borrowed);
  PyObject_Free(self);
  Py_DECREF(type);
}

int getBuffer(PyObject *self, Py_buffer *view, int flags) {
  auto *block = reinterpret_cast<Block *>(self);
  bool isReadOnly = block->borrowed && block->borrowed->readonly;
  return PyBuffer_FillInfo(view, self, block->data, block->size, isReadOnly,
                           flags);
}

PyTypeObject *makeType() {
  static PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char *>("Host memory of a native call's.")},
      {Py_tp_dealloc, reinterpret_cast<void *>(deallocate)},
      {Py_bf_getbuffer, reinterpret_cast<void *>(getBuffer)},
      {0, nullptr}};
  static PyType_Spec spec = {
      "wax._native.Block", sizeof(Block), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  return reinterpret_cast<PyTypeObject *>(
      owned(PyType_FromSpec(&spec)).release().ptr());
}

/// Lives as long as the process.
PyTypeObject *blockType() {
  static PyTypeObject *const type = makeType();
  return type;
}

nb::object makeBlock(char *data, Py_ssize_t size) {
  auto *block = PyObject_New(Block, blockType());
  if (!block)
    nb::raise_python_error();
  block->data = data;
  block->size = size;
  block->slab = nullptr;
  block->borrowed = nullptr;
  return nb::steal(reinterpret_cast<PyObject *>(block));
}

} // namespace

Slab::Slab(size_t size) {
  void *memory = freedMemory().take(size);
  if (!memory && posix_memalign(&memory, alignment, sizeof(Header) + size)) {
    PyErr_NoMemory();
    nb::raise_python_error();
  }
  header = new (memory) Header{1, size};
}

char *Slab::data() const { return reinterpret_cast<char *>(header + 1); }

nb::object Slab::block(size_t offset, size_t size) const {
  nb::object made = makeBlock(data() + offset, Py_ssize_t(size));
  reinterpret_cast<Block *>(made.ptr())->slab = header;
  ++header->references;
  return made;
}

void Slab::release(Header *header) {
  if (--header->references == 0)
    freedMemory().add(header);
}

nb::object mlir::wax::python::blockOn(nb::handle memory) {
  // Without an exporter nothing is released.
  std::unique_ptr<Py_buffer, ReleaseBuffer> view(new Py_buffer());
  if (PyObject_GetBuffer(memory.ptr(), view.get(), PyBUF_SIMPLE)) {
    PyErr_Clear();
    return {};
  }
  auto *data = static_cast<char *>(view->buf);
  if (reinterpret_cast<uintptr_t>(data) % Slab::alignment == 0) {
    nb::object made = makeBlock(data, view->len);
    reinterpret_cast<Block *>(made.ptr())->borrowed = view.release();
    return made;
  }
  Slab slab(view->len);
  std::memcpy(slab.data(), data, view->len);
  return slab.block(0, view->len);
}

char *mlir::wax::python::dataOf(nb::handle object) {
  return Py_TYPE(object.ptr()) == blockType()
             ? reinterpret_cast<Block *>(object.ptr())->data
             : nullptr;
}
