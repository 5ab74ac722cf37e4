// SPDX-License-Identifier: GPL-3.0-or-later
// XML through pugixml: no document type is parsed, no file is fetched, and numbers have limits.
#include "app/dataset/formats/thorlabs_header.hpp"

#include "app/dataset/container/archive.hpp"
#include "app/dataset/container/text_array.hpp"
#include "app/dataset/container/xml_text.hpp"
#include "app/dataset/recording/input_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <pugixml.hpp>

#include <charconv>
#include <cmath>
#include <ctime>
#include <system_error>

namespace echolux {

namespace {

/// 0 where the text is no finite number.
double numberIn(std::string_view text) {
    const std::string_view shown = trimmed(text);
    double value = 0.0;
    const auto [end, error] = std::from_chars(shown.data(), shown.data() + shown.size(), value);
    return error == std::errc() && std::isfinite(value) ? value : 0.0;
}

/// A size, without decimals; 0 where the text is no number from 0 to 1e9.
std::int64_t sizeIn(std::string_view text) {
    constexpr double kMost = 1e9;
    const double value = numberIn(text);
    return value >= 0.0 && value <= kMost ? static_cast<std::int64_t>(value) : 0;
}

double lengthIn(std::string_view text) { return std::max(0.0, numberIn(text)); }

std::optional<LineRegion> regionOf(const pugi::xml_node& node, const char* start, const char* end) {
    if (!node.attribute(start) || !node.attribute(end)) return std::nullopt;
    return LineRegion{sizeIn(node.attribute(start).value()), sizeIn(node.attribute(end).value())};
}

ThorlabsDataFile dataFileOf(const pugi::xml_node& node) {
    const auto text = [&](const char* name) { return node.attribute(name).value(); };
    return {.sizeZ = sizeIn(text("SizeZ")),
            .sizeX = sizeIn(text("SizeX")),
            .sizeY = sizeIn(text("SizeY")),
            .rangeZMm = lengthIn(text("RangeZ")),
            .rangeXMm = lengthIn(text("RangeX")),
            .rangeYMm = lengthIn(text("RangeY")),
            .bytesPerPixel = static_cast<int>(sizeIn(text("BytesPerPixel"))),
            .apodization = regionOf(node, "ApoRegionStart0", "ApoRegionEnd0"),
            .scan = regionOf(node, "ScanRegionStart0", "ScanRegionEnd0")};
}

void takeInstrument(const pugi::xml_node& node, ThorlabsHeader& header) {
    header.bytesPerPixel = static_cast<int>(sizeIn(node.child_value("BytesPerPixel")));
    const std::string_view isSigned = trimmed(node.child_value("RawDataIsSigned"));
    header.rawIsSigned = isSigned == "True" || isSigned == "true" || isSigned == "1";
    const double scale = numberIn(node.child_value("BinaryToElectronCountScaling"));
    if (scale > 0.0) header.electronsPerCount = scale;
    header.spectrometerElements = sizeIn(node.child_value("SpectrometerElements"));
    const double centreM = 1e-9 * numberIn(node.child_value("CentralWavelength"));
    if (centreM > 200e-9 && centreM < 5e-6) header.centreWavelengthM = centreM;
    header.model = trimmed(node.child_value("Model"));
}

void takeImage(const pugi::xml_node& node, ThorlabsHeader& header) {
    const pugi::xml_node pixels = node.child("SizePixel");
    const pugi::xml_node real = node.child("SizeReal");
    header.pixels = {.sizeZ = sizeIn(pixels.child_value("SizeZ")),
                     .sizeX = sizeIn(pixels.child_value("SizeX")),
                     .sizeY = sizeIn(pixels.child_value("SizeY")),
                     .rangeZMm = lengthIn(real.child_value("SizeZ")),
                     .rangeXMm = lengthIn(real.child_value("SizeX")),
                     .rangeYMm = lengthIn(real.child_value("SizeY"))};
}

void takeAcquisition(const pugi::xml_node& node, ThorlabsHeader& header) {
    const double index = numberIn(node.child_value("RefractiveIndex"));
    if (index >= 1.0 && index <= 4.0) header.refractiveIndex = index;
    const auto count = [&](const char* kind, const char* name) {
        return std::max<std::int64_t>(sizeIn(node.child(kind).child_value(name)), 1);
    };
    header.averagedAScans = count("IntensityAveraging", "AScans");
    header.averagedBScans = count("IntensityAveraging", "BScans");
    header.speckleBScans = count("SpeckleAveraging", "SlowAxis");
    const double seconds = numberIn(node.child_value("Timestamp"));
    if (seconds > 0.0 && seconds < 1e11)
        header.notes.emplace_back(
            "Recorded",
            fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds))));
}

void takeNote(const pugi::xml_node& node, const char* element, const char* name,
              ThorlabsHeader& header) {
    constexpr std::size_t kMostLetters = 200;
    const std::string_view text = trimmed(node.child_value(element));
    if (!text.empty()) header.notes.emplace_back(name, std::string(text.substr(0, kMostLetters)));
}

} // namespace

const ThorlabsDataFile* ThorlabsHeader::find(std::string_view member) const {
    const auto at = files.find(normalMemberName(member));
    return at == files.end() ? nullptr : &at->second;
}

bool beginsThorlabsHeader(std::string_view text) {
    return text.find("<Ocity") != std::string_view::npos;
}

ThorlabsHeader parseThorlabsHeader(const std::filesystem::path& path, std::string_view xml) {
    if (xml.find("<!ENTITY") != std::string_view::npos)
        throw fileError(path, "its Header.xml declares entities of its own, which Echolux does not "
                              "take; save the recording with ThorImage again");
    checkXml(path, "its Header.xml", xml);
    pugi::xml_document document;
    const pugi::xml_parse_result result =
        document.load_buffer(xml.data(), xml.size(), pugi::parse_minimal | pugi::parse_escapes);
    if (!result)
        throw fileError(path, fmt::format("its Header.xml is damaged at byte {} ({}); copy the "
                                          "file again",
                                          result.offset, result.description()));
    const pugi::xml_node root = document.child("Ocity");
    if (!root)
        throw fileError(path, "its Header.xml is none of ThorImage's, whose root is 'Ocity'; "
                              "choose a recording");
    ThorlabsHeader header;
    takeInstrument(root.child("Instrument"), header);
    takeImage(root.child("Image"), header);
    takeNote(root.child("Instrument"), "Model", "Device", header);
    takeAcquisition(root.child("Acquisition"), header);
    takeNote(root.child("MetaInfo"), "AcquisitionMode", "Scan", header);
    takeNote(root.child("MetaInfo"), "Study", "Study", header);
    takeNote(root.child("MetaInfo"), "Comment", "Comment", header);
    for (const pugi::xml_node& node : root.child("DataFiles").children("DataFile"))
        header.files[normalMemberName(trimmed(node.child_value()))] = dataFileOf(node);
    return header;
}

} // namespace echolux
