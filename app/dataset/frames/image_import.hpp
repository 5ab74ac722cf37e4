// SPDX-License-Identifier: GPL-3.0-or-later
// A user's description of images (beamformed data): whether it fits, guesses, and the sidecar that
// keeps it.
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

/// Lengths and frequencies are unknown where they are 0, unless a member says otherwise.
struct ImageImport : ImportArray {
    enum class Lines { SideBySide, FanOut };

    RecordedForm form = RecordedForm::Envelope;
    double codeScale = 1.0; ///< physical value of one code; in dB for levels

    double depthStepM = 0.0;
    double samplingFrequencyHz = 0.0; ///< along depth, for the two-way time; replaces the step
    double soundSpeedMps = 1540.0;    ///< used with the sampling frequency only
    double depthFirstM = 0.0;
    Lines lines = Lines::SideBySide;
    double lateralStepM = 0.0;
    std::optional<double> lateralFirstM; ///< empty: the middle of the lines is at 0
    double elevationStepM = 0.0;
    std::optional<double> elevationFirstM; ///< empty: the middle of the planes is at 0

    // Lines that fan out
    std::vector<double> anglesRad; ///< angle of each line, or of the first and the last one
    double apexXM = 0.0;
    double apexZM = 0.0;
    double radiusM = 0.0; ///< from the apex to depth 0

    double centreFrequencyHz = 0.0;
    double demodulationFrequencyHz = 0.0; ///< I/Q pairs
    std::vector<double> shownRangeDb;     ///< for levels: lowest and highest; empty: from the data
    double frameRateHz = 0.0;

    bool operator==(const ImageImport&) const = default;
};
const ImportRoles& imageRoles();

struct ImageFit {
    bool fits = false;
    ArrayExtents extents; ///< set where the description fits: `transmits` are planes, `channels`
                          ///< depths, `samples` lines
    std::string sentence; ///< for the user: what fits, what does not fit, whether the scale is
                          ///< known
};

/// Never throws, because it is called while the user types. `fileBytes` is used for headerless
/// data.
ImageFit checkImageImport(const ImageImport& import, std::uint64_t fileBytes);

/// The description of a single frame, even where sizes do not fit, because a picture shows what is
/// wrong. Throws Error where there is no image.
ImageImport firstFrame(const ImageImport& import, std::uint64_t fileBytes);

// Guesses. ---------------------------------------------------------------------------------------

/// True where the values are bytes, or levels below 0 dB: neither echoes nor spectra are stored in
/// these forms.
bool looksLikeImages(const InputFile& file, const ElementType& type, std::uint64_t headerBytes);

/// The same for an array in a file; empty `name`: the largest one. Throws Error where there is
/// none.
bool looksLikeImages(const std::filesystem::path& path, ArrayContainer& container,
                     const std::string& name = {});

/// Descriptions of headerless images that may fit, the likeliest first. The length of rows comes
/// from how much rows resemble each other, the number of rows from where similar rows return. The
/// fast axis may count depths or lines, so both are suggested. Everything but form, header and axes
/// is as in `like`.
std::vector<ImageImport> suggestImageImports(const InputFile& file, const ImageImport& like,
                                             std::size_t most = 6);

/// Images in an array of a file, with axes in the usual order; empty `name`: the largest array.
/// Throws Error where there is no array.
ImageImport guessImageArray(const std::filesystem::path& path, ArrayContainer& container,
                            const std::string& name = {});

// Files. Defined in app/dataset/sidecar. ---------------------------------------------------------

/// The description as TOML, see 'echolux help sidecar'.
std::string toSidecar(const ImageImport& import);

/// Opens the file as described, even if it has a sidecar. `container` is that of the file where it
/// is open already. Throws Error.
std::unique_ptr<Recording> openImageImport(const std::shared_ptr<const InputFile>& file,
                                           const ImageImport& import,
                                           std::shared_ptr<ArrayContainer> container = nullptr);
/// Writes the sidecar where writeRawImport() would. Throws Error as that does.
std::filesystem::path writeImageImport(const std::filesystem::path& file,
                                       const ImageImport& import);
/// The description that openRecording() would use. Empty where an ImageImport cannot hold all of
/// it.
std::optional<ImageImport> readImageImport(const std::filesystem::path& file);

} // namespace echolux
