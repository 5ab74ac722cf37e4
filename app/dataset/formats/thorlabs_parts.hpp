// SPDX-License-Identifier: GPL-3.0-or-later
// The recordings in one Thorlabs archive: spectra of a camera, and processed images.
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

    /// What the header says about the member `name`. All members of the result are unknown where it
    /// says nothing.
    ThorlabsDataFile facts(const std::string& name) const;
    /// All float32 values of a member; empty where it is missing. Throws where there are more than
    /// `most`.
    std::vector<float> floats(const std::string& name, std::int64_t most) const;
};

/// One of the members that hold spectra.
struct ThorlabsSpectra {
    std::string name;
    const Archive::Member* member = nullptr; ///< null: it is missing
};

/// Members data/Spectral0, 1, ... whose names end in `suffix`, in order: the spectra of one camera.
/// One that is missing in the sequence, or that the header names, keeps its place. Throws where
/// more are missing than are there.
std::vector<ThorlabsSpectra> thorlabsSpectra(const ThorlabsArchive& file,
                                             const std::string& suffix);

/// `info` holds the facts that spectra and images share; the facts of the frames are added here.
/// Members of `real` numbers belong to one-dimensional scans. A B-scan that is missing or cut short
/// is a gap: its samples are no numbers, and all samples are F32.
std::unique_ptr<Recording> openThorlabsSpectra(const ThorlabsArchive& file, RecordingInfo info,
                                               const std::vector<ThorlabsSpectra>& members,
                                               const std::string& suffix, bool real);

/// Images of one member [y][x][z]: levels in dB, or complex amplitudes.
std::unique_ptr<Recording> openThorlabsImages(const ThorlabsArchive& file, RecordingInfo info,
                                              const Archive::Member& member, bool complex);

/// Writes what the header says about wavelengths and depth into `facts` and `info`. `samples`:
/// length of a line.
void takeThorlabsWavelengths(const ThorlabsHeader& header, std::int64_t samples,
                             Spectrometer& facts, RecordingInfo& info);

/// Writes into `info` how B-scans form volumes.
void takeThorlabsStack(const ThorlabsHeader& header, const ThorlabsDataFile& facts,
                       RecordingInfo& info);

} // namespace echolux
