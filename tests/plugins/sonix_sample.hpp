// SPDX-License-Identifier: GPL-3.0-or-later
// Small .rf files of an Ultrasonix system, written by the published layout.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

namespace echolux::test {

constexpr std::int32_t kSonixLines = 3;
constexpr std::int32_t kSonixSamples = 16;

inline std::int16_t sonixSample(int frame, int line, int depth) {
    return static_cast<std::int16_t>(1000 * frame + 100 * line + depth);
}

/// Appends frames `first` to `last`, each with a number before it.
inline void appendSonix(const std::filesystem::path& path, int first, int last) {
    std::ofstream file(path, std::ios::binary | std::ios::app);
    for (std::int32_t frame = first; frame <= last; ++frame) {
        std::vector<std::int16_t> samples;
        for (int line = 0; line < kSonixLines; ++line)
            for (int depth = 0; depth < kSonixSamples; ++depth)
                samples.push_back(sonixSample(frame, line, depth));
        file.write(reinterpret_cast<const char*>(&frame), sizeof frame);
        file.write(reinterpret_cast<const char*>(samples.data()),
                   static_cast<std::streamsize>(samples.size() * sizeof(samples[0])));
    }
}

/// Replaces the file by a header, which says that `frames` frames follow.
inline void writeSonixHeader(const std::filesystem::path& path, std::int32_t frames,
                             std::int32_t lines = kSonixLines) {
    const std::array<std::int32_t, 19> header{16,      frames,   lines, kSonixSamples, 16, 0,   0,
                                              639,     0,        639,   479,           0,  479, 2,
                                              5000000, 40000000, 25,    lines,         0};
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(header.data()), sizeof header);
}

inline void writeSonix(const std::filesystem::path& path, int frames) {
    writeSonixHeader(path, frames);
    appendSonix(path, 0, frames - 1);
}

} // namespace echolux::test
