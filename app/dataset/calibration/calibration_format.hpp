// SPDX-License-Identifier: GPL-3.0-or-later
// Names inside calibration files, shared by their reader and their writer.
#pragma once

#include "app/dataset/calibration/calibration.hpp"

namespace echolux::calibration_format {

constexpr std::int64_t kVersion = 1;

constexpr const char* kVersionKey = "echolux_calibration";
constexpr const char* kTitle = "title";
constexpr const char* kResampling = "resampling";
constexpr const char* kDispersion = "dispersion_rad";
constexpr const char* kDispersionTerms = "dispersion_terms";
constexpr const char* kBackground = "background";
constexpr const char* kCentreWavelength = "centre_wavelength";
constexpr const char* kBandwidth = "bandwidth";

inline bool holdsNothing(const Calibration& c) {
    return c.resampling.empty() && c.dispersionRad.empty() && !c.dispersionTerms &&
           c.background.empty() && c.centreWavelengthM == 0.0 && c.bandwidthM == 0.0;
}

} // namespace echolux::calibration_format
