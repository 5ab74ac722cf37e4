// SPDX-License-Identifier: GPL-3.0-or-later
// Channel data in an array, or in a file without a header, as somebody describes them: does it fit,
// what is missing, what could it be, and the answer kept as a sidecar.
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

    // The signal; 0 = not said
    double samplingFrequencyHz = 0.0;
    double centreFrequencyHz = 0.0;
    double demodulationFrequencyHz = 0.0;  ///< I/Q pairs
    std::vector<double> firstSampleS{0.0}; ///< one, or one per transmit
    bool firstElementFires = false;        ///< at t = 0; else the wave is at the origin then
    double frameRateHz = 0.0;              ///< 0 = unknown
    double soundSpeedMps = 1540.0;

    // The probe; 0 = not said
    Array array = Array::Linear;
    double pitchM = 0.0;
    double radiusM = 0.0;     ///< convex
    std::int64_t columns = 0; ///< matrix, along x
    std::int64_t rows = 0;    ///< matrix
    double pitchYM = 0.0;     ///< matrix; 0 = as the pitch

    // The transmits
    Wave wave = Wave::Plane;
    std::vector<double> anglesRad; ///< of plane waves and beams; empty = 0 where one transmit
    double focusM = 0.0;           ///< focused and diverging: distance from the origin

    bool operator==(const ChannelImport&) const = default;
};

const ImportRoles& channelRoles();

struct ChannelFit {
    bool stored = false;  ///< the array is as described, in size and axes
    bool fits = false;    ///< and nothing is missing
    ArrayExtents extents; ///< where `stored`
    std::string sentence; ///< for the user: what fits, what does not or what is missing
};

/// Never throws: it follows what is being typed. `fileBytes` counts for headerless data.
ChannelFit checkChannelImport(const ChannelImport& import, std::uint64_t fileBytes);

/// Whether some fact that has no default is not said: one clause each, such as "the sampling
/// frequency".
std::vector<std::string> missingFacts(const ChannelImport& import, const ArrayExtents& extents);

/// The TOML of 'echolux help sidecar'.
std::string toSidecar(const ChannelImport& import);

/// One frame of it, whether or not the sizes fit (a picture tells what is wrong), with stand-ins
/// for what is missing. Throws Error where not one line fits.
ChannelImport firstFrame(const ChannelImport& import, std::uint64_t fileBytes);

// Guesses. ---------------------------------------------------------------------------------------

/// From the bytes: floats by their exponents, whole numbers by which of their bytes say least.
ElementType guessElementType(const InputFile& file, std::uint64_t headerBytes = 0);
/// Echoes swing about a level; spectra of light stand on one.
bool looksLikeEchoes(const InputFile& file, const ElementType& type, std::uint64_t headerBytes);

/// What it could be, the likeliest first, with all else as in `like`: sizes from how much lines
/// resemble each other, where that tells nothing from those that are usual.
std::vector<ChannelImport> suggestChannelImports(const InputFile& file, const ChannelImport& like,
                                                 std::size_t most = 6);
/// The centre of the band of real samples, as a share of the sampling frequency; 0 where unknown.
double guessBandCentre(const InputFile& file, const ChannelImport& import);

/// An array in a file, with the facts that arrays beside it tell by their names (fs, f0, pitch,
/// angles, t0, c, ...). `name` empty: the largest one. Throws Error where there is no array.
struct ArrayGuess {
    ChannelImport import;
    double bandCentre = 0.0; ///< as of guessBandCentre()
};
ArrayGuess guessArray(const std::filesystem::path& path, ArrayContainer& container,
                      const std::string& name = {});

// Files. Defined in app/dataset/sidecar. ---------------------------------------------------------

/// Opens the file as described, whatever sidecar it has. `container`: of the file, where it is
/// open already. Throws Error.
std::unique_ptr<Recording> openChannelImport(const std::shared_ptr<const InputFile>& file,
                                             const ChannelImport& import,
                                             std::shared_ptr<ArrayContainer> container = nullptr);
/// Keeps it where writeRawImport() would. Throws Error as that does.
std::filesystem::path writeChannelImport(const std::filesystem::path& file,
                                         const ChannelImport& import);
/// The description that openRecording() would take, where a ChannelImport can say all of it.
std::optional<ChannelImport> readChannelImport(const std::filesystem::path& file);

} // namespace echolux
