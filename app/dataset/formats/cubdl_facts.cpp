// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/formats/cubdl_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

namespace echolux {

namespace {

struct CubdlInstitution {
    CubdlSource source;
    std::string_view code;
    std::string_view name;
    std::span<const double> soundSpeeds; ///< of its files 1, 2, ...; 0: the file says it
};

constexpr std::array kMayoSpeeds{1580.0, 1583.0, 1578.0, 1572.0, 1562.0, 1581.0};
constexpr std::array kFlorenceSpeeds{1526.0, 1523.0, 1525.0, 1523.0, 1523.0};
constexpr std::array kEindhovenSpeeds{1603.0, 1618.0, 1607.0, 1614.0, 1495.0, 1479.0};
constexpr std::array kInsermSpeeds{1521.0, 1517.0, 1506.0, 1501.0, 1506.0, 1509.0, 1490.0,
                                   1504.0, 1473.0, 1502.0, 1511.0, 1535.0, 1453.0, 1542.0,
                                   1539.0, 1466.0, 1462.0, 1479.0, 1469.0, 1464.0, 1508.0,
                                   1558.0, 1463.0, 1547.0, 1477.0, 1497.0};
constexpr std::array kOsloSpeeds{0.0,    1536.0, 1543.0, 1538.0, 1539.0,
                                 1541.0, 1540.0, 0.0,    0.0,    1540.0};
constexpr double kTsinghuaSpeed = 1540.0; ///< for all its files: muscles
constexpr double kHopkinsSpeed = 1540.0;  ///< for its files of focused beams

constexpr std::array kInstitutions{
    CubdlInstitution{CubdlSource::Mayo, "MYO", "Mayo Clinic", kMayoSpeeds},
    CubdlInstitution{CubdlSource::Tsinghua, "TSH", "Tsinghua University", {}},
    CubdlInstitution{CubdlSource::Florence, "UFL", "University of Florence", kFlorenceSpeeds},
    CubdlInstitution{CubdlSource::Eindhoven, "EUT", "Eindhoven University of Technology",
                     kEindhovenSpeeds},
    CubdlInstitution{CubdlSource::Inserm, "INS", "INSERM", kInsermSpeeds},
    CubdlInstitution{CubdlSource::Oslo, "OSL", "University of Oslo", kOsloSpeeds},
    CubdlInstitution{CubdlSource::Hopkins, "JHU", "Johns Hopkins University", {}}};

const CubdlInstitution& institution(CubdlSource source) {
    return *std::ranges::find(kInstitutions, source, &CubdlInstitution::source);
}

bool isWithin(int number, int first, int last) { return number >= first && number <= last; }

} // namespace

std::optional<CubdlName> cubdlNameOf(const std::filesystem::path& path) {
    constexpr std::size_t kCode = 3;
    constexpr std::size_t kDigits = 3;
    const std::string stem = path.stem().string();
    if (stem.size() < kCode + kDigits) return std::nullopt;
    std::string code = stem.substr(0, kCode);
    for (char& letter : code)
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    int number = 0;
    for (std::size_t i = kCode; i < kCode + kDigits; ++i) {
        if (stem[i] < '0' || stem[i] > '9') return std::nullopt;
        number = 10 * number + (stem[i] - '0');
    }
    const auto found = std::ranges::find(kInstitutions, code, &CubdlInstitution::code);
    if (found == kInstitutions.end()) return std::nullopt;
    return CubdlName{found->source, number};
}

std::string_view codeOf(CubdlSource source) { return institution(source).code; }
std::string_view nameOf(CubdlSource source) { return institution(source).name; }

std::string describe(const CubdlName& name) {
    if (name.number == 0) return std::string(nameOf(name.source));
    return fmt::format("{}, {}{:03}", nameOf(name.source), codeOf(name.source), name.number);
}

std::optional<double> cubdlSoundSpeed(const CubdlName& name) {
    if (name.source == CubdlSource::Tsinghua) return kTsinghuaSpeed;
    if (name.source == CubdlSource::Hopkins && cubdlBeams(name) != CubdlBeams::PlaneWaves)
        return kHopkinsSpeed;
    const auto speeds = institution(name.source).soundSpeeds;
    const auto index = static_cast<std::size_t>(name.number - 1);
    if (name.number < 1 || index >= speeds.size() || speeds[index] == 0.0) return std::nullopt;
    return speeds[index];
}

std::optional<CubdlProbe> cubdlProbe(CubdlSource source) {
    switch (source) {
    case CubdlSource::Mayo:
    case CubdlSource::Tsinghua: return CubdlProbe{"L11-4v", 0.3e-3};
    case CubdlSource::Florence: return CubdlProbe{"LA533", 0.245e-3};
    default: return std::nullopt;
    }
}

CubdlBeams cubdlBeams(const CubdlName& name) {
    const int number = name.number;
    if (name.source == CubdlSource::Oslo) {
        if (isWithin(number, 2, 7) || number == 10) return CubdlBeams::PlaneWaves;
        if (isWithin(number, 8, 9)) return CubdlBeams::ParallelBeams;
        return isWithin(number, 11, 14) ? CubdlBeams::SteeredBeams : CubdlBeams::Unknown;
    }
    if (name.source == CubdlSource::Hopkins && number != 0) {
        if (isWithin(number, 24, 34)) return CubdlBeams::PlaneWaves;
        if (isWithin(number, 1, 2)) return CubdlBeams::HalfSteps;
        return isWithin(number, 19, 23) ? CubdlBeams::HalfOrigins : CubdlBeams::Unknown;
    }
    return CubdlBeams::PlaneWaves;
}

} // namespace echolux
