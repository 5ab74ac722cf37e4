// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes are the header, and what follows the first page.
#include "app/dataset/guarded/reader_process.hpp"
#include "app/live/client/echolux_live.h"
#include "app/live/shared_source.hpp"
#include "tests/fuzz/attempt.hpp"

#include <vector>

namespace echolux::fuzz {

void shared(Bytes bytes) {
    readHere();
    const Bytes header = taken(bytes, sizeof(echolux_live_header));
    std::vector<std::uint8_t> memory(ECHOLUX_LIVE_PAGE);
    std::copy(header.begin(), header.end(), memory.begin());
    memory.insert(memory.end(), bytes.begin(), bytes.end());
    const std::string name = "fuzz-" + std::to_string(::getpid());
    const std::string place = "/echolux-" + name;
    const int file = ::shm_open(place.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (::write(file, memory.data(), memory.size()) != static_cast<ssize_t>(memory.size()))
        std::abort();
    ::close(file);
    attempt([&] {
        SharedSource source(name, "shared:", 0.0);
        std::vector<std::byte> frame(source.info().frame.bytes());
        FrameStamp stamp;
        source.next(frame, stamp, {});
    });
    ::shm_unlink(place.c_str());
}

} // namespace echolux::fuzz
