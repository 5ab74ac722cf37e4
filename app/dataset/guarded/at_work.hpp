// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader process does at the moment. It writes this to shared memory, so that the program
// can say it where the process ends.
#pragma once

#include "app/dataset/guarded/questions.hpp"
#include "app/dataset/recording/parser.hpp"

#include <atomic>

namespace echolux {

/// Begins the shared memory. Frames follow after kBytes, a multiple of every page size.
struct AtWork {
    static constexpr std::size_t kBytes = 65536;
    /// The beginning of the memory `file`. Null where there is none.
    static AtWork* in(int file, bool writable);

    std::atomic<std::uint8_t> parser; ///< a Parser
    std::atomic<std::uint8_t> ask;    ///< the question, an Ask
    std::atomic<std::int64_t> frame;  ///< index, where a frame was asked for
};

/// "HDF5", or "its reader".
std::string whoWorks(const AtWork& note);
/// "opening it", "reading frame 12 of it", ... The process may have been taken over by what it
/// parsed, so any values give a text.
std::string doingOf(const AtWork& note);

} // namespace echolux
