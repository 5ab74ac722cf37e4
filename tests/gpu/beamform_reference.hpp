// SPDX-License-Identifier: GPL-3.0-or-later
// The recording of make_beamform_vectors.py: five waves of every kind heard by eleven elements.
#pragma once

#include "tests/gpu/beamform_run.hpp"
#include "tests/support/vectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace echolux::test {

inline const Vectors& reference() {
    static const Vectors kVectors("gpu/vectors/beamform.txt");
    return kVectors;
}

inline Scan referenceScan() {
    Scan scan;
    scan.elements = 11;
    scan.samples = 160;
    scan.fsHz = 20e6;
    scan.fcHz = 4.5e6;
    scan.transmits = {planeWave(0.15, 0.0), planeWave(-0.2, 1.1e-6),
                      sourceAt(Wave::Diverging, 0.4e-3, -3e-3, -0.5e-6),
                      sourceAt(Wave::Focused, 0.2e-3, 4e-3, 0.4e-6),
                      sourceAt(Wave::Element, -0.9e-3, 0.0, 0.2e-6)};
    const double phaseZeros[] = {0.0, 0.3e-6, 0.1e-6, 0.0, -0.7e-6};
    for (std::size_t t = 0; t < 5; ++t) scan.transmits[t].iqPhaseZeroS = phaseZeros[t];
    return scan;
}

/// Its samples as `scan`, which may have weights besides, has them.
inline HostFrame referenceFrame(const Scan& scan, bool iq) {
    HostFrame frame(iq ? specOf(scan, DType::ComplexF32, scan.fcHz) : specOf(scan, DType::F32));
    const std::vector<float>& values = reference()[iq ? "iq" : "rf"];
    EXPECT_EQ(values.size(), frame.as<float>().size());
    std::ranges::copy(values, frame.as<float>().begin());
    return frame;
}

} // namespace echolux::test
