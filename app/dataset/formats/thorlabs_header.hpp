// SPDX-License-Identifier: GPL-3.0-or-later
// Header.xml of a Thorlabs .oct archive, as plain values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace echolux {

/// Lines [first, end) of a B-scan.
struct LineRegion {
    std::int64_t first = 0;
    std::int64_t end = 0;

    std::int64_t lines() const { return end - first; }
};

/// What the header says of one member; sizes 0 where it does not.
struct ThorlabsDataFile {
    std::int64_t sizeZ = 0;
    std::int64_t sizeX = 0;
    std::int64_t sizeY = 0;
    double rangeZMm = 0.0;
    double rangeXMm = 0.0;
    double rangeYMm = 0.0;
    int bytesPerPixel = 0;
    std::optional<LineRegion> apodization = {};
    std::optional<LineRegion> scan = {};
};

/// Lengths 0 where unknown.
struct ThorlabsHeader {
    std::map<std::string, ThorlabsDataFile> files; ///< by normalMemberName()
    int bytesPerPixel = 0;
    bool rawIsSigned = false;
    double electronsPerCount = 1.0;
    std::int64_t spectrometerElements = 0;
    double centreWavelengthM = 0.0;
    std::string model;
    ThorlabsDataFile pixels; ///< of the processed image, with its size in mm
    double refractiveIndex = 0.0;
    std::int64_t averagedAScans = 1;
    std::int64_t averagedBScans = 1;
    std::vector<std::pair<std::string, std::string>> notes; ///< for people

    /// Null where it does not name the member.
    const ThorlabsDataFile* find(std::string_view member) const;
};

constexpr std::uint64_t kMostThorlabsHeaderBytes = std::uint64_t{32} << 20U;

/// Is this the beginning of such a header?
bool beginsThorlabsHeader(std::string_view text);

/// Throws Error where the XML is damaged, declares entities, nests too
/// deep, or has another root.
ThorlabsHeader parseThorlabsHeader(const std::filesystem::path& path, std::string_view xml);

} // namespace echolux
