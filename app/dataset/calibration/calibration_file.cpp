// SPDX-License-Identifier: GPL-3.0-or-later
// Reads calibrations from TOML, .npz, .npy and text, and checks each by itself.
#include "app/dataset/calibration/calibration.hpp"

#include "app/dataset/calibration/calibration_format.hpp"
#include "app/dataset/container/container.hpp"
#include "app/dataset/container/detect.hpp"
#include "app/dataset/container/text_array.hpp"
#include "app/dataset/frames/spectra_check.hpp"
#include "app/dataset/recording/opening.hpp"
#include "app/toml/toml_text.hpp"
#include "gpu/oct/oct_limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

namespace echolux {

namespace {

using namespace calibration_format;

constexpr std::uint64_t kMostCalibrationBytes = std::uint64_t{64} << 20U;
constexpr std::size_t kLeastValues = 4;
constexpr double kLeastSpan = 0.5; ///< part of the line over which a resampling curve must run

Error unusable(const std::filesystem::path& path, const std::string& what) {
    return fileError(path, what + "; correct this calibration or choose another");
}

double realOf(const std::filesystem::path& path, const std::string& key, const toml::node& value) {
    if (!value.is_number()) throw unusable(path, fmt::format("'{}' must hold numbers", key));
    return *value.value<double>();
}

std::vector<double> realsOf(const std::filesystem::path& path, const std::string& key,
                            const toml::node& value) {
    if (!value.is_array()) throw unusable(path, fmt::format("'{}' must be a list", key));
    std::vector<double> reals;
    for (const toml::node& entry : *value.as_array()) reals.push_back(realOf(path, key, entry));
    return reals;
}

void checkVersion(const std::filesystem::path& path, const toml::table& root) {
    const std::int64_t version = root[kVersionKey].value_exact<std::int64_t>().value_or(0);
    if (version < 1)
        throw unusable(path, fmt::format("its version '{}' is no number from 1", kVersionKey));
    if (version > kVersion)
        throw fileError(path, fmt::format("it is a calibration of version {} and this program "
                                          "reads up to {}; use a newer Echolux",
                                          version, kVersion));
}

/// c1, c2, c3 as the file lists them.
std::array<double, 3> termsOf(const std::filesystem::path& path, const std::string& key,
                              const std::vector<double>& terms) {
    if (terms.size() != 3) throw unusable(path, fmt::format("'{}' must be c1, c2 and c3", key));
    return {terms[0], terms[1], terms[2]};
}

Calibration fromToml(const std::filesystem::path& path, const std::string& text) {
    const toml::table root = tomlOf(text, path.string(), "calibration");
    checkVersion(path, root);
    Calibration calibration;
    for (const auto& [name, value] : root) {
        const std::string key(name.str());
        if (key == kVersionKey) continue;
        if (key == kTitle && value.is_string())
            calibration.title = **value.as_string();
        else if (key == kResampling)
            calibration.resampling = realsOf(path, key, value);
        else if (key == kDispersion)
            calibration.dispersionRad = realsOf(path, key, value);
        else if (key == kDispersionTerms)
            calibration.dispersionTerms = termsOf(path, key, realsOf(path, key, value));
        else if (key == kBackground) {
            const std::vector<double> values = realsOf(path, key, value);
            calibration.background.assign(values.begin(), values.end());
        } else if (key == kCentreWavelength)
            calibration.centreWavelengthM = realOf(path, key, value);
        else if (key == kBandwidth)
            calibration.bandwidthM = realOf(path, key, value);
        else
            throw unusable(path, fmt::format("'{}' is no known key", key));
    }
    return calibration;
}

Calibration fromArrays(const std::filesystem::path& path, ArrayContainer& arrays) {
    const auto find = [&](std::initializer_list<const char*> names) {
        for (const char* name : names)
            if (arrays.has(name)) return readNumbers(path, *arrays.open(name), name);
        return std::vector<double>();
    };
    Calibration calibration;
    calibration.resampling = find({kResampling, "klinear"});
    calibration.dispersionRad = find({kDispersion, "dispersion"});
    if (arrays.has(kDispersionTerms))
        calibration.dispersionTerms = termsOf(path, kDispersionTerms, find({kDispersionTerms}));
    const std::vector<double> background = find({kBackground});
    calibration.background.assign(background.begin(), background.end());
    const auto one = [&](const char* name) {
        const std::vector<double> values = find({name});
        return values.size() == 1 ? values.front() : 0.0;
    };
    calibration.centreWavelengthM = one(kCentreWavelength);
    calibration.bandwidthM = one(kBandwidth);
    if (holdsNothing(calibration))
        throw unusable(path, fmt::format("its arrays {} are none of resampling, klinear, "
                                         "dispersion_rad, dispersion, dispersion_terms and "
                                         "background",
                                         arrays.list()));
    return calibration;
}

void checkVector(const std::filesystem::path& path, const char* what,
                 const std::vector<double>& values) {
    if (values.empty()) return;
    if (values.size() < kLeastValues)
        throw unusable(path, fmt::format("its {} has only {} values", what, values.size()));
    const auto bad = std::ranges::find_if(values, [](double v) { return !std::isfinite(v); });
    if (bad != values.end())
        throw unusable(path, fmt::format("value {} of its {} is no finite number",
                                         bad - values.begin(), what));
}

/// Throws where a curve covers less than kLeastSpan of the line: then it is probably no resampling
/// curve but a phase in radians.
void checkSpan(const std::filesystem::path& path, const std::vector<double>& curve) {
    const auto samples = static_cast<double>(curve.size());
    if (std::abs(curve.back() - curve.front()) >= kLeastSpan * samples) return;
    throw unusable(path, fmt::format("its resampling curve runs from {:g} to {:g} only, of {:g} "
                                     "samples; a dispersion phase goes under '{}' in a .toml or "
                                     ".npz file",
                                     curve.front(), curve.back(), samples, kDispersion));
}

void checkTerms(const std::filesystem::path& path, const std::array<double, 3>& terms) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
        if (std::abs(terms[i]) <= oct::kLargestDispersion[i]) continue;
        throw unusable(path, fmt::format("its dispersion term c{} of {:g} rad is no number up to "
                                         "{:g}",
                                         i + 1, terms[i], oct::kLargestDispersion[i]));
    }
}

void check(const std::filesystem::path& path, const Calibration& calibration) {
    checkVector(path, "resampling curve", calibration.resampling);
    checkVector(path, "dispersion phase", calibration.dispersionRad);
    checkVector(path, "background", {calibration.background.begin(), calibration.background.end()});
    const auto samples = static_cast<std::int64_t>(calibration.resampling.size());
    if (samples > 0)
        if (const auto wrong = contradictionInCurve(calibration.resampling, samples))
            throw unusable(path, fmt::format("of its resampling curve {}", *wrong));
    if (samples > 0) checkSpan(path, calibration.resampling);
    if (!calibration.dispersionRad.empty() && calibration.dispersionTerms)
        throw unusable(path, "it holds a dispersion phase and dispersion terms: one must go");
    if (calibration.dispersionTerms) checkTerms(path, *calibration.dispersionTerms);
    if (!calibration.background.empty() && isConstant(calibration.background))
        throw unusable(path, fmt::format("its background is {:g} at every sample",
                                         calibration.background.front()));
    for (const double length : {calibration.centreWavelengthM, calibration.bandwidthM})
        if (!std::isfinite(length) || length < 0.0 || length > 1e-3)
            throw unusable(path, fmt::format("{:g} m is no wavelength", length));
}

std::string textOf(const InputFile& file) {
    std::string text(std::min(file.size(), kMostCalibrationBytes), '\0');
    file.read(0, std::as_writable_bytes(std::span(text)));
    return text;
}

Calibration read(const std::shared_ptr<const InputFile>& file) {
    const std::filesystem::path& path = file->path();
    switch (detectKind(*file)) {
    case FileKind::Zip:
    case FileKind::Hdf5:
    case FileKind::Mat73: return fromArrays(path, *openContainer(file));
    case FileKind::Npy: {
        const auto array = openContainer(file)->open("");
        if (array->layout().shape.size() != 1 || array->layout().type.components != 1)
            throw unusable(path, fmt::format("its array {} is no curve: it needs one axis of real "
                                             "numbers",
                                             array->layout().describe()));
        return {.resampling = readNumbers(path, *array, "the curve")};
    }
    case FileKind::Mat5:
    case FileKind::Raw: break;
    }
    if (!looksLikeText(*file))
        throw unusable(path, "it is no calibration: neither TOML, text, .npy nor .npz");
    if (const std::string text = textOf(*file); text.find(kVersionKey) != std::string::npos)
        return fromToml(path, text);
    return {.resampling = readTextTable(*file).series(path)};
}

} // namespace

Calibration parseCalibration(const std::string& toml, const std::string& origin) {
    Calibration calibration = fromToml(origin, toml);
    check(origin, calibration);
    return calibration;
}

Calibration loadCalibration(const std::filesystem::path& path) {
    const Opening opening(path);
    const auto file = std::make_shared<const InputFile>(path);
    Calibration calibration = read(file);
    if (holdsNothing(calibration))
        throw unusable(path, "it is a calibration without a curve, a phase, a background or a "
                             "wavelength");
    check(path, calibration);
    return calibration;
}

} // namespace echolux
