// SPDX-License-Identifier: GPL-3.0-or-later
// A simulated scan of tissue with vessels at two depths, four B-scans at each place, live through
// the shipped pipeline of en face angiograms.
#pragma once

#include "app/source/oct_simulator.hpp"
#include "tests/session/live_volume.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace echolux::test {

class ScannedPlexus final : public Recording {
public:
    static constexpr std::int64_t kPlaces = 10;
    static constexpr std::int64_t kRepeats = 4;

    ScannedPlexus() : m_simulator(device(), sampleFor(device())) {
        m_info.path = "plexus.h5";
        m_info.format = "fake";
        m_info.frame = m_simulator.frame();
        m_info.frame.frameIntervalS = 1.0 / device().frameRateHz;
        m_info.frameCount = kPlaces * kRepeats;
        m_info.frameRateHz = device().frameRateHz;
        for (std::int64_t i = 0; i < m_info.frameCount; ++i)
            m_simulator.render(i, m_frames.emplace_back(m_info.frame.bytes()));
    }
    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        std::ranges::copy(m_frames[static_cast<std::size_t>(index)], out.begin());
    }
    const OctSample& sample() const { return m_simulator.sample(); }

private:
    static OctSetup device() {
        OctSetup setup = octPreset("spectrometer");
        setup.samples = 512;
        setup.lines = 96;
        setup.bscansPerVolume = kPlaces * kRepeats;
        setup.bscansPerPlace = kRepeats;
        setup.bscanPitchM = 24e-6;
        setup.beamWidthM = 12e-6;
        setup.fullWellElectrons = 2e6;
        setup.frameRateHz = 400.0;
        return setup;
    }
    static OctSample sampleFor(const OctSetup& setup) {
        OctSampleRequest request{.name = "plexus",
                                 .widthM = static_cast<double>(setup.lines) * setup.linePitchM,
                                 .rangeM = setup.rangeM(),
                                 .startDepthM = 50e-6,
                                 .vesselMoves = true,
                                 .periodS = 1.0};
        chooseFlow(setup, request);
        return makeOctSample(request);
    }

    OctSimulator m_simulator;
    std::vector<std::vector<std::byte>> m_frames;
};

/// Where the beam looks at in the en face image.
enum class Below { Tissue, ShallowVessel, DeepVessel, Both };

struct PlexusVolume {
    OctSample sample;
    LiveVolume live;

    explicit PlexusVolume(Backend on) : PlexusVolume(on, std::make_unique<ScannedPlexus>()) {}
    PlexusVolume(Backend on, std::unique_ptr<ScannedPlexus> scan)
        : sample(scan->sample()),
          live(on, std::move(scan), shippedPipeline("oct_angiography_en_face")) {}

    /// Shows the slab between these depths below the surface, and waits for its en face image.
    std::vector<float> slab(double fromM, double toM, bool withoutTails) {
        SnapshotPtr next = live.engine->snapshot();
        next = withValue(*next, "depth_slab", "first_offset", fromM);
        next = withValue(*next, "depth_slab", "second_surface", "upper");
        next = withValue(*next, "depth_slab", "second_offset", toM);
        next = withBypass(*next, "tail_subtraction", !withoutTails);
        const int sweeps = live.sweeps.ended();
        live.engine->post(next);
        EXPECT_TRUE(waitUntil([&] {
            live.readBy(live.engine->mailbox());
            live.readBy(live.engine->volume());
            return live.sweeps.ended() > sweeps && !live.engine->volume().hasWork();
        }));
        const std::vector<float> expected = highestOfLines();
        std::vector<float> image;
        EXPECT_TRUE(waitUntil([&] { // published soon after the last row
            if (std::vector<float> newer = live.enFace(); !newer.empty()) image = newer;
            return image == expected;
        }));
        return image;
    }

    /// Mean of the en face pixels of that kind. Pixels at the walls belong to none.
    double mean(const std::vector<float>& image, Below kind) const {
        const FrameSpec spec = *live.engine->volume().spec();
        const Axis& elevation = spec.axes[0];
        const Axis& lateral = spec.axes[1];
        double sum = 0.0;
        double count = 0.0;
        for (std::int64_t row = 0; row < elevation.size; ++row) {
            const double y =
                (static_cast<double>(row) - 0.5 * static_cast<double>(elevation.size - 1)) *
                elevation.spacing;
            for (std::int64_t k = 0; k < lateral.size; ++k) {
                const double x = lateral.origin + static_cast<double>(k) * lateral.spacing;
                if (!isOf(kind, x, y)) continue;
                sum += double{image[static_cast<std::size_t>(row * lateral.size + k)]};
                count += 1.0;
            }
        }
        return sum / count;
    }

private:
    std::vector<float> highestOfLines() {
        const std::vector<float> voxels = live.voxels();
        const std::int64_t depths = live.engine->volume().spec()->axes[2].size;
        std::vector<float> highest;
        for (auto line = voxels.begin(); line != voxels.end(); line += depths)
            highest.push_back(*std::max_element(line, line + depths));
        return highest;
    }
    bool isOf(Below kind, double x, double y) const {
        const double shallow = nearest(0, 3, x, y);
        const double deep = nearest(3, 5, x, y);
        switch (kind) {
        case Below::Tissue: return shallow > 1.6 && deep > 1.6;
        case Below::ShallowVessel: return shallow < 0.6 && deep > 1.6;
        case Below::DeepVessel: return shallow > 1.6 && deep < 0.6;
        case Below::Both: return shallow < 0.8 && deep < 0.8;
        }
        return false;
    }
    /// Distance across from the nearest axis of these vessels, in radii.
    double nearest(std::size_t first, std::size_t end, double x, double y) const {
        double least = 1e9;
        for (std::size_t i = first; i < end; ++i)
            least = std::min(least, sample.flows[i].fromAxis({x, y, sample.flows[i].z}));
        return least;
    }
};

} // namespace echolux::test
