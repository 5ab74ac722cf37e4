// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the frames of a simulator to a recording; shared by the kinds of `echolux simulate`.
#pragma once

#include "app/dataset/native/native_writer.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace echolux {

/// Help text of the option -o.
inline constexpr const char* kRecordingHelp = "Recording to write (.echolux.h5)";

struct SimulatedRecording {
    std::filesystem::path path;
    FrameSpec frame;
    double frameRateHz = 0.0;
    Provenance provenance;
    NativeWriterOptions writing;
    std::int64_t frames = 0;
    std::string limitAdvice; ///< option that keeps samples within the converter's range
};

/// Renders one frame, and returns the number of samples that the converter clipped.
using RenderFrame = std::function<std::int64_t(std::int64_t index, std::span<std::byte> out)>;

/// Renders the first frame before it creates the file. Reports progress on stderr about once a
/// second, and prints one line at the end. Ctrl-C ends the recording after the present frame;
/// record() then throws Error.
void record(const SimulatedRecording& recording, const RenderFrame& render);

/// For CLI::Validator: what is wrong with a seed, or nothing. NOTE: CLI11 reads "-1" and too large
/// numbers as the largest unsigned number.
std::string seedError(const std::string& text);

/// Throws Error where --frames is out of range.
void checkFrames(std::int64_t frames);

} // namespace echolux
