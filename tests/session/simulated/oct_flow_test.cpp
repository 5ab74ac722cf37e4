// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped pipelines of OCT flow and attenuation against the true flow and attenuation of a
// simulated gel with vessels.
#include "app/pipeline/pipeline_config.hpp"
#include "app/pipeline/runner.hpp"
#include "app/source/oct_simulator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace echolux {
namespace {

constexpr double kRateHz = 400.0;

OctSetup deviceOfFlow() {
    OctSetup setup = octPreset("spectrometer");
    setup.samples = 512;
    setup.bandwidthM = 120e-9;
    setup.sourceWidthM = 60e-9;
    setup.lines = 150;
    setup.linePitchM = 4e-6;
    setup.beamWidthM = 8e-6;
    setup.fullWellElectrons = 2e6;
    setup.frameRateHz = kRateHz;
    return setup;
}

OctSample gelWithFlow(const OctSetup& setup, double breathingM = 0.0) {
    OctSampleRequest request{.name = "vessels",
                             .widthM = static_cast<double>(setup.lines) * setup.linePitchM,
                             .rangeM = setup.rangeM(),
                             .startDepthM = 60e-6,
                             .vesselMoves = true,
                             .breathingM = breathingM,
                             .periodS = 32.0 / kRateHz};
    chooseFlow(setup, request);
    return makeOctSample(request);
}

/// The view behind the structure, of windows that follow each other.
class FlowImages {
public:
    FlowImages(const char* pipeline, const char* stage, double breathingM = 0.0)
        : m_stage(stage), m_setup(deviceOfFlow()),
          m_simulator(m_setup, gelWithFlow(m_setup, breathingM)) {
        FrameSpec raw = m_simulator.frame();
        raw.frameIntervalS = 1.0 / kRateHz;
        m_snapshot = instantiate(shippedPipeline(pipeline), raw);
    }

    void set(const char* key, const ParamValue& value) {
        m_snapshot = withValue(*m_snapshot, m_stage, key, value);
    }

    const OctSample& sample() const { return m_simulator.sample(); }
    const FrameSpec& spec() const { return m_snapshot->outputOf(m_snapshot->views[1].source); }

    std::vector<float> image(std::int64_t window) {
        const auto frames = m_snapshot->ensemble();
        const std::size_t each = m_simulator.frame().bytes();
        std::vector<std::byte> raw(static_cast<std::size_t>(frames) * each);
        for (std::int64_t f = 0; f < frames; ++f)
            m_simulator.render(window * frames + f,
                               std::span(raw).subspan(static_cast<std::size_t>(f) * each, each));
        std::vector<float> pixels(static_cast<std::size_t>(spec().count()));
        std::vector<float> structure(pixels.size());
        ViewTargets targets{};
        targets[0] = ViewTarget{structure.data()};
        targets[1] = ViewTarget{pixels.data()};
        Runner runner(Backend::Cpu, 1);
        runner.apply(m_snapshot);
        runner.enqueue({.raw = raw.data(), .targets = targets});
        runner.drain();
        return pixels;
    }

    /// Calls visit(point, value) for all pixels.
    template <class Visit> void each(const std::vector<float>& image, const Visit& visit) const {
        const Axis& lateral = spec().axes[0];
        const Axis& depth = spec().axes[1];
        for (std::int64_t k = 0; k < lateral.size; ++k) {
            for (std::int64_t i = 0; i < depth.size; ++i) {
                const Point at{lateral.origin + static_cast<double>(k) * lateral.spacing, 0.0,
                               depth.origin + static_cast<double>(i) * depth.spacing};
                visit(at, double{image[static_cast<std::size_t>(k * depth.size + i)]});
            }
        }
    }

private:
    std::string m_stage;
    OctSetup m_setup;
    OctSimulator m_simulator;
    SnapshotPtr m_snapshot;
};

/// Distance from the axis of the nearest vessel, in radii.
double radiiFrom(const OctSample& sample, const Point& at) {
    double least = 1e9;
    for (const OctFlow& flow : sample.flows)
        least = std::min(least, std::hypot(at.x - flow.x, at.z - flow.z) / flow.radius);
    return least;
}

struct Contrast {
    double blood = 0.0;
    double gel = 0.0; ///< beside the vessels, at their depths
    double empty = 0.0;
};

Contrast contrastOf(FlowImages& images, std::int64_t windows) {
    Contrast sum;
    Contrast count;
    const OctSample& sample = images.sample();
    const double depth = sample.flows.front().z;
    const double radius = sample.flows.front().radius;
    for (std::int64_t window = 0; window < windows; ++window) {
        images.each(images.image(window), [&](const Point& at, double value) {
            const double radii = radiiFrom(sample, at);
            const auto add = [&](double Contrast::*where) {
                sum.*where += value;
                count.*where += 1.0;
            };
            if (radii < 0.8) add(&Contrast::blood);
            if (radii > 1.3 && std::abs(at.z - depth) < radius) add(&Contrast::gel);
            if (at.z > depth + 4.0 * radius) add(&Contrast::empty);
        });
    }
    return {sum.blood / count.blood, sum.gel / count.gel, sum.empty / count.empty};
}

TEST(OctFlow, VesselsAreBrightInTheAngiogram) {
    for (const char* method : {"speckle_variance", "decorrelation", "complex_difference"}) {
        SCOPED_TRACE(method);
        FlowImages images("oct_angiography", "angiography");
        images.set("method", std::string(method));
        const Contrast found = contrastOf(images, 2);
        EXPECT_GT(found.blood, 20.0 * found.gel) << found.gel;
        EXPECT_LT(found.empty, 0.1 * found.blood);
    }
}

TEST(OctFlow, BulkMotionIsNoFlow) {
    const auto ofGel = [](bool removed) {
        FlowImages images("oct_angiography", "angiography", 0.3e-6);
        images.set("method", std::string("complex_difference"));
        images.set("remove_bulk_motion", removed);
        const Contrast found = contrastOf(images, 1);
        return found.gel / found.blood;
    };
    EXPECT_LT(ofGel(true), 0.05);
    EXPECT_GT(ofGel(false), 0.5);
}

/// Standard deviation over mean of the pixels in the vessels.
double graininess(FlowImages& images) {
    double n = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    images.each(images.image(0), [&](const Point& at, double value) {
        if (radiiFrom(images.sample(), at) > 0.6) return;
        n += 1.0;
        sum += value;
        squares += value * value;
    });
    return std::sqrt(squares / n - sum * sum / (n * n)) / (sum / n);
}

TEST(OctFlow, BandsOfTheSpectrumCalmTheAngiogram) {
    FlowImages whole("oct_angiography", "angiography");
    FlowImages split("oct_angiography_split", "angiography");
    EXPECT_LT(graininess(split), 0.75 * graininess(whole));
    const Contrast found = contrastOf(split, 1);
    EXPECT_GT(found.blood, 20.0 * found.gel);
}

/// The line through (truth, found) that fits best.
struct Fit {
    double slope = 0.0;
    double offset = 0.0;
    double scatter = 0.0;
};

Fit velocities(FlowImages& images, std::int64_t windows) {
    double n = 0.0;
    double t = 0.0;
    double v = 0.0;
    double tt = 0.0;
    double tv = 0.0;
    double vv = 0.0;
    const OctSample& sample = images.sample();
    for (std::int64_t window = 0; window < windows; ++window) {
        images.each(images.image(window), [&](const Point& at, double found) {
            if (radiiFrom(sample, at) > 0.75) return;
            double truth = 0.0;
            for (const OctFlow& flow : sample.flows) truth += 1e3 * flow.speedAt(at);
            n += 1.0;
            t += truth;
            v += found;
            tt += truth * truth;
            tv += truth * found;
            vv += found * found;
        });
    }
    Fit fit;
    fit.slope = (n * tv - t * v) / (n * tt - t * t);
    fit.offset = (v - fit.slope * t) / n;
    fit.scatter =
        std::sqrt(std::max(0.0, (vv - 2.0 * fit.slope * tv + fit.slope * fit.slope * tt) / n -
                                    fit.offset * fit.offset));
    return fit;
}

TEST(OctFlow, DopplerGivesTheTrueVelocity) {
    FlowImages images("oct_doppler", "phase_doppler");
    images.set("remove_bulk_motion", false);
    EXPECT_EQ(images.spec().valueRange->unit, "mm/s");
    const double most = images.spec().valueRange->max;
    const Fit fit = velocities(images, 6);
    EXPECT_NEAR(fit.slope, 1.0, 0.02);
    EXPECT_NEAR(fit.offset / most, 0.0, 0.01);
}

TEST(OctFlow, DopplerLeavesBulkMotionOut) {
    FlowImages images("oct_doppler", "phase_doppler", 0.3e-6);
    const double most = images.spec().valueRange->max;
    const Fit fit = velocities(images, 4);
    EXPECT_NEAR(fit.slope, 1.0, 0.03);
    EXPECT_NEAR(fit.offset / most, 0.0, 0.03);
    EXPECT_LT(fit.scatter / most, 0.2);
}

/// The mean over the gel, in 1/mm; it ends above clear gel.
double attenuationOfGel(FlowImages& images) {
    const double top = images.sample().startM;
    const double bottom = top + images.sample().layers[1].topM;
    images.set("lateral_pixels", std::int64_t{15});
    double sum = 0.0;
    double count = 0.0;
    images.each(images.image(0), [&](const Point& at, double value) {
        if (at.z < top + 20e-6 || at.z > bottom - 20e-6) return;
        sum += value;
        count += 1.0;
    });
    return sum / count;
}

TEST(OctAttenuation, IsThatOfTheGel) {
    FlowImages images("oct_attenuation", "attenuation");
    const OctLayer& gel = images.sample().layers.front();
    const double bottom = images.sample().startM + images.sample().layers[1].topM;
    const Axis depth = images.spec().axes[1];
    EXPECT_EQ(images.spec().valueRange->unit, "1/mm");
    // As the pipeline comes: the end is found.
    EXPECT_NEAR(attenuationOfGel(images), 1e-3 * gel.attenuationPerM, 0.15);
    images.set("used_depths", (bottom - 5e-6) / (depth.spacing * static_cast<double>(depth.size)));
    images.set("end_attenuation", gel.attenuationPerM);
    EXPECT_NEAR(attenuationOfGel(images), 1e-3 * gel.attenuationPerM, 0.1);
}

} // namespace
} // namespace echolux
