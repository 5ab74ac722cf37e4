// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels for pixels anywhere and for beams that are one transmit's own, against NumPy in
// double precision and, with other settings and larger grids, against the formula pixel by pixel.
#include "gpu/beamform/beamform_cuda.hpp"
#include "gpu/beamform/beamform_kernels.hpp"
#include "gpu/beamform/beamform_model_copy.hpp"
#include "gpu/beamform/beamform_own_lines.hpp"
#include "gpu/memory/transfer.hpp"
#include "tests/gpu/beamform_arrays.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/near.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace echolux::test {
namespace {

struct Setting {
    std::string name;
    Settings settings;
};

std::vector<Setting> variations() {
    return {
        {"as it is", {}},
        {"coherence factor", {{"coherence_factor", true}}},
        {"normalized", {{"normalize", true}}},
        {"Lagrange", {{"interpolation", word("lagrange")}, {"lagrange_order", std::int64_t{4}}}},
        {"sinc", {{"interpolation", word("sinc")}, {"sinc_taps", std::int64_t{7}}}},
        {"least squares", {{"interpolation", word("least_squares")}}},
        {"nearest, normalized", {{"interpolation", word("nearest")}, {"normalize", true}}},
        {"all elements", {{"f_number", 0.0}, {"window", word("rectangular")}}},
        {"Hamming", {{"f_number", 0.0}, {"window", word("hamming")}}},
        {"finer", {{"pixel_depth", 0.03e-3}, {"pixel_lateral", 0.07e-3}}}};
}

template <class Sample>
void expectTheFormula(const HostFrame& frame, const das::Model& model, const das::CudaSum& chosen) {
    ASSERT_TRUE(chosen.isTuned());
    const Stream stream(Backend::Cuda, "test");
    const Exec exec{Backend::Cuda, stream.get()};
    const das::ModelCopy copy(exec, model);
    const auto pixels = static_cast<std::size_t>(model.constants.grid.pixels());
    Buffer samples(MemoryKind::Device, frame.bytes.size());
    Buffer image(MemoryKind::Device, pixels * sizeof(Sample));
    Buffer packed(MemoryKind::Device, chosen.tuned ? chosen.tuned->bytes(copy.constants()) : 0);
    upload(exec, samples.data(), frame.bytes.data(), frame.bytes.size());
    fillBytes(exec, image.data(), 0xFF, image.bytes());
    das::sumOnCuda(exec, copy.constants(), chosen, samples.data(), packed.data(), image.data());
    std::vector<Sample> actual(pixels);
    download(exec, actual.data(), image.data(), image.bytes());
    device::synchronize(exec.stream);

    std::vector<Sample> expected(pixels);
    das::beamformReference({}, model.onHost(), frame.as<Sample>().data(), expected.data(), 0, 1,
                           static_cast<std::int64_t>(pixels));
    double peak = 0.0;
    for (const Sample& value : expected) peak = std::max(peak, magnitudeOf(value));
    std::size_t outside = 0;
    for (std::size_t i = 0; i < pixels; ++i) {
        if constexpr (sizeof(Sample) == sizeof(float)) {
            if (!(std::abs(actual[i] - expected[i]) <= 1e-3 * peak)) ++outside;
        } else {
            const Complex difference{actual[i].re - expected[i].re, actual[i].im - expected[i].im};
            if (!(magnitudeOf(difference) <= 1e-3 * peak)) ++outside;
        }
    }
    // Rounding decides for few pixels whether an element on the edge of an aperture counts.
    EXPECT_LE(static_cast<double>(outside), 0.02 * static_cast<double>(pixels));
}

/// By the kernel that would be chosen, which must be one of the tuned ones.
template <class Sample> void expectTheFormula(const HostFrame& frame, const Params& params) {
    const das::Model model = das::makeModel(frame.spec, params.as<BeamformParams>());
    expectTheFormula<Sample>(frame, model,
                             das::chooseCudaSum(model, isComplex(frame.spec.dtype), 1,
                                                das::tunedPitch(model), std::size_t{1} << 30));
}

TEST(BeamformArraysGpu, AgreeWithTheFormula) {
    ECHOLUX_NEED_GPU();
    for (const ArrayCase& c : arrayCases()) {
        const HostFrame frame = Recorded(c).frame();
        for (const Setting& variation : variations()) {
            SCOPED_TRACE(c.name + ", " + variation.name);
            const Params params =
                paramsFor(stageType("beamform"), frame.spec, with(c.settings, variation.settings));
            // Beside focused waves' paths, where a wave turns round, no window suits.
            if (c.name == "shadow" || c.name == "matrix_tilts") continue;
            c.iq ? expectTheFormula<Complex>(frame, params)
                 : expectTheFormula<float>(frame, params);
        }
    }
}

TEST(BeamformArraysGpu, TwiceTheWayBackAgreesWithTheFormula) {
    ECHOLUX_NEED_GPU();
    for (const ArrayCase& c : arrayCases()) {
        // Beams count by their amplitudes, which no tuned kernel does.
        if (c.name.ends_with("_lines") || c.name == "shadow") continue;
        if (c.name.starts_with("one_way")) continue; // there is no way to leave out
        SCOPED_TRACE(c.name);
        const HostFrame frame = Recorded(c).frame();
        const Params params = paramsFor(
            stageType("beamform"), frame.spec,
            with(c.settings, {{"travel_time", word("back")}, {"window", word("gaussian")}}));
        c.iq ? expectTheFormula<Complex>(frame, params) : expectTheFormula<float>(frame, params);
    }
}

/// Records of an odd length that end within the image, from before whose beginning rows read, with
/// as many elements as leave a rest.
Scan raggedScan() {
    Scan scan;
    scan.elements = 37;
    scan.samples = 701;
    scan.transmits = {sourceAt(Wave::Focused, -2e-3, 6e-3, 1e-6),
                      sourceAt(Wave::Focused, 1e-3, 8e-3), sourceAt(Wave::Focused, 2e-3, 7e-3)};
    return scan;
}

/// Compares the sums from windows of each number of rows that fits with the formula.
template <class Sample> void expectWindows(const HostFrame& noise, const Scan& scan,
                                           std::int64_t lines, const Setting& variation) {
    constexpr bool kComplex = sizeof(Sample) == sizeof(Complex);
    constexpr double kRow = 0.02e-3;
    const Settings settings{
        {"grid", word("beams")},       {"transmit_aperture", word("lines")},
        {"lines_per_transmit", lines}, {"transmits", std::vector<double>{1.0, 0.0, 1.0}},
        {"depth_min", 0.1e-3},         {"depth_max", 0.1e-3 + 800 * kRow},
        {"pixel_depth", kRow}};
    const Params params =
        paramsFor(stageType("beamform"), noise.spec, with(settings, variation.settings));
    const das::Model model = das::makeModel(noise.spec, params.as<BeamformParams>());
    const auto layout = das::ownLinesLayout(model, kComplex);
    ASSERT_TRUE(layout.has_value());
    ASSERT_EQ(layout->rows, 2);
    for (const int rows : {2, 4, 8}) {
        // What the layout sees to: the windows of so many rows fit.
        const double span = 2.0 * kRow * scan.fsHz / scan.soundSpeedMps * rows *
                            das::kOwnLinesThreads / layout->across;
        if (span + 64.0 > das::ownPitch(kComplex)) continue;
        SCOPED_TRACE(fmt::format("{} lines, {} rows, {}", lines, rows, variation.name));
        das::CudaSum chosen{.ownLines = layout};
        chosen.ownLines->rows = rows;
        expectTheFormula<Sample>(noise, model, chosen);
    }
}

TEST(BeamformArraysGpu, DenseLinesReadWindows) {
    ECHOLUX_NEED_GPU();
    const Scan scan = raggedScan();
    for (const DType dtype : {DType::F32, DType::ComplexF32}) {
        const bool complex = isComplex(dtype);
        const HostFrame noise = noiseOf(specOf(scan, dtype, complex ? scan.fcHz : 0.0), 7);
        for (const std::int64_t lines : {4, 6, 16}) {
            for (const Setting& variation : std::vector<Setting>{
                     {"all elements", {{"f_number", 0.0}, {"window", word("hann")}}},
                     {"growing aperture", {{"f_number", 1.1}, {"window", word("rectangular")}}},
                     {"growing aperture, Hann", {{"f_number", 1.1}, {"window", word("hann")}}}}) {
                complex ? expectWindows<Complex>(noise, scan, lines, variation)
                        : expectWindows<float>(noise, scan, lines, variation);
            }
        }
    }
}

/// Elevation does not count in the aperture of a line of elements, also far beside its plane.
TEST(BeamformArraysGpu, ALineOfElementsImagesAVolume) {
    ECHOLUX_NEED_GPU();
    const HostFrame noise = noiseOf(specOf(Scan{}, DType::F32, 0.0), 5);
    for (const char* window : {"rectangular", "hann"}) {
        const Params params = paramsFor(
            stageType("beamform"), noise.spec,
            with(volume(2.0, window), {{"elevation_min", -4e-3}, {"elevation_max", 4e-3}}));
        expectTheFormula<float>(noise, params);
    }
}

TEST(BeamformArraysGpu, AgreeWithNumPy) {
    ECHOLUX_NEED_GPU();
    std::vector<ArrayCase> cases = arrayCases();
    for (const ArrayCase& c : casesOverRange()) cases.push_back(c);
    for (const ArrayCase& c : cases) {
        SCOPED_TRACE(c.name + (c.overRange ? ", weights over range" : ""));
        const Recorded recorded(c);
        const HostFrame frame = recorded.frame();
        const StageType& type = stageType("beamform");
        StageRunner runner(type, frame.spec, paramsFor(type, frame.spec, c.settings),
                           Backend::Cuda);
        expectNear(runner.run(frame).as<float>(), recorded.image(), 5e-4);
    }
}

TEST(BeamformArraysGpu, WavesPathsOfPlaneAndDivergingWaves) {
    ECHOLUX_NEED_GPU();
    Scan scan;
    scan.transmits = {planeWave(-0.2), sourceAt(Wave::Diverging, 1e-3, -4e-3), planeWave(0.25),
                      planeWave(0.05, 1e-6), sourceAt(Wave::Diverging, -2e-3, -9e-3)};
    for (const DType dtype : {DType::F32, DType::ComplexF32}) {
        const FrameSpec spec = specOf(scan, dtype, isComplex(dtype) ? scan.fcHz : 0.0);
        const HostFrame noise = noiseOf(spec, 3);
        for (const char* compounding : {"coherent", "incoherent"}) {
            if (!isComplex(dtype) && compounding == std::string("incoherent")) continue;
            const Params params =
                paramsFor(stageType("beamform"), spec,
                          {{"transmit_aperture", word("shadow")},
                           {"compounding", word(compounding)},
                           {"normalize", compounding == std::string("coherent")}});
            isComplex(dtype) ? expectTheFormula<Complex>(noise, params)
                             : expectTheFormula<float>(noise, params);
        }
    }
}

} // namespace
} // namespace echolux::test
