// SPDX-License-Identifier: GPL-3.0-or-later
// The tuned CUDA kernels against the formula on the CPU: transmit counts across the tile sizes, odd
// grids, windows, masks, records that end, every way to divide the work, ensembles; and the other
// interpolations, which take the generic kernel.
#include "gpu/beamform/beamform_kernels.hpp"
#include "gpu/beamform/beamform_tuned.hpp"
#include "tests/gpu/beamform_run.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/near.hpp"

#include <gtest/gtest.h>

namespace echolux::test {
namespace {

Scan noisyScan(int transmits, int elements = 37, int samples = 500) {
    Scan scan;
    scan.elements = elements;
    scan.samples = samples;
    scan.fsHz = 20e6;
    scan.transmits.clear();
    for (int t = 0; t < transmits; ++t) {
        scan.transmits.push_back(
            planeWave(0.4 * t / transmits - 0.2, 1e-7 * static_cast<double>(t % 7) - 2e-7));
    }
    return scan;
}

/// 61 x 43 pixels, the deepest ones beyond the record.
BeamformParams imageOf(double halfWidth = 6e-3, double bottom = 22e-3) {
    BeamformParams params;
    params.lateralMinM = -halfWidth;
    params.lateralMaxM = halfWidth;
    params.depthMinM = 0.7e-3;
    params.depthMaxM = bottom;
    params.pixelLateralM = 2.0 * halfWidth / 60.0;
    params.pixelDepthM = (bottom - params.depthMinM) / 42.0;
    return params;
}

/// What the tuned kernels make of `frames` noisy frames, and what the formula does.
template <class Sample> class TunedRun {
public:
    TunedRun(const Scan& scan, const BeamformParams& params, int frames = 1)
        : m_spec(
              specOf(scan, kComplex ? DType::ComplexF32 : DType::F32, kComplex ? scan.fcHz : 0.0)),
          m_model(das::makeModel(m_spec, params)), m_frames(frames) {
        for (int f = 0; f < frames; ++f) {
            const HostFrame noise = noiseOf(m_spec, static_cast<unsigned>(f) + 1);
            const auto values = noise.as<Sample>();
            m_samples.insert(m_samples.end(), values.begin(), values.end());
        }
    }

    void expectAgreement(const das::TunedVariant& variant = {}, int pitch = 0) const {
        ASSERT_TRUE(das::tunedSuits(m_model));
        const auto layout = das::tunedLayout(m_model, kComplex, m_frames,
                                             pitch > 0 ? pitch : das::tunedPitch(m_model), variant);
        SCOPED_TRACE(testing::Message()
                     << m_spec.describe() << " frames " << m_frames << " tile " << layout.tile
                     << " lanes " << layout.variant.lanesAcross << " warps " << variant.warps
                     << " split " << variant.split << " exact " << variant.exact << " clamp "
                     << layout.clamp << " windows " << layout.chunk << " x " << layout.pitch);
        const std::vector<Sample> actual = onGpu(layout);
        const std::vector<Sample> expected = onHost();
        expectNear(numbersOf(actual), numbersOf(expected), 5e-4);
    }

private:
    static constexpr bool kComplex = sizeof(Sample) == sizeof(Complex);

    static std::span<const float> numbersOf(const std::vector<Sample>& values) {
        return {reinterpret_cast<const float*>(values.data()),
                values.size() * sizeof(Sample) / sizeof(float)};
    }

    std::vector<Sample> onHost() const {
        const std::int64_t pixels = m_model.constants.grid.pixels();
        std::vector<Sample> images(static_cast<std::size_t>(pixels * m_frames));
        for (int f = 0; f < m_frames; ++f) {
            das::beamformReference({}, m_model.onHost(), m_samples.data() + f * m_spec.count(),
                                   images.data() + f * pixels, 0, 1, pixels);
        }
        return images;
    }

    template <class T> static Buffer sent(const Exec& exec, const std::vector<T>& values) {
        Buffer buffer(MemoryKind::Device, values.size() * sizeof(T));
        if (!values.empty()) upload(exec, buffer.data(), values.data(), buffer.bytes());
        return buffer;
    }

    std::vector<Sample> onGpu(const das::TunedLayout& layout) const {
        const Stream stream(Backend::Cuda, "test");
        const Exec exec{Backend::Cuda, stream.get()};
        const Buffer elements = sent(exec, m_model.elements);
        const Buffer transmits = sent(exec, m_model.transmits);
        const Buffer weights = sent(exec, m_model.receiveWeights);
        const Buffer samples = sent(exec, m_samples);
        das::Constants k = m_model.constants;
        k.element = elements.as<das::Element>();
        k.transmit = transmits.as<das::TransmitConstants>();
        k.receiveWeight = weights.as<float>();
        std::vector<Sample> images(static_cast<std::size_t>(k.grid.pixels() * m_frames));
        const GuardedBuffer image(exec, images.size() * sizeof(Sample));
        const GuardedBuffer packed(exec, layout.bytes(k));
        das::tunedPack(exec, k, layout, samples.data(), packed.data());
        das::tunedSum(exec, k, layout, samples.data(), packed.data(), image.data());
        download(exec, images.data(), image.data(), image.bytes());
        stream.synchronize();
        image.check("the image", stream);
        packed.check("the packed samples", stream);
        return images;
    }

    FrameSpec m_spec;
    das::Model m_model;
    int m_frames;
    std::vector<Sample> m_samples;
};

void expectBothAgree(const Scan& scan, const BeamformParams& params, int frames = 1) {
    TunedRun<float>(scan, params, frames).expectAgreement();
    TunedRun<Complex>(scan, params, frames).expectAgreement();
}

TEST(BeamformTuned, AnyNumberOfTransmits) {
    ECHOLUX_NEED_GPU();
    for (const int transmits : {1, 2, 3, 4, 5, 7, 8, 11, 15, 16, 31, 75, 80}) {
        expectBothAgree(noisyScan(transmits), imageOf());
    }
}

TEST(BeamformTuned, AnyShapeOfImageAndArray) {
    ECHOLUX_NEED_GPU();
    for (const int elements : {1, 2, 37, 128, 256}) {
        for (const double halfWidth : {0.1e-3, 3.3e-3, 25e-3}) {
            BeamformParams params = imageOf(halfWidth);
            expectBothAgree(noisyScan(3, elements), params);
            params.fNumber = 0.0;
            expectBothAgree(noisyScan(1, elements), params);
            params.pixelLateralM = halfWidth; // 3 columns
            params.pixelDepthM = 40e-3;       // 1 row
            expectBothAgree(noisyScan(5, elements), params);
        }
    }
}

TEST(BeamformTuned, EveryWindow) {
    ECHOLUX_NEED_GPU();
    for (const auto window : {ApodizationWindow::Hann, ApodizationWindow::Hamming,
                              ApodizationWindow::Tukey, ApodizationWindow::Gaussian}) {
        for (const double alpha : {0.0, 0.3, 1.0}) {
            for (const double fNumber : {0.0, 0.1, 1.0, 4.0}) {
                BeamformParams params = imageOf();
                params.window = window;
                params.tukeyAlpha = alpha;
                params.fNumber = fNumber;
                expectBothAgree(noisyScan(1), params);
                expectBothAgree(noisyScan(7), params);
                expectBothAgree(noisyScan(10), params);
                expectBothAgree(noisyScan(2), params, 5);
            }
        }
    }
}

TEST(BeamformTuned, TwiceTheWayBack) {
    ECHOLUX_NEED_GPU();
    for (const int transmits : {1, 2, 10}) {
        for (const double bottom : {11e-3, 22e-3}) {
            BeamformParams params = imageOf(6e-3, bottom);
            params.travelTime = TravelTime::Back;
            expectBothAgree(noisyScan(transmits), params);
            params.pixelLateralM = params.pixelDepthM = 0.05e-3; // blocks read windows
            expectBothAgree(noisyScan(transmits), params);
        }
        BeamformParams params = imageOf();
        params.travelTime = TravelTime::Back;
        expectBothAgree(noisyScan(transmits), params, 9);
    }
}

TEST(BeamformTuned, EveryWave) {
    ECHOLUX_NEED_GPU();
    Scan scan = noisyScan(1, 24);
    scan.transmits = everyElement(scan);
    for (int i = 0; i < 24 * 24; ++i) scan.receiveWeights.push_back(static_cast<float>(i % 3));
    expectBothAgree(scan, imageOf());
    scan.receiveWeights.clear();
    scan.transmits = {sourceAt(Wave::Diverging, 1e-3, -4e-3, 1e-6),
                      sourceAt(Wave::Focused, -1e-3, 9e-3, -1e-6), planeWave(-0.3)};
    expectBothAgree(scan, imageOf());
    expectBothAgree(scan, imageOf(), 33);
}

TEST(BeamformTuned, IndicesBeyondThePaddingAreClamped) {
    ECHOLUX_NEED_GPU();
    for (const double soundSpeed : {1000.0, 1540.0}) {
        BeamformParams params = imageOf(9e-3, 40e-3);
        params.soundSpeedMps = soundSpeed;
        for (const int transmits : {1, 6}) {
            const Scan scan = noisyScan(transmits);
            TunedRun<float>(scan, params).expectAgreement({}, 528);
            TunedRun<Complex>(scan, params).expectAgreement({}, 528);
            TunedRun<float>(scan, params, 3).expectAgreement({}, 528);
        }
    }
}

TEST(BeamformTuned, EveryDivisionOfTheWork) {
    ECHOLUX_NEED_GPU();
    const TunedRun<float> one(noisyScan(1), imageOf());
    const TunedRun<float> many(noisyScan(17), imageOf());
    const TunedRun<Complex> iq(noisyScan(7), imageOf());
    for (const int lanes : {32, 16, 8}) {
        for (const int tile : {1, 3, 5}) {
            one.expectAgreement({.tile = tile, .lanesAcross = lanes, .windows = true});
            many.expectAgreement({.tile = tile, .lanesAcross = lanes, .windows = true});
        }
        iq.expectAgreement({.tile = 5, .lanesAcross = lanes, .windows = true});
        for (const int warps : {2, 4, 8}) {
            for (const int split : {1, 2, 4}) {
                if (warps / split * lanes < 32) continue;
                for (const bool exact : {true, false}) {
                    for (const int tile : {1, 3}) {
                        one.expectAgreement({tile, lanes, warps, split, exact});
                        iq.expectAgreement({tile, lanes, warps, split, exact});
                        many.expectAgreement({tile, lanes, warps, split, exact});
                    }
                }
            }
        }
    }
}

TEST(BeamformTuned, EnsemblesOfAnyLength) {
    ECHOLUX_NEED_GPU();
    for (const int frames : {2, 31, 32, 33, 70}) expectBothAgree(noisyScan(1), imageOf(), frames);
}

/// The stage as a pipeline runs it, through live changes that choose other kernels.
TEST(BeamformTuned, StageFollowsItsParameters) {
    ECHOLUX_NEED_GPU();
    const FrameSpec spec = specOf(noisyScan(16), DType::ComplexF32, 5e6);
    const HostFrame frame = noiseOf(spec, 9);
    const StageType& type = stageType("beamform");
    const auto word = [](const char* text) { return ParamValue(std::string(text)); };
    const std::vector<Settings> steps = {
        {},
        {{"speed_of_sound", 1400.0}},
        {{"speed_of_sound", 1000.0}, {"t0_offset", -5e-6}},
        {{"transmits", std::vector<double>{1, 0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0, 0}}},
        {{"transmits", std::vector<double>(16, 0.0)}},
        {{"transmits", std::vector<double>{}}, {"window", word("hann")}, {"f_number", 0.7}},
        {{"interpolation", word("lagrange")}},
        {{"interpolation", word("sinc")}},
        {{"interpolation", word("nearest")}},
        {{"interpolation", word("least_squares")}, {"least_squares_taps", std::int64_t{7}}},
        {{"interpolation", word("linear")}, {"coherence_factor", true}}};
    const Settings grid = gridRound(1e-3, 9e-3, 6e-3, 8e-3, 0.2e-3, 0.31e-3);
    Params params = paramsFor(type, spec, grid);
    StageRunner cpu(type, spec, params, Backend::Cpu);
    StageRunner cuda(type, spec, params, Backend::Cuda);
    for (const Settings& step : steps) {
        for (const auto& [key, value] : step) params.set(type.id, key, value);
        cpu.update(params);
        cuda.update(params);
        const HostFrame expected = cpu.run(frame);
        // Which sample is nearest, and which of the table's filters, rounding decides now and then.
        const std::string read = std::get<std::string>(params.get("interpolation"));
        if (read == "nearest" || read == "least_squares") {
            expectAlike(cuda.run(frame), expected);
        } else {
            expectNear(cuda.run(frame).as<float>(), expected.as<float>(), 5e-4, 1e-6);
        }
    }
    for (const char* delays : {"kernel", "table"}) {
        const Settings settings = with(grid, {{"delays", word(delays)}});
        const HostFrame expected = runStage("beamform", frame, settings, Backend::Cpu);
        expectNear(runStage("beamform", frame, settings, Backend::Cuda).as<float>(),
                   expected.as<float>(), 5e-4);
    }
}

/// Texture units round the place that is read to 1/256 of a sample, as the host does; where both
/// round to different sides, a sum differs by a 256th of a few slopes. Frames of odd lengths: the
/// texture's rows lie farther apart than the frame's.
TEST(BeamformTexture, ReadsAsTheHostDoes) {
    ECHOLUX_NEED_GPU();
    for (const DType dtype : {DType::F32, DType::ComplexF32}) {
        const FrameSpec spec = specOf(noisyScan(5), dtype, dtype == DType::ComplexF32 ? 5e6 : 0.0);
        const HostFrame frame = noiseOf(spec, 11);
        const Settings settings = with(gridRound(1e-3, 9e-3, 6e-3, 8e-3, 0.2e-3, 0.31e-3),
                                       {{"interpolation", std::string("texture")}});
        const HostFrame expected = runStage("beamform", frame, settings, Backend::Cpu);
        const HostFrame read = runStage("beamform", frame, settings, Backend::Cuda);
        expectNear(read.as<float>(), expected.as<float>(), 4e-3);
        const HostFrame linear =
            runStage("beamform", frame, with(settings, {{"interpolation", std::string("linear")}}),
                     Backend::Cpu);
        expectNear(read.as<float>(), linear.as<float>(), 2e-2);
    }
}

} // namespace
} // namespace echolux::test
