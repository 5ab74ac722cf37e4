// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as the sidecar of a headerless file.
#include "app/dataset/guarded/reader_process.hpp"
#include "app/dataset/recording/recording.hpp"
#include "gpu/core/error.hpp"
#include "tests/fuzz/fuzzed_file.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace echolux;
    static const fuzz::FuzzedFile file("described.bin");
    static const fuzz::FuzzedFile sidecar("described.toml");
    static const bool written = [] {
        std::vector<std::uint8_t> samples(std::size_t{2} * 2 * 8 * 64);
        for (std::size_t i = 0; i < samples.size(); ++i)
            samples[i] = static_cast<std::uint8_t>(i * 37);
        file.write(samples.data(), samples.size());
        return true;
    }();
    readHere();
    sidecar.write(data, written ? size : 0);
    try {
        const auto recording = openRecording(file.path(), {.sidecar = sidecar.path()});
        std::vector<std::byte> frame(recording->info().frame.bytes());
        recording->readFrame(0, frame);
    } catch (const Error&) { // a sentence
    }
    return 0;
}
