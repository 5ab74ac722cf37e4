// SPDX-License-Identifier: GPL-3.0-or-later
// Calibration files of spectrometers: reading, writing, and applying them to a recording's facts.
#pragma once

#include "gpu/core/spectrometer.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// See Spectrometer. Members are empty or 0 where the file does not say them.
struct Calibration {
    std::string title = {};
    std::vector<double> resampling = {};
    std::vector<double> dispersionRad = {};
    /// c1, c2, c3 of phi = c1 x^2 + c2 x^3 + c3 x^4, x = -m / (2 (n - 1)) at sample m of n; instead
    /// of dispersionRad.
    std::optional<std::array<double, 3>> dispersionTerms = {};
    std::vector<float> background = {};
    double centreWavelengthM = 0.0;
    double bandwidthM = 0.0;
};

/// The content decides the format: TOML of this program; .npz with `resampling` or `klinear`,
/// `dispersion_rad` or `dispersion`, `background`, `centre_wavelength`, `bandwidth`; .npy or text
/// (see TextTable::series) with a resampling curve only. Throws Error where the file contains no
/// calibration or an impossible one.
Calibration loadCalibration(const std::filesystem::path& path);

/// A calibration as TOML, and the way back. Throws Error as loadCalibration() does.
std::string toToml(const Calibration& calibration);
Calibration parseCalibration(const std::string& toml, const std::string& origin);

/// The extension decides the format: .toml and .npz hold everything, .npy and .csv (`index;value`)
/// only the resampling curve. Throws Error for other extensions, where the calibration has nothing
/// that the format can hold, and where the file cannot be written. A failure keeps an existing
/// file.
void saveCalibration(const std::filesystem::path& path, const Calibration& calibration);

/// Throws the errors of saveCalibration() that depend on the extension, before any work. Where
/// `part` names what must be written besides the curve, such as "dispersion", it also refuses
/// extensions that hold only a curve.
void checkCalibrationName(const std::filesystem::path& path, const std::string& part = {});

struct AppliedCalibration {
    Spectrometer facts;
    std::vector<std::string> warnings; ///< full sentences about curves that were stretched
};

/// Returns `facts` with the values of the calibration in place of their own, for lines of `samples`
/// samples. Curves and phases of another length are stretched over the line, with a warning. Throws
/// Error for a background of another length. `origin` names the calibration in errors.
AppliedCalibration applied(const Calibration& calibration, const Spectrometer& facts,
                           std::int64_t samples, const std::string& origin);

} // namespace echolux
