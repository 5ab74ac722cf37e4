// SPDX-License-Identifier: GPL-3.0-or-later
// Strains of the shipped pipeline against the true ones of simulated tissue with an inclusion.
#include "app/pipeline/pipeline_config.hpp"
#include "app/source/plane_wave_simulator.hpp"
#include "tests/session/host_views.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

namespace echolux {
namespace {

PlaneWaveSetup tissueSetup() {
    PlaneWaveSetup setup;
    setup.elements = 64;
    setup.depthM = 30e-3;
    setup.frameRateHz = 20.0;
    setup.converter.snrDb = 30.0;
    return setup;
}

Phantom tissuePhantom(const PlaneWaveSetup& setup) {
    PhantomRequest request;
    request.name = "inclusion";
    request.halfWidthM = 0.5 * setup.apertureM();
    request.depthM = setup.depthM;
    request.wavelengthM = setup.wavelengthM();
    return makePhantom(request);
}

/// The views of the frames `first` and the next, of which the second one is compared with the
/// first.
test::HostViews strainViews(const Snapshot& snapshot, PlaneWaveSimulator& from,
                            std::int64_t first) {
    return test::viewsBehind(std::make_shared<const Snapshot>(snapshot), from, first, 2);
}

/// Sums over pixels of strains in percent.
struct StrainSum {
    double sum = 0.0;
    double square = 0.0;
    double count = 0.0;
    double gaps = 0.0;

    void add(double percent) {
        if (percent == 0.0) gaps += 1.0;
        sum += percent;
        square += percent * percent;
        count += 1.0;
    }
    double mean() const { return sum / count; }
    double scatter() const { return std::sqrt(square / count - mean() * mean()); }
};

struct TissueStrains {
    StrainSum outside;
    StrainSum inside;
};

/// Inside: within 0.7 radii of the inclusion's centre. Outside: 1.3 radii and more from it, and
/// away from the borders of the image. The window over depth is 3.5 mm in all, the inclusion 14 mm.
TissueStrains strainsOf(const std::vector<float>& strain, const FrameSpec& spec,
                        const Circle& inclusion) {
    TissueStrains sums;
    const Axis& depth = spec.axes[0];
    const Axis& lateral = spec.axes[1];
    for (std::int64_t i = 0; i < depth.size; ++i) {
        for (std::int64_t k = 0; k < lateral.size; ++k) {
            const double z = depth.origin + static_cast<double>(i) * depth.spacing;
            const double x = lateral.origin + static_cast<double>(k) * lateral.spacing;
            const double away = std::hypot(x - inclusion.x, z - inclusion.z) / inclusion.radius;
            const float percent = strain[static_cast<std::size_t>(i * lateral.size + k)];
            if (away < 0.7) sums.inside.add(percent);
            if (away > 1.3 && z > 5e-3 && z < 26e-3 && std::abs(x) < 8e-3)
                sums.outside.add(percent);
        }
    }
    return sums;
}

/// Of frame `second` after frame `first`, where the compression is `relative` of that outside.
double trueStrain(const CompressedTissue& tissue, double first, double second, double relative) {
    const auto at = [&](double part) {
        return relative * tissue.strainAt(2.0 * std::numbers::pi * part);
    };
    return 100.0 * ((1.0 - at(second)) / (1.0 - at(first)) - 1.0);
}

void expectTrueStrains(std::int64_t first) {
    const PlaneWaveSetup setup = tissueSetup();
    PlaneWaveSimulator simulator(setup, tissuePhantom(setup));
    const CompressedTissue& tissue = simulator.phantom().tissues.front();
    const SnapshotPtr snapshot = instantiate(shippedPipeline("strain"), simulator.frame());
    ASSERT_EQ(snapshot->views.size(), 3U);
    const auto views = strainViews(*snapshot, simulator, first);
    const FrameSpec& spec = snapshot->outputOf(snapshot->views[1].source);
    const TissueStrains found = strainsOf(views[1], spec, tissue.inclusion);
    const double before = static_cast<double>(first) / setup.frameRateHz; // of a period of 1 s
    const double after = static_cast<double>(first + 1) / setup.frameRateHz;
    const double outside = trueStrain(tissue, before, after, 1.0);
    const double inside = trueStrain(tissue, before, after, tissue.relativeStrain);
    EXPECT_NEAR(found.outside.mean(), outside, 0.02 * std::abs(outside));
    EXPECT_NEAR(found.inside.mean(), inside, 0.05 * std::abs(inside));
    EXPECT_LT(found.outside.scatter(), 0.25 * std::abs(outside));
    EXPECT_LT(found.outside.gaps, 0.01 * found.outside.count);
}

TEST(TissueStrain, IsThatOfTheSimulatedTissueWhileItIsCompressed) { expectTrueStrains(4); }

TEST(TissueStrain, StretchingIsPositive) { expectTrueStrains(14); }

} // namespace
} // namespace echolux
