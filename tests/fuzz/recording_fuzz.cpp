// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a recording: its facts and its first and last frame, read inside this process.
#include "app/dataset/guarded/reader_process.hpp"
#include "app/dataset/recording/recording.hpp"
#include "gpu/core/error.hpp"
#include "tests/fuzz/fuzzed_file.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace echolux;
    static const fuzz::FuzzedFile file("recording");
    readHere();
    file.write(data, size);
    try {
        const auto recording = openRecording(file.path());
        constexpr std::size_t kMostBytes = std::size_t{64} << 20U;
        const std::size_t bytes = recording->info().frame.bytes();
        if (recording->info().frameCount < 1 || bytes > kMostBytes) return 0;
        std::vector<std::byte> frame(bytes);
        recording->readFrame(0, frame);
        recording->readFrame(recording->info().frameCount - 1, frame);
    } catch (const Error&) { // a sentence
    }
    return 0;
}
