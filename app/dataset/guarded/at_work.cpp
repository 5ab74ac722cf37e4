// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/guarded/at_work.hpp"

#include <fmt/format.h>

#include <sys/mman.h>

namespace echolux {

AtWork* AtWork::in(int file, bool writable) {
    const int rights = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    void* at = ::mmap(nullptr, kBytes, rights, MAP_SHARED, file, 0);
    return at == MAP_FAILED ? nullptr : static_cast<AtWork*>(at);
}

std::string whoWorks(const AtWork& note) {
    switch (Parser{note.parser.load()}) {
    case Parser::Hdf5: return "HDF5";
    case Parser::Matio: return "matio";
    case Parser::Dcmtk: return "DCMTK";
    case Parser::Libtiff: return "libtiff";
    case Parser::Libzip: return "libzip";
    case Parser::Echolux: break;
    }
    return "its reader";
}

std::string doingOf(const AtWork& note) {
    switch (Ask{note.ask.load()}) {
    case Ask::Frame:
        return fmt::format("reading frame {} of it",
                           static_cast<std::uint64_t>(note.frame.load()) + 1);
    case Ask::Has:
    case Ask::Array:
    case Ask::Values: return "reading an array of it";
    case Ask::Carried: return "reading what it says besides";
    case Ask::Room:
    case Ask::Places:
    case Ask::Stamps: return "finding its frames";
    case Ask::Open:
    case Ask::Container: break;
    }
    return "opening it";
}

} // namespace echolux
