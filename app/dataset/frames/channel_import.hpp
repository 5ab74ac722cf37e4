// SPDX-License-Identifier: GPL-3.0-or-later
// A user's description of channel data in an array or in a headerless file: whether it fits, what
// is missing, guesses, and the sidecar that keeps it.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/frames/array_recording.hpp"
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

struct ChannelImport : ImportArray {
    enum class Array { Linear, Convex, Matrix };

    // The signal; 0 = not given
    double samplingFrequencyHz = 0.0;
    double centreFrequencyHz = 0.0;
    bool centreEstimated = false;          ///< nobody stated it: it was estimated from the samples
    double demodulationFrequencyHz = 0.0;  ///< I/Q pairs
    std::vector<double> firstSampleS{0.0}; ///< one, or one per transmit
    bool firstElementFires = false;        ///< true: the first element fires at t = 0; false: the
                                           ///< wave crosses the origin then
    double frameRateHz = 0.0;              ///< 0 = unknown
    double soundSpeedMps = 1540.0;

    // The probe; 0 = not given
    Array array = Array::Linear;
    double pitchM = 0.0;
    double radiusM = 0.0;     ///< convex
    std::int64_t columns = 0; ///< matrix, along x
    std::int64_t rows = 0;    ///< matrix
    double pitchYM = 0.0;     ///< matrix; 0 = as the pitch

    // The transmits
    Wave wave = Wave::Plane;
    std::vector<double> anglesRad; ///< for plane waves and beams; empty: 0, for a single transmit
    double focusM = 0.0;           ///< focused and diverging waves: distance from the origin

    bool isSteered() const { return wave != Wave::Element && wave != Wave::None; }

    bool operator==(const ChannelImport&) const = default;
};

const ImportRoles& channelRoles();

struct ChannelFit {
    bool stored = false;  ///< size and axes of the array agree with the description
    bool fits = false;    ///< `stored`, and nothing is missing
    ArrayExtents extents; ///< where `stored`
    std::string sentence; ///< for the user: what fits, what does not fit, or what is missing
};

/// Never throws, because it is called while the user types. `fileBytes` is used for headerless
/// data.
ChannelFit checkChannelImport(const ChannelImport& import, std::uint64_t fileBytes);

/// The facts without a default that are not given, one clause each, such as "the sampling
/// frequency".
std::vector<std::string> missingFacts(const ChannelImport& import, const ArrayExtents& extents);

/// The description of a single frame, even where sizes do not fit, because a picture shows what is
/// wrong. Missing facts get stand-ins. Throws Error where not even one line fits.
ChannelImport firstFrame(const ChannelImport& import, std::uint64_t fileBytes);

// Guesses. ---------------------------------------------------------------------------------------

/// Guesses the type from the bytes: floats by their exponents, integers by which of their bytes
/// carry the least information.
ElementType guessElementType(const InputFile& file, std::uint64_t headerBytes = 0);
/// True where values oscillate about a level, as echoes do. Spectra of light lie above a level.
bool looksLikeEchoes(const InputFile& file, const ElementType& type, std::uint64_t headerBytes);

/// Descriptions that may fit, the likeliest first. Sizes come from how much lines resemble each
/// other; where that tells nothing, usual sizes are tried. Everything else is as in `like`.
std::vector<ChannelImport> suggestChannelImports(const InputFile& file, const ChannelImport& like,
                                                 std::size_t most = 6);
/// Centre of the band of real samples, as a fraction of the sampling frequency; 0 where unknown.
double guessBandCentre(const InputFile& file, const ChannelImport& import);

/// An array in a file, with facts from other arrays in the file that have known names (fs, f0,
/// pitch, angles, t0, c, ...). Empty `name`: the largest array. Throws Error where there is no
/// array.
struct ArrayGuess {
    ChannelImport import;
    double bandCentre = 0.0; ///< the result of guessBandCentre()
};
ArrayGuess guessArray(const std::filesystem::path& path, ArrayContainer& container,
                      const std::string& name = {});

// Files. Defined in app/dataset/sidecar. ---------------------------------------------------------

/// The description as TOML, see 'echolux help sidecar'.
std::string toSidecar(const ChannelImport& import);

/// Opens the file as described, even if it has a sidecar. `container` is that of the file where it
/// is open already. Throws Error.
std::unique_ptr<Recording> openChannelImport(const std::shared_ptr<const InputFile>& file,
                                             const ChannelImport& import,
                                             std::shared_ptr<ArrayContainer> container = nullptr);
/// Writes the sidecar where writeRawImport() would. Throws Error as that does.
std::filesystem::path writeChannelImport(const std::filesystem::path& file,
                                         const ChannelImport& import);
/// The description that openRecording() would use. Empty where a ChannelImport cannot hold all of
/// it.
std::optional<ChannelImport> readChannelImport(const std::filesystem::path& file);

} // namespace echolux
