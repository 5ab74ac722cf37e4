// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the native recording frame by frame; each appended frame survives the end of the process.
#pragma once

#include "app/dataset/recording/aberration_truth.hpp"
#include "gpu/core/frame_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// Where a recording comes from.
struct Provenance {
    std::string program; ///< name and version of what made it
    std::string source;  ///< command line, device, or file that it was made from
    std::string created; ///< ISO 8601, UTC
    std::optional<std::uint64_t> seed;
    std::vector<std::pair<std::string, std::string>> notes; ///< further facts: name, text with unit
    /// The screen that the channel data was made behind; null: unknown.
    std::shared_ptr<const AberrationTruth> aberration = {};
};

struct NativeWriterOptions {
    bool overwrite = false;                        ///< replace a recording that stands at the path
    std::vector<std::filesystem::path> inUse = {}; ///< files being read: never replaced
    int deflateLevel = 4;                          ///< 0-9
};

/// Throws Error where a recording cannot be written there: taken, in use, no such folder.
void checkWritable(const std::filesystem::path& path, const NativeWriterOptions& options = {});

/// Not thread-safe. Where no frame was appended the destructor leaves no file behind.
class NativeWriter {
public:
    /// Makes the file. Throws Error where the path is taken, in use or cannot be written, or where
    /// `frame` contradicts itself or the screen does not fit it.
    NativeWriter(std::filesystem::path path, const FrameSpec& frame, double frameRateHz,
                 const Provenance& provenance, const NativeWriterOptions& options = {});
    NativeWriter(const NativeWriter&) = delete;
    NativeWriter& operator=(const NativeWriter&) = delete;
    ~NativeWriter();

    /// `frame` is FrameSpec::bytes() long. When it returns, the frame is in the operating system's
    /// hands. Throws Error where the disk refuses; frames appended before stay readable.
    void append(std::span<const std::byte> frame);
    /// Marks the file as complete; also done by the destructor, which cannot report a failure.
    void close();

    std::int64_t frameCount() const { return m_frames; }
    const std::filesystem::path& path() const { return m_path; }

private:
    void writeFrame(std::span<const std::byte> frame);

    std::filesystem::path m_path;
    std::size_t m_frameBytes = 0;
    struct Handles;
    std::unique_ptr<Handles> m_hdf5;
    std::int64_t m_frames = 0;
    bool m_failed = false;
};

} // namespace echolux
