// SPDX-License-Identifier: GPL-3.0-or-later
// Writes calibrations as TOML, .npz, .npy or text.
#include "app/dataset/calibration/calibration.hpp"

#include "app/dataset/calibration/calibration_format.hpp"
#include "app/dataset/container/npy_writer.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <array>
#include <cstring>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <zip.h>

namespace echolux {

namespace {

using namespace calibration_format;

/// A number for TOML and text: with a point or an exponent, and read back as the same value.
template <class Number> std::string written(Number value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return text;
}

template <class Number> std::string listOf(const std::vector<Number>& values) {
    std::string text = "[";
    constexpr std::size_t kPerLine = 8;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += fmt::format("{}{},", i % kPerLine == 0 ? "\n  " : " ", written(values[i]));
    return text + "\n]";
}

template <class Number> std::string asNpy(std::span<const Number> values, bool scalar = false) {
    const std::array shape{static_cast<std::int64_t>(values.size())};
    std::string bytes = npyHeader(sizeof(Number) == sizeof(float) ? "<f4" : "<f8",
                                  scalar ? std::span<const std::int64_t>() : shape);
    const std::size_t head = bytes.size();
    bytes.resize(head + values.size_bytes());
    std::memcpy(bytes.data() + head, values.data(), values.size_bytes());
    return bytes;
}

std::string asCsv(const std::vector<double>& curve) {
    std::string text = "Sample Number;Sample Value\n";
    for (std::size_t m = 0; m < curve.size(); ++m) text += fmt::format("{};{}\n", m, curve[m]);
    return text;
}

Error unwritable(const std::filesystem::path& path, const std::string& what) {
    return Error(fmt::format("The calibration '{}' cannot be written: {}.", path.string(), what));
}

using Members = std::vector<std::pair<std::string, std::string>>; ///< name and bytes

Members membersOf(const Calibration& c) {
    Members members;
    const auto add = [&](const char* name, std::string bytes) {
        members.emplace_back(std::string(name) + ".npy", std::move(bytes));
    };
    const auto addReal = [&](const char* name, double value) {
        if (value > 0.0) add(name, asNpy(std::span<const double>(&value, 1), true));
    };
    if (!c.resampling.empty()) add(kResampling, asNpy(std::span(c.resampling)));
    if (!c.dispersionRad.empty()) add(kDispersion, asNpy(std::span(c.dispersionRad)));
    if (c.dispersionTerms)
        add(kDispersionTerms, asNpy(std::span<const double>(*c.dispersionTerms)));
    if (!c.background.empty()) add(kBackground, asNpy(std::span(c.background)));
    addReal(kCentreWavelength, c.centreWavelengthM);
    addReal(kBandwidth, c.bandwidthM);
    return members;
}

void writeNpz(const std::filesystem::path& path, const Members& members) {
    const std::filesystem::path partial = path.string() + ".partial";
    const auto fail = [&](const std::string& what) {
        std::error_code ignored;
        std::filesystem::remove(partial, ignored);
        return unwritable(path, what + "; check the folder, its permissions and the free space");
    };
    int code = 0;
    zip_t* archive = zip_open(partial.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (archive == nullptr) throw fail("the folder takes no new file");
    for (const auto& [name, bytes] : members) {
        zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
        if (source == nullptr || zip_file_add(archive, name.c_str(), source, 0) < 0) {
            zip_source_free(source);
            zip_discard(archive);
            throw fail("the archive takes no array");
        }
    }
    if (zip_close(archive) != 0) {
        zip_discard(archive);
        throw fail("writing failed");
    }
    std::error_code failure;
    std::filesystem::rename(partial, path, failure);
    if (failure) throw fail(failure.message());
}

Error holdsCurveAlone(const std::filesystem::path& path, const std::string& lacks) {
    return unwritable(path, fmt::format("{} holds a resampling curve, and {}; write .toml or .npz",
                                        path.extension().string(), lacks));
}

} // namespace

std::string toToml(const Calibration& c) {
    std::string text = fmt::format("# Calibration of a spectrometer, in SI units; 'echolux help "
                                   "calibration' tells more\n{} = {}\n",
                                   kVersionKey, kVersion);
    const auto add = [&](const char* key, const std::string& value) {
        text += fmt::format("{} = {}\n", key, value);
    };
    if (!c.title.empty()) {
        std::ostringstream quoted;
        quoted << toml::value(c.title);
        add(kTitle, quoted.str());
    }
    if (c.centreWavelengthM > 0.0) add(kCentreWavelength, written(c.centreWavelengthM));
    if (c.bandwidthM > 0.0) add(kBandwidth, written(c.bandwidthM));
    if (c.dispersionTerms) {
        const auto& terms = *c.dispersionTerms;
        add(kDispersionTerms,
            fmt::format("[{}, {}, {}]", written(terms[0]), written(terms[1]), written(terms[2])));
    }
    if (!c.resampling.empty()) add(kResampling, listOf(c.resampling));
    if (!c.dispersionRad.empty()) add(kDispersion, listOf(c.dispersionRad));
    if (!c.background.empty()) add(kBackground, listOf(c.background));
    return text;
}

void checkCalibrationName(const std::filesystem::path& path, const std::string& part) {
    const std::string kind = path.extension().string();
    if (kind == ".toml" || kind == ".npz") return;
    if (kind != ".npy" && kind != ".csv")
        throw unwritable(path, "its name must end in .toml, .npz, .npy or .csv");
    if (!part.empty()) throw holdsCurveAlone(path, "no " + part);
}

void saveCalibration(const std::filesystem::path& path, const Calibration& calibration) {
    const std::string kind = path.extension().string();
    if (holdsNothing(calibration))
        throw unwritable(path, "there is nothing in it; estimate a curve or a dispersion first");
    checkCalibrationName(path);
    if (kind == ".toml") return writeWhole(path, toToml(calibration));
    if (kind == ".npz") return writeNpz(path, membersOf(calibration));
    if (calibration.resampling.empty()) throw holdsCurveAlone(path, "there is none");
    writeWhole(path, kind == ".csv" ? asCsv(calibration.resampling)
                                    : asNpy(std::span(calibration.resampling)));
}

} // namespace echolux
