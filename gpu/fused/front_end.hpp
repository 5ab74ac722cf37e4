// SPDX-License-Identifier: GPL-3.0-or-later
// The ultrasound stages from codes to the input of `beamform`, as one kernel.
#pragma once

#include "gpu/fused/front_end_kernel.hpp"
#include "gpu/fused/fusion.hpp"

#include <span>
#include <vector>

namespace echolux::fused {

/// `to_float`, then any of `dc_removal`, `bandpass` of both directions, and `analytic` or
/// `iq_demod`.
extern const Fusion kFrontEnd;

/// The stages of a chain that begins with these; null where a stage is missing.
struct FrontEndParts {
    const ChainStage* toFloat = nullptr;
    const ChainStage* mean = nullptr;
    const ChainStage* bandpass = nullptr;
    const ChainStage* analytic = nullptr;
    const ChainStage* demodulation = nullptr;
    std::size_t count = 0;

    explicit FrontEndParts(std::span<const ChainStage> stages);

    const FrameSpec& raw() const { return *toFloat->input; }
    const FrameSpec& output() const;
    FrontShape shape() const;
};

/// The tables of a chain on the host.
struct FrontEndTables {
    std::vector<Complex> passTwiddle;
    std::vector<Complex> returnTwiddle;
    std::vector<float> spectrum;
    std::vector<Complex> mixTaps;
    std::vector<Complex> mix;
    std::vector<Complex> start;
    FrontHilbert hilbert;

    /// setStructural() computes the tables that depend on structural parameters, setLive() those
    /// that depend on live ones.
    void setStructural(const FrontEndParts& parts);
    void setLive(const FrontEndParts& parts);
};

} // namespace echolux::fused
