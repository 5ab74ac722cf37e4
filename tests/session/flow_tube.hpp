// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped pipelines of flow on a simulated tube, and sums of what they find.
#pragma once

#include "app/pipeline/pipeline_config.hpp"
#include "app/source/plane_wave_simulator.hpp"
#include "app/source/pulse_bank.hpp"
#include "tests/session/host_views.hpp"
#include "tests/session/tube_of_blood.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numbers>
#include <span>
#include <vector>

namespace echolux::test {

inline constexpr double kFrameRateHz = 4000.0;
inline constexpr double kPeakMps = 0.2;

inline FlowingTube steadyTube(double angleRad) { return tubeOfBlood(angleRad, kPeakMps, 9000, 7); }

/// Sums over pixels, of the truth t and the estimate v, in cm/s.
struct FlowSums {
    double tv = 0.0;
    double tt = 0.0;
    double vv = 0.0;
    double mean = 0.0; ///< of the estimates, times their number
    double pixels = 0.0;

    double slope() const { return tv / tt; } ///< of the estimates over the truth
    double scatter() const {
        return std::sqrt((vv - 2.0 * slope() * tv + slope() * slope() * tt) / pixels);
    }
};

inline PlaneWaveSetup tubeSetup() {
    PlaneWaveSetup setup;
    setup.elements = 64;
    setup.depthM = 25e-3;
    setup.fractionalBandwidth = 0.25;
    setup.attenuationDbPerCmMhz = 0.0;
    setup.frameRateHz = kFrameRateHz;
    setup.converter.snrDb = 40.0;
    return setup;
}

/// Pixels within 0.9 radii of the axis and 6 mm of the middle.
inline void addImage(const float* velocity, const FrameSpec& spec, const FlowingTube& tube,
                     FlowSums& sums) {
    const Axis& depth = spec.axes[0];
    const Axis& lateral = spec.axes[1];
    for (std::int64_t i = 0; i < depth.size; ++i) {
        for (std::int64_t k = 0; k < lateral.size; ++k) {
            const double z = depth.origin + static_cast<double>(i) * depth.spacing - tube.z;
            const double x = lateral.origin + static_cast<double>(k) * lateral.spacing;
            const double across = -std::sin(tube.angleRad) * x + std::cos(tube.angleRad) * z;
            if (std::abs(across) > 0.9 * tube.radius || std::abs(x) > 6e-3) continue;
            const double truth = -100.0 * tube.speedAt(across) * std::sin(tube.angleRad);
            const double found = velocity[i * lateral.size + k];
            sums.tv += truth * found;
            sums.tt += truth * truth;
            sums.vv += found * found;
            sums.mean += found;
            sums.pixels += 1.0;
        }
    }
}

/// The pipeline, so that `flow` averages 7 x 7 pixels and shows all of them.
inline SnapshotPtr flowOfAllPixels(const PipelineConfig& pipeline, const FrameSpec& raw) {
    SnapshotPtr snapshot = instantiate(pipeline, raw);
    const auto set = [&](const char* key, const ParamValue& value) {
        snapshot = withValue(*snapshot, "flow", key, value);
    };
    set("depth_pixels", std::int64_t{7});
    set("lateral_pixels", std::int64_t{7});
    set("threshold", 120.0); // every pixel counts
    set("max_spread", 1.0);
    return snapshot;
}

inline SnapshotPtr tubePipeline(const FrameSpec& raw) {
    const SnapshotPtr snapshot = flowOfAllPixels(shippedPipeline("colour_flow"), raw);
    // Nothing but blood is there, so a filter would only take its slow parts.
    return withBypass(*snapshot, "clutter_filter", true);
}

/// All views of one ensemble.
inline HostViews imagesOf(const Snapshot& snapshot, const std::byte* frames) {
    ViewsImager imager(std::make_shared<const Snapshot>(snapshot));
    imager.add(frames, 0);
    return imager.take();
}
inline std::vector<float> velocityOf(const Snapshot& snapshot, const std::byte* frames) {
    return imagesOf(snapshot, frames)[1];
}

/// Frames of an ensemble; windows are so far apart that the speckle has changed.
inline std::vector<std::int16_t> windowOf(PlaneWaveSimulator& simulator, std::int64_t window,
                                          std::int64_t frames) {
    constexpr std::int64_t kApart = 100;
    const auto each = static_cast<std::size_t>(simulator.frame().count());
    std::vector<std::int16_t> codes(static_cast<std::size_t>(frames) * each);
    for (std::int64_t f = 0; f < frames; ++f)
        simulator.render(window * kApart + f,
                         std::span(codes).subspan(static_cast<std::size_t>(f) * each, each));
    return codes;
}

/// Velocities within the phantom's first tube, from so many windows.
inline FlowSums imagedTube(const Phantom& phantom, const PlaneWaveSetup& setup,
                           const std::function<SnapshotPtr(const FrameSpec&)>& pipelineOf,
                           std::int64_t windows) {
    PlaneWaveSimulator simulator(setup, phantom);
    FrameSpec raw = simulator.frame();
    raw.frameIntervalS = 1.0 / kFrameRateHz;
    const SnapshotPtr snapshot = pipelineOf(raw);
    FlowSums sums;
    for (std::int64_t window = 0; window < windows; ++window) {
        const auto codes = windowOf(simulator, window, snapshot->ensemble());
        const std::vector<float> velocity =
            velocityOf(*snapshot, reinterpret_cast<const std::byte*>(codes.data()));
        addImage(velocity.data(), snapshot->outputOf(snapshot->views[1].source),
                 phantom.tubes.front(), sums);
    }
    return sums;
}

/// Echoes that arrive at the angle a count (1 + cos a) / 2 of the velocity along the beam. A box of
/// resolution is as wide as a wavelength, so low frequencies gather the echoes of more scatterers:
/// the mean of a power spectrum of width s falls by s^2 / f.
inline double expectedSlope() {
    const PlaneWaveSetup setup = tubeSetup();
    const double halfWidth = 1.0 / (2.0 * 1.4); // of the aperture over the depth: f-number 1.4
    const double meanCosine = std::asinh(halfWidth) / halfWidth;
    const GaussianPulse pulse{setup.centreFrequencyHz, setup.fractionalBandwidth};
    const double width = pulse.sigmaHz() / std::numbers::sqrt2;
    const double relative = width / setup.centreFrequencyHz;
    return 0.5 * (1.0 + meanCosine) * (1.0 - relative * relative);
}

} // namespace echolux::test
