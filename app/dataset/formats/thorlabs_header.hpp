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

/// What the header says about one member. A size is 0 where the header does not give it.
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

/// A length is 0 where it is unknown.
struct ThorlabsHeader {
    std::map<std::string, ThorlabsDataFile> files; ///< the key is normalMemberName()
    int bytesPerPixel = 0;
    bool rawIsSigned = false;
    double electronsPerCount = 1.0;
    std::int64_t spectrometerElements = 0;
    double centreWavelengthM = 0.0;
    std::string model;
    ThorlabsDataFile pixels; ///< size of the processed image in pixels and mm
    double refractiveIndex = 0.0;
    std::int64_t averagedAScans = 1;
    std::int64_t averagedBScans = 1;
    std::int64_t speckleBScans = 1; ///< B-scans of each place against speckle, one after the other
    std::vector<std::pair<std::string, std::string>> notes; ///< facts to show to users

    /// Null where the header does not name the member.
    const ThorlabsDataFile* find(std::string_view member) const;
};

constexpr std::uint64_t kMostThorlabsHeaderBytes = std::uint64_t{32} << 20U;

/// True where `text` is the beginning of such a header.
bool beginsThorlabsHeader(std::string_view text);

/// Throws Error where the XML is damaged, declares entities, is nested too deeply, or has another
/// root.
ThorlabsHeader parseThorlabsHeader(const std::filesystem::path& path, std::string_view xml);

} // namespace echolux
