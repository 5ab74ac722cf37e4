// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a native recording frame by frame. Each appended frame survives a crash of the process.
#pragma once

#include "app/dataset/recording/aberration_truth.hpp"
#include "app/dataset/recording/frame_stamp.hpp"
#include "gpu/core/frame_spec.hpp"
#include "gpu/core/whole_file.hpp"

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

/// The origin of a recording.
struct Provenance {
    std::string program; ///< name and version of the program that made it
    std::string source;  ///< command line, device, or source file
    std::string created; ///< ISO 8601, UTC
    std::optional<std::uint64_t> seed;
    std::vector<std::pair<std::string, std::string>> notes; ///< further facts: name, and text with
                                                            ///< unit
    /// The screen that was before the array; null: unknown.
    std::shared_ptr<const AberrationTruth> aberration = {};
};

struct NativeWriterOptions {
    bool overwrite = false;                        ///< may replace an existing recording
    std::vector<std::filesystem::path> inUse = {}; ///< files that are being read; they are never
                                                   ///< replaced
    int deflateLevel = 4;                          ///< 0-9
    /// Name of the recording of which each frame is a result; empty: none. The file then holds the
    /// number of that recording's frame beside each frame.
    std::string rawFile = {};
    bool stamped = false; ///< the file holds a FrameStamp beside each frame
    /// Equal frames and facts make equal bytes. A kill in the middle may then spoil the file.
    bool repeatable = false;
};

/// For a program that owns its process, before any other use of HDF5: makes the library ready while
/// there is memory, and lets it go at exit of what it could not close on a full disk. It would
/// crash in both cases.
void ownHdf5();

/// Throws Error where a recording cannot be written to the path: it exists, is in use, or its
/// folder does not exist.
void checkWritable(const std::filesystem::path& path, const NativeWriterOptions& options = {});

/// Not thread-safe. The file is at its path from the first frame on. Until then a former file is
/// there, and stays where no frame comes. A program that reads the former file keeps it.
class NativeWriter {
public:
    /// Creates the file, beside its path. Throws Error where the path exists, is in use or cannot
    /// be written, where `frame` contradicts itself, and where the screen does not fit it.
    NativeWriter(std::filesystem::path path, const FrameSpec& frame, double frameRateHz,
                 const Provenance& provenance, const NativeWriterOptions& options = {});
    NativeWriter(const NativeWriter&) = delete;
    NativeWriter& operator=(const NativeWriter&) = delete;
    ~NativeWriter();

    /// `frame` is FrameSpec::bytes() long. On return the operating system has the frame. Throws
    /// Error where writing fails; earlier frames stay readable. `rawFrame` counts from 0 and is
    /// kept where the options name a raw file.
    void append(std::span<const std::byte> frame, std::int64_t rawFrame = -1);
    /// The same, with a stamp, which is kept where the options want stamps.
    void append(std::span<const std::byte> frame, const FrameStamp& stamp);
    /// Marks the file as complete. The destructor does it as well, but cannot report a failure.
    void close();

    std::int64_t frameCount() const { return m_frames; }
    const std::filesystem::path& path() const { return m_path; }

private:
    void append(std::span<const std::byte> frame, const FrameStamp& stamp, std::int64_t rawFrame);
    void writeFrame(std::span<const std::byte> frame);

    std::filesystem::path m_path;
    std::optional<PartialFile> m_unseen; ///< until the first frame
    std::size_t m_frameBytes = 0;
    struct Handles;
    std::unique_ptr<Handles> m_hdf5;
    std::int64_t m_frames = 0;
    bool m_failed = false;
};

} // namespace echolux
