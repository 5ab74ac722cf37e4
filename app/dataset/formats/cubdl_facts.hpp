// SPDX-License-Identifier: GPL-3.0-or-later
// Which institution gave which files to CUBDL, and facts about the files that only CUBDL's
// evaluation code (gitlab.com/dongwoon.hyun/cubdl) states.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace echolux {

enum class CubdlSource : std::uint8_t {
    Mayo,
    Tsinghua,
    Florence,
    Eindhoven,
    Inserm,
    Oslo,
    Hopkins
};

struct CubdlName {
    CubdlSource source = CubdlSource::Mayo;
    int number = 0; ///< 0: unknown

    bool operator==(const CubdlName&) const = default;
};

/// Reads names in the form of CUBDL: OSL007.hdf5, TSH002_and_more.hdf5. Empty for other names.
std::optional<CubdlName> cubdlNameOf(const std::filesystem::path& path);

std::string_view codeOf(CubdlSource source); ///< "MYO", "TSH", "UFL", ...
std::string_view nameOf(CubdlSource source); ///< "Mayo Clinic", ...
std::string describe(const CubdlName& name); ///< "Mayo Clinic, MYO001"

/// Speed of sound in m/s that the evaluation code uses for this file: mostly the speed at which the
/// phantom was brightest. Empty where the code uses the speed in the file.
std::optional<double> cubdlSoundSpeed(const CubdlName& name);

/// A linear array that the files themselves do not describe.
struct CubdlProbe {
    std::string_view name;
    double pitchM = 0.0;
};
std::optional<CubdlProbe> cubdlProbe(CubdlSource source);

/// How the transmits of a file must be read.
enum class CubdlBeams : std::uint8_t {
    PlaneWaves,
    ParallelBeams, ///< unsteered, origins from the file, one start time for all
    SteeredBeams,  ///< steered, all from (0, 0, 0), each with its own start time
    HalfSteps,     ///< unsteered, origins half a pitch apart
    HalfOrigins,   ///< steered, origins at half the file's coordinates, start times negated
    Unknown        ///< the evaluation code does not read the file
};
CubdlBeams cubdlBeams(const CubdlName& name);

} // namespace echolux
