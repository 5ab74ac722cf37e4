// SPDX-License-Identifier: GPL-3.0-or-later
// Surfaces and slabs of the bundled retina against the layers that its simulator drew.
#include "app/dataset/recording/ensemble.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/pipeline_config.hpp"
#include "app/pipeline/runner.hpp"
#include "app/source/oct_sample.hpp"
#include "gpu/core/decibels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {
namespace {

constexpr std::string_view kRetinaSlab = R"(version = 3
name = "Retina"

[[stage]]
type = "spectrum_to_float"

[[stage]]
type = "background_subtract"

[[stage]]
type = "dc_removal_moving"

[[stage]]
type = "k_linearize"

[[stage]]
type = "window"

[[stage]]
type = "dispersion"

[[stage]]
type = "inverse_fft"

[[stage]]
type = "magnitude_log"

[[stage]]
type = "surfaces"

[[stage]]
type = "depth_slab"
input = "magnitude_log"
set = { first_offset = 40e-6, second_offset = -30e-6 }

[[link]]
from = "upper@surfaces"
to = "upper@depth_slab"

[[link]]
from = "lower@surfaces"
to = "lower@depth_slab"

[[view]]
id = "image"
label = "Structure"
input = "magnitude_log"

[[view]]
id = "surfaces"
label = "Surfaces"
input = "surfaces"
over = "image"

[[view]]
id = "slab"
label = "Slab"
input = "depth_slab"

[[view]]
id = "borders"
label = "Borders of the slab"
input = "lines@depth_slab"
over = "image"
)";

enum View { kImage, kSurfaces, kSlab, kBorders };

/// The views of one B-scan.
class RetinaViews {
public:
    RetinaViews()
        : m_recording(openRecording(ECHOLUX_SOURCE_DIR "/testdata/retina_volume.echolux.h5")),
          m_snapshot(
              instantiate(parsePipeline(kRetinaSlab, "retina.toml"), m_recording->info().frame)) {}

    void read(std::int64_t bscan) {
        std::vector<std::byte> raw(m_snapshot->input.bytes());
        readFrames(*m_recording, bscan, raw);
        ViewTargets targets{};
        for (std::size_t view = 0; view < m_pixels.size(); ++view) {
            m_pixels[view].resize(static_cast<std::size_t>(spec(view).count()));
            targets[view] = ViewTarget{m_pixels[view].data()};
        }
        Runner runner(Backend::Cpu, 1);
        runner.apply(m_snapshot);
        runner.enqueue({.raw = raw.data(), .targets = targets, .frame = bscan});
        runner.drain();
    }

    const FrameSpec& spec(std::size_t view) const {
        return m_snapshot->outputOf(m_snapshot->views[view].source);
    }
    const Axis& lateral() const { return spec(kImage).axes[0]; }
    const Axis& depth() const { return spec(kImage).axes[1]; }
    float at(View view, std::int64_t line, std::int64_t z) const {
        return m_pixels[view][static_cast<std::size_t>(line * depth().size + z)];
    }
    /// The middle of a line's pixels that have this value; negative where none has.
    double middleOf(View view, std::int64_t line, float value) const {
        double sum = 0.0;
        double count = 0.0;
        for (std::int64_t z = 0; z < depth().size; ++z) {
            if (at(view, line, z) != value) continue;
            sum += static_cast<double>(z);
            count += 1.0;
        }
        return count > 0.0 ? sum / count : -1.0;
    }

private:
    std::unique_ptr<Recording> m_recording;
    SnapshotPtr m_snapshot;
    std::array<std::vector<float>, 4> m_pixels;
};

/// As testdata/README.md says. The random waves of the surfaces, 2 um, are left out.
class RetinaLayers {
public:
    RetinaLayers()
        : m_sample(makeOctSample({.name = "retina", .widthM = 64 * 12e-6, .startDepthM = 40e-6})) {}

    double topM(std::size_t layer, double x, double y) const {
        const double aside = x / m_sample.halfWidthM;
        const double pit = std::exp(-(x * x + y * y) / (m_sample.pitWidthM * m_sample.pitWidthM));
        const OctLayer& here = m_sample.layers[layer];
        return m_sample.startM + m_sample.bowM * aside * aside + here.topM + here.pitM * pit;
    }

private:
    OctSample m_sample;
};

constexpr std::size_t kNerveFibres = 0;
constexpr std::size_t kChoroid = 10;

TEST(OctSurfaces, OfTheBundledRetinaAreTheInnerMembraneAndTheEndOfThePigmentEpithelium) {
    RetinaViews views;
    const RetinaLayers layers;
    for (const std::int64_t bscan : {0, 11, 23, 24, 36, 47}) {
        views.read(bscan);
        const double y = (static_cast<double>(bscan) - 23.5) * 16e-6;
        const auto meanError = [&](std::size_t layer, float value) {
            double sum = 0.0;
            for (std::int64_t line = 0; line < views.lateral().size; ++line) {
                const double x =
                    views.lateral().origin + static_cast<double>(line) * views.lateral().spacing;
                const double truth = layers.topM(layer, x, y) / views.depth().spacing;
                sum += std::abs(views.middleOf(kSurfaces, line, value) - truth);
            }
            return sum / static_cast<double>(views.lateral().size);
        };
        const double upper = meanError(kNerveFibres, 1.0F);
        const double lower = meanError(kChoroid, -1.0F);
        RecordProperty("upper_" + std::to_string(bscan), std::to_string(upper));
        RecordProperty("lower_" + std::to_string(bscan), std::to_string(lower));
        EXPECT_LT(upper, 2.0) << bscan;
        EXPECT_LT(lower, 2.5) << bscan;
    }
}

TEST(OctSurfaces, TheSlabOfTheBundledRetinaHasTheImageBetweenItsBorders) {
    RetinaViews views;
    views.read(24);
    const double step = 1e-6 / views.depth().spacing;
    for (std::int64_t line = 0; line < views.lateral().size; ++line) {
        const double begin = views.middleOf(kSurfaces, line, 1.0F) + 40 * step;
        const double end = views.middleOf(kSurfaces, line, -1.0F) - 30 * step;
        EXPECT_NEAR(views.middleOf(kBorders, line, 1.0F), begin, 1.0);
        EXPECT_NEAR(views.middleOf(kBorders, line, -1.0F), end, 1.0);
        for (std::int64_t z = 0; z < views.depth().size; ++z) {
            const float value = views.at(kSlab, line, z);
            const auto depth = static_cast<double>(z);
            const bool inside = depth > begin + 2.0 && depth < end - 2.0;
            const bool beside = depth < begin - 2.0 || depth > end + 2.0;
            const float expected = inside ? views.at(kImage, line, z) : kNothingDb;
            ASSERT_TRUE(value == expected || !(inside || beside)) << line << " " << z;
        }
    }
}

} // namespace
} // namespace echolux
