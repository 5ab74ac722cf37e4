// SPDX-License-Identifier: GPL-3.0-or-later
// The search for the speed of sound on both backends, of analytic and IQ signals.
#include "gpu/memory/transfer.hpp"
#include "gpu/sound_speed/speed_search.hpp"
#include "tests/gpu/beamform_run.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/test_frames.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace echolux::test {
namespace {

/// Noise of 64 elements: a plane wave and a diverging one.
HostFrame twoWaves(double demodulatedHz) {
    auto acquisition = std::make_shared<Acquisition>();
    for (int e = 0; e < 64; ++e)
        acquisition->probe.elements.push_back({(e - 31.5) * 0.3e-3, 0.0, 0.0});
    acquisition->probe.pitchM = 0.3e-3;
    acquisition->transmits = {planeWave(0.1), sourceAt(Wave::Diverging, 1e-3, -20e-3)};
    FrameSpec spec;
    spec.dtype = DType::ComplexF32;
    spec.axes = {{AxisName::Transmit, 2, 1.0, 0.0, ""},
                 {AxisName::Channel, 64, 1.0, 0.0, ""},
                 {AxisName::Sample, 900, 1.0 / 20e6, 0.0, "s"}};
    spec.centreFrequencyHz = 4e6;
    spec.demodulationFrequencyHz = demodulatedHz;
    spec.acquisition = acquisition;
    return noiseOf(spec, 5);
}

std::vector<double> curveOn(Backend backend, const HostFrame& frame) {
    const Stream stream(backend, "test");
    const Exec exec{backend, stream.get()};
    const Buffer samples(computeMemory(backend), frame.bytes.size());
    upload(exec, samples.data(), frame.bytes.data(), frame.bytes.size());
    sound_speed::SpeedSearch search(exec, frame.spec, {});
    return search.estimate(exec, samples.as<Complex>()).unevenness;
}

TEST(SoundSpeedGpu, BackendsAgree) {
    ECHOLUX_NEED_GPU();
    for (const double demodulatedHz : {0.0, 4e6}) {
        const HostFrame frame = twoWaves(demodulatedHz);
        const std::vector<double> wanted = curveOn(Backend::Cpu, frame);
        const std::vector<double> found = curveOn(Backend::Cuda, frame);
        ASSERT_EQ(found.size(), wanted.size());
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-5) << i;
    }
}

} // namespace
} // namespace echolux::test
