// SPDX-License-Identifier: GPL-3.0-or-later
// Its facts and its first and last frame, read inside this process.
#include "app/dataset/guarded/reader_process.hpp"
#include "app/dataset/recording/recording.hpp"
#include "tests/fuzz/attempt.hpp"

#include <vector>

namespace echolux::fuzz {

void recording(Bytes bytes) {
    if (holdsHdf5(bytes)) return;
    readHere();
    const auto path = asFile("recording", bytes);
    attempt([&] {
        const auto recording = openRecording(path);
        constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
        const std::size_t size = recording->info().frame.bytes();
        if (recording->info().frameCount < 1 || size > kMostBytes) return;
        std::vector<std::byte> frame(size);
        recording->readFrame(0, frame);
        recording->readFrame(recording->info().frameCount - 1, frame);
    });
}

} // namespace echolux::fuzz
