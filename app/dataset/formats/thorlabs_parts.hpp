// SPDX-License-Identifier: GPL-3.0-or-later
// The recordings that one Thorlabs archive holds: spectra of a camera, and processed images.
#pragma once

#include "app/dataset/container/archive.hpp"
#include "app/dataset/formats/thorlabs_header.hpp"
#include "app/dataset/recording/recording.hpp"

#include <memory>
#include <string>
#include <vector>

namespace echolux {

struct ThorlabsArchive {
    std::shared_ptr<Archive> archive;
    ThorlabsHeader header;

    /// "as stored" for messages; throws where the member is missing.
    const Archive::Member& member(const std::string& name) const;
    /// What the header says of it; nothing known where it does not.
    ThorlabsDataFile facts(const Archive::Member& member) const;
    /// All float32 of a member; empty where it is missing. Throws where `most` values are fewer.
    std::vector<float> floats(const std::string& name, std::int64_t most) const;
};

/// Members data/Spectral0, 1, ... of one camera, whose members end in `suffix`, in order. Throws
/// where one between them, or one that the header names, is missing.
std::vector<const Archive::Member*> thorlabsSpectra(const ThorlabsArchive& file,
                                                    const std::string& suffix);

/// `info` holds what both kinds share; its frames are added. `members` of real numbers are those of
/// one-dimensional scans.
std::unique_ptr<Recording> openThorlabsSpectra(const ThorlabsArchive& file, RecordingInfo info,
                                               const std::vector<const Archive::Member*>& members,
                                               const std::string& suffix, bool real);

/// Levels in dB, or complex amplitudes, of one member [y][x][z].
std::unique_ptr<Recording> openThorlabsImages(const ThorlabsArchive& file, RecordingInfo info,
                                              const Archive::Member& member, bool complex);

/// What the header says of scan and depth of a spectrometer whose lines have `samples`.
void takeThorlabsWavelengths(const ThorlabsHeader& header, std::int64_t samples,
                             Spectrometer& facts, RecordingInfo& info);

/// How B-scans make volumes.
void takeThorlabsStack(const ThorlabsHeader& header, const ThorlabsDataFile& facts,
                       RecordingInfo& info);

} // namespace echolux
