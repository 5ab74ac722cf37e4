// SPDX-License-Identifier: GPL-3.0-or-later
// Exports of one recording by several processes: each writes a part, and one joins them.
#pragma once

#include "app/export/export.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// What the parts module cannot find itself.
struct PartContext {
    std::string program; ///< name, version and commit
    /// What rounds on this backend here: "NVIDIA H200". Selects the GPU. Throws Error where there
    /// is no such backend.
    std::function<std::string(Backend backend)> computedOn;
    /// A digest of all that is known of the recording, and of the plugins in use.
    std::function<std::string(const RecordingInfo& info)> facts;
    std::vector<std::filesystem::path> plugins; ///< in use
};

/// Consecutive ranges that together make the frames of the request, each of about `each` frames
/// (at least 1) and in whole ensembles. Throws Error where exportPart() would.
std::vector<ExportFrames> partRanges(const ExportRequest& request, std::int64_t each);

/// Writes the frames of the request as a part (see part_file.hpp), computed as far as each frame
/// can be computed alone. Throws Error as exportRecording() does, where the frames are no whole
/// ensembles, and where no stage of the pipeline can run apart (see cutFrames()).
ExportResult exportPart(const ExportRequest& request, const PartContext& context,
                        const ExportProgress& progress = {});

struct JoinRequest {
    std::vector<std::filesystem::path> parts; ///< in any order
    /// The recording, where it is no longer at the place that the parts name.
    std::optional<std::filesystem::path> recording = {};
    std::optional<ExportFrames> frames = {}; ///< that the parts hold together; empty: all frames
    std::filesystem::path target;            ///< as ExportRequest, like all that follow
    bool replace = false;
    ExportLook look = {};
    double framesPerSecond = 0.0;
    std::optional<double> columnM = {};
    std::string program = "Echolux";
};

/// Runs the stages behind the cut over the frames of all parts and writes the file that
/// exportRecording() writes. Throws Error where parts are damaged, differ in what they were made of
/// (recording, facts, pipeline, values, program, kind of machine), overlap or leave a gap.
ExportResult joinParts(const JoinRequest& request, const PartContext& context,
                       const ExportProgress& progress = {});

/// Paths of the plugins that a part needs, to be loaded before joinParts(). Throws Error where the
/// file is no part.
std::vector<std::filesystem::path> pluginsOfPart(const std::filesystem::path& part);

/// True where the part is there, whole, and written by this program. Reads the whole file.
bool isUsablePart(const std::filesystem::path& part, const std::string& program);

} // namespace echolux
