//===- BuildId.cpp - Which build of this module is running ----------------===//
//
// Part of wax, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BuildId.h"

#if __has_include(<link.h>)

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <link.h>

using Header = ElfW(Phdr);
using NoteHeader = ElfW(Nhdr);

/// The build id among the notes in a segment; empty if there is none.
static std::string findIn(llvm::StringRef notes) {
  while (notes.size() >= sizeof(NoteHeader)) {
    const auto *note = reinterpret_cast<const NoteHeader *>(notes.data());
    size_t description = sizeof(NoteHeader) + llvm::alignTo(note->n_namesz, 4);
    size_t end = description + llvm::alignTo(note->n_descsz, 4);
    if (end > notes.size())
      break;
    llvm::StringRef name = notes.substr(sizeof(NoteHeader), note->n_namesz);
    if (note->n_type == NT_GNU_BUILD_ID && name == llvm::StringRef("GNU\0", 4))
      return llvm::toHex(notes.substr(description, note->n_descsz),
                         /*LowerCase=*/true);
    notes = notes.drop_front(end);
  }
  return {};
}

/// Called for each loaded object, until one holds this function.
static int visit(dl_phdr_info *object, size_t, void *found) {
  llvm::ArrayRef<Header> headers(object->dlpi_phdr, object->dlpi_phnum);
  auto here = reinterpret_cast<ElfW(Addr)>(&visit);
  if (llvm::none_of(headers, [&](const Header &header) {
        return header.p_type == PT_LOAD &&
               here - (object->dlpi_addr + header.p_vaddr) < header.p_memsz;
      }))
    return 0;
  auto &id = *static_cast<std::string *>(found);
  for (const Header &header : headers) {
    if (header.p_type != PT_NOTE || !id.empty())
      continue;
    auto *start =
        reinterpret_cast<const char *>(object->dlpi_addr + header.p_vaddr);
    id = findIn({start, static_cast<size_t>(header.p_memsz)});
  }
  return 1;
}

std::string mlir::wax::python::buildId() {
  std::string id;
  dl_iterate_phdr(visit, &id);
  return id;
}

#else

std::string mlir::wax::python::buildId() { return {}; }

#endif
