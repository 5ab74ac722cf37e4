// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/guarded/reader_process.hpp"
#include "app/dataset/recording/recording.hpp"
#include "tests/fuzz/attempt.hpp"

#include <vector>

namespace echolux::fuzz {

void described(Bytes bytes) {
    static const auto samples = [] {
        std::vector<std::uint8_t> values(std::size_t{2} * 2 * 8 * 64);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<std::uint8_t>(i * 37);
        return asFile("described.bin", values);
    }();
    readHere();
    const auto sidecar = asFile("described.toml", bytes);
    attempt([&] {
        const auto recording = openRecording(samples, {.sidecar = sidecar});
        std::vector<std::byte> frame(recording->info().frame.bytes());
        recording->readFrame(0, frame);
    });
}

} // namespace echolux::fuzz
