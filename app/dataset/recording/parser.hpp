// SPDX-License-Identifier: GPL-3.0-or-later
// Which library parses a file. A reader process tells it where a file ends the process.
#pragma once

#include <atomic>
#include <cstdint>

namespace echolux {

enum class Parser : std::uint8_t { Echolux, Hdf5, Matio, Dcmtk, Libtiff, Libzip };

/// Called where a library begins to parse. Costs nothing.
void noteParser(Parser parser);
/// Notes go to `place` from here on. Without it they go nowhere.
void noteParsersAt(std::atomic<std::uint8_t>& place);

} // namespace echolux
