// SPDX-License-Identifier: GPL-3.0-or-later
// Who gave which files to CUBDL, and what its evaluation code (gitlab.com/dongwoon.hyun/cubdl)
// knows of them that they do not say themselves.
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

/// Of files that are named as CUBDL names them: OSL007.hdf5, TSH002_and_more.hdf5.
std::optional<CubdlName> cubdlNameOf(const std::filesystem::path& path);

std::string_view codeOf(CubdlSource source); ///< "MYO", "TSH", "UFL", ...
std::string_view nameOf(CubdlSource source); ///< "Mayo Clinic", ...
std::string describe(const CubdlName& name); ///< "Mayo Clinic, MYO001"

/// Speed of sound that the evaluation code takes for one file, mostly that of its phantom as it
/// came out brightest; nothing where it takes the file's own. m/s
std::optional<double> cubdlSoundSpeed(const CubdlName& name);

/// Linear arrays that the files do not describe.
struct CubdlProbe {
    std::string_view name;
    double pitchM = 0.0;
};
std::optional<CubdlProbe> cubdlProbe(CubdlSource source);

/// How one file's transmits are to be understood.
enum class CubdlBeams : std::uint8_t {
    PlaneWaves,
    ParallelBeams, ///< straight ahead, from origins side by side, one clock for all
    SteeredBeams,  ///< from the origin, each with a clock of its own
    HalfSteps,     ///< straight ahead, half a pitch apart
    HalfOrigins,   ///< steered, from half the origins in the file; the clock's sign is the other
    Unknown        ///< the evaluation code does not read it
};
CubdlBeams cubdlBeams(const CubdlName& name);

} // namespace echolux
