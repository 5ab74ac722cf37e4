// SPDX-License-Identifier: GPL-3.0-or-later
// A sidecar: a small TOML file that says how to read an array as channel data, OCT spectra or
// images.
#pragma once

#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/sidecar/number_source.hpp"
#include "app/dataset/sidecar/spectra_sidecar.hpp"

#include "gpu/core/acquisition.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace echolux {

/// Keys are those of the file, with their tables: "probe.pitch". Angles in degrees, "angles_deg",
/// stand under "angles" in rad.
struct Sidecar {
    std::string origin;                   ///< path of the sidecar, for messages
    std::optional<std::string> matchName; ///< for shipped sidecars: name of the file that they
                                          ///< describe
    std::optional<std::uint64_t> matchSize;

    std::set<std::string> keys;                  ///< all that are given
    std::map<std::string, NumberSource> sources; ///< those of numbers
    std::map<std::string, std::string> words;    ///< those of texts and choices; flags: "true"

    bool has(const std::string& key) const { return sources.contains(key); } ///< of numbers
    const NumberSource& numbers(const std::string& key) const; ///< empty where it is not given
    std::string word(const std::string& key) const;            ///< empty where it is not given
    bool isSector() const { return has("image.angles") || has("image.angle_step"); }

    std::optional<SpectraSidecar> spectra; ///< [spectrometer] instead of probe, signal, transmit
    std::optional<RecordedForm> image;     ///< [image] instead of them: what its values are

    // [data]
    std::vector<std::string> arrays; ///< one array, or two for I and Q; names may contain {frame}
                                     ///< and {transmit}
    std::vector<std::vector<std::string>> transmitArrays; ///< per transmit one array, or two for I
                                                          ///< and Q
    std::int64_t firstIndex = 0;                          ///< first number of {frame} and
                                                          ///< {transmit}
    std::vector<ArrayAxis> axes;                          ///< without the axes named `none`
    std::vector<std::size_t> namedNone; ///< their indices among all axes of the array
    std::optional<ElementType> dtype;   ///< headerless binary
    std::vector<std::int64_t> shape;    ///< headerless binary; one extent may be -1: as many as the
                                        ///< file contains
    std::uint64_t offset = 0;           ///< bytes before the samples
    std::uint64_t trailer = 0;          ///< bytes after the samples
    bool conjugate = false;
    double codeOffset = 0.0;

    // [probe]
    std::vector<std::string> elementColumns; ///< x, y, z or none; empty: x, y, z
    bool rowColumn = false;                  ///< elements are long lines: first the columns, then
                                             ///< the rows
    std::vector<LongAxis> longAxes;          ///< one per element, or one for all

    // [signal]
    bool centreEstimated = false; ///< the centre frequency was estimated from the samples
    enum class Clock {
        WaveAtOrigin,      ///< of the coordinates
        WaveAtBeamOrigin,  ///< where the beam begins
        FirstElementFires, ///< of those that fire
        ZeroDelay,         ///< an element of delay 0 fires; with `delays` only
    } clock = Clock::WaveAtOrigin;
    enum class PhaseZero {
        WaveAtOrigin,
        FirstSample,
        FileClock
    } phaseZero = PhaseZero::WaveAtOrigin;

    // [transmit]
    double firstElement = 0.0; ///< number of the first element in the lists of this table
    Wave wave = Wave::Plane;
    Steering steering = Steering::Tilts;
};

/// Throws Error for damaged TOML, for unknown keys and for keys of the wrong type.
Sidecar parseSidecar(const std::string& text, const std::string& origin);

/// Path of the sidecar of an existing file whose folder cannot be written. It is in
/// echolux/sidecars of the user's data folder ($XDG_DATA_HOME, else ~/.local/share); its name
/// depends on the file's absolute path and size. Empty where the user has no such folder.
std::optional<std::filesystem::path> keptSidecarPath(const std::filesystem::path& file,
                                                     std::uint64_t fileSize);

/// The sidecar for `file`: `given` where set, else NAME.EXT.toml or NAME.toml beside the file, else
/// the one at keptSidecarPath(), else a shipped one that matches file name and size.
std::optional<Sidecar> findSidecar(const std::filesystem::path& file, std::uint64_t fileSize,
                                   const std::optional<std::filesystem::path>& given);

/// Files that the sidecar of `file` names and that lie below the folder around that of `file`. A
/// reader process may read them, because the user keeps them together. Empty where the sidecar
/// cannot be read, which opening the recording tells.
std::vector<std::filesystem::path>
filesOfSidecar(const std::filesystem::path& file,
               const std::optional<std::filesystem::path>& given);

/// True where `file` is TOML that describes a recording and not a pipeline or a calibration: it has
/// a [data] table. Throws Error where it cannot be read.
bool isSidecar(const std::filesystem::path& file);

} // namespace echolux
