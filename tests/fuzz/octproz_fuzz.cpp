// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/octproz.hpp"
#include "tests/fuzz/attempt.hpp"

#include <vector>

namespace echolux::fuzz {

void octproz(Bytes bytes) {
    static const auto raw = [] {
        const std::vector<std::uint8_t> samples(std::size_t{4} * 8 * 64, 37);
        return asFile("oct_raw.raw", samples);
    }();
    const auto meta = asFile("oct_meta.txt", bytes);
    attempt([&] {
        if (!isOctprozMeta(meta)) return;
        const auto recording = openOctproz(std::make_shared<const InputFile>(raw), meta);
        std::vector<std::byte> frame(recording->info().frame.bytes());
        recording->readFrame(recording->info().frameCount - 1, frame);
    });
}

} // namespace echolux::fuzz
