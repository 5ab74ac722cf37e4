// SPDX-License-Identifier: GPL-3.0-or-later
// Images, data that somebody beamformed, as somebody describes them: do they fit, what could they
// be, and the answer kept as a sidecar.
#pragma once

#include "app/dataset/frames/import_array.hpp"
#include "app/dataset/recording/input_file.hpp"
#include "app/dataset/recording/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// Lengths and frequencies: 0 = unknown where nothing else is said.
struct ImageImport : ImportArray {
    enum class Lines { SideBySide, FanOut };

    RecordedForm form = RecordedForm::Envelope;
    double codeScale = 1.0; ///< physical value of one code, dB of levels

    double depthStepM = 0.0;
    double samplingFrequencyHz = 0.0; ///< along depth, there and back: instead of the step
    double soundSpeedMps = 1540.0;    ///< counts with the sampling frequency alone
    double depthFirstM = 0.0;
    Lines lines = Lines::SideBySide;
    double lateralStepM = 0.0;
    std::optional<double> lateralFirstM; ///< nothing: the middle of the lines at 0
    double elevationStepM = 0.0;
    std::optional<double> elevationFirstM; ///< likewise

    // Lines that fan out
    std::vector<double> anglesRad; ///< of each, or of the first and the last one
    double apexXM = 0.0;
    double apexZM = 0.0;
    double radiusM = 0.0; ///< from the apex to depth 0

    double centreFrequencyHz = 0.0;
    double demodulationFrequencyHz = 0.0; ///< I/Q pairs
    std::vector<double> shownRangeDb;     ///< of levels: lowest, highest; empty: as the data say
    double frameRateHz = 0.0;

    bool operator==(const ImageImport&) const = default;
};
const ImportRoles& imageRoles();

struct ImageFit {
    bool fits = false;
    ArrayExtents extents; ///< where it fits: `transmits` planes, `channels` depths, `samples` lines
    std::string sentence; ///< for the user: what fits, what does not, whether the scale is known
};

/// Never throws: it follows what is being typed. `fileBytes` counts for headerless data.
ImageFit checkImageImport(const ImageImport& import, std::uint64_t fileBytes);

/// The TOML of 'echolux help sidecar'.
std::string toSidecar(const ImageImport& import);

/// One frame of it, whether or not the sizes fit (a picture tells what is wrong). Throws Error
/// where there is no image in it.
ImageImport firstFrame(const ImageImport& import, std::uint64_t fileBytes);

// Guesses. ---------------------------------------------------------------------------------------

/// Bytes, and levels below 0 dB: neither echoes nor spectra are stored so.
bool looksLikeImages(const InputFile& file, const ElementType& type, std::uint64_t headerBytes);

/// The same of an array of a file, the largest one where `name` is empty. Throws Error where there
/// is none.
bool looksLikeImages(const std::filesystem::path& path, ArrayContainer& container,
                     const std::string& name = {});

/// What headerless images could be, the likeliest first, with all but form, header and axes as in
/// `like`: rows from how
/// much they resemble each other, frames from rows that come again. Of pixels, the fast axis may
/// count depths or lines: both are suggested.
std::vector<ImageImport> suggestImageImports(const InputFile& file, const ImageImport& like,
                                             std::size_t most = 6);

/// Images in an array of a file, the largest one where `name` is empty, with axes in the usual
/// order. Throws Error where there is no array.
ImageImport guessImageArray(const std::filesystem::path& path, ArrayContainer& container,
                            const std::string& name = {});

// Files. Defined in app/dataset/sidecar. ---------------------------------------------------------

/// Opens the file as described, whatever sidecar it has. `container`: of the file, where it is
/// open already. Throws Error.
std::unique_ptr<Recording> openImageImport(const std::shared_ptr<const InputFile>& file,
                                           const ImageImport& import,
                                           std::shared_ptr<ArrayContainer> container = nullptr);
/// Keeps it where writeRawImport() would. Throws Error as that does.
std::filesystem::path writeImageImport(const std::filesystem::path& file,
                                       const ImageImport& import);
/// The description that openRecording() would take, where an ImageImport can say all of it.
std::optional<ImageImport> readImageImport(const std::filesystem::path& file);

} // namespace echolux
