// SPDX-License-Identifier: GPL-3.0-or-later
// A part: frames of a recording that one of several processes has computed, with what they were
// computed from, so that parts can be joined.
#pragma once

#include "app/dataset/recording/input_file.hpp"
#include "app/export/export.hpp"
#include "app/export/subject.hpp"

#include <QCryptographicHash>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace echolux {

struct PartHead {
    // Needed to write the file of all parts.
    std::filesystem::path recording;            ///< absolute, as all paths
    std::filesystem::path sidecar;              ///< empty: none was named
    std::filesystem::path calibration;          ///< empty: none was named
    std::int64_t track = 0;                     ///< from 1; 0: the reader chose
    std::vector<std::filesystem::path> plugins; ///< that were in use
    std::string pipeline;                       ///< TOML; empty: raw frames
    std::string outputOf;                       ///< as ExportRequest::outputOf
    Backend backend = Backend::Cpu;

    // What all parts of a file share.
    std::string program;       ///< that wrote the part: name, version, commit
    std::string computedOn;    ///< what rounds, for example "NVIDIA H200"
    std::string recordingHash; ///< fileSha256()
    std::string facts;         ///< SHA-256 of what is known of the recording, and of the plugins
    std::string cut;           ///< FrameCut::at
    std::string frame;         ///< FrameSpec::describe() of a stored frame
    std::size_t frameBytes = 0;
    std::int64_t recordingFrames = 0; ///< raw frames of the recording, in whole ensembles
    std::int64_t ensemble = 1;        ///< raw frames that are imaged together
    std::int64_t perWindow = 1;       ///< frames that are stored for each ensemble

    ExportFrames range; ///< raw frames of this part, whole ensembles

    std::int64_t frames() const { ///< that are stored
        return (range.last - range.first + 1) / ensemble * perWindow;
    }
};

/// Writes a line that names the format, a line of JSON, the frames as they are in memory, and the
/// SHA-256 of all that.
class PartWriter : public FrameWriter {
public:
    PartWriter(const OutputFiles& files, const PartHead& head);
    void add(std::span<const std::byte> frame) override;
    void finish() override;

private:
    void write(std::string_view bytes);

    ByteWriter m_file;
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
};

/// A part that is read from its first frame to its last one.
class PartFile {
public:
    /// Throws Error where the file is missing, is no part, or is cut off.
    explicit PartFile(const std::filesystem::path& path);
    const std::filesystem::path& path() const { return m_file.path(); }
    const PartHead& head() const { return m_head; }
    /// The next frame, head().frameBytes long. Throws Error where the file cannot be read, and at
    /// the last frame where the bytes of the part do not match their SHA-256.
    void next(std::span<std::byte> frame);
    /// Reads the frames that are left. Throws Error as next() does.
    void checkRest();

private:
    InputFile m_file;
    PartHead m_head;
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
    std::uint64_t m_at = 0; ///< of the next frame, in bytes
    std::int64_t m_left = 0;
};

/// True for a name that ends in ".part".
bool isPartName(const std::filesystem::path& path);

} // namespace echolux
