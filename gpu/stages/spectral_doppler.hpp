// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters of the stage spectral_doppler.
#pragma once

#include "gpu/stages/doppler.hpp"

#include <cstdint>

namespace echolux {

struct SpectralDopplerParams : flow::DopplerParams {
    double depthM = 0.02;
    double lateralM = 0.0;
    double lengthM = 1e-3;
    std::int64_t window = 64;
    std::int64_t hop = 16;
    double wallFilterMps = 0.02;
    double angleRad = 0.0;
    double baseline = 0.0;
    double rangeDb = 40.0;
    double traceThresholdDb = 15.0;
    bool inverted = false;
    std::int64_t lines = 256;
};

} // namespace echolux
