// SPDX-License-Identifier: GPL-3.0-or-later
// Calibration files of spectrometers: read, written, and applied to what a recording says.
#pragma once

#include "gpu/core/spectrometer.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// Empty, 0 or nothing where the file does not say it; see Spectrometer.
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

/// Told by content: TOML of this program; .npz with `resampling` or `klinear`, `dispersion_rad` or
/// `dispersion`, `background`, `centre_wavelength`, `bandwidth`; .npy or text (see
/// TextTable::series) with a resampling curve alone. Throws Error where the file holds nothing of
/// it, or what cannot be.
Calibration loadCalibration(const std::filesystem::path& path);

/// By extension: .toml and .npz hold everything, .npy and .csv (`index;value`) the resampling curve
/// alone. Throws Error for other extensions, where nothing that the format holds is known, or where
/// it cannot be written; a failure leaves what was there.
void saveCalibration(const std::filesystem::path& path, const Calibration& calibration);

/// Throws what saveCalibration would for the extension, before the work; `withDispersion`: also for
/// those that hold a curve alone.
void checkCalibrationName(const std::filesystem::path& path, bool withDispersion);

struct AppliedCalibration {
    Spectrometer facts;
    std::vector<std::string> warnings; ///< full sentences: what was stretched
};

/// `facts` of lines of `samples` with what the calibration knows in its place. Curves and phases of
/// another length are stretched over the line, with a warning; a background of another length is
/// refused. `origin` names the calibration in errors.
AppliedCalibration applied(const Calibration& calibration, const Spectrometer& facts,
                           std::int64_t samples, const std::string& origin);

} // namespace echolux
