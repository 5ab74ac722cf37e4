// SPDX-License-Identifier: GPL-3.0-or-later
// What each element adds to a pixel: the terms add up to the image of the beamformer, and elements
// outside the aperture add nothing.
#include "app/session/pixel_terms.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/session/checked_image.hpp"
#include "app/session/offline/offline.hpp"
#include "gpu/beamform/beamform_params.hpp"
#include "tests/support/active_stage.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <complex>

namespace echolux {
namespace {

using ::testing::HasSubstr;

struct ImagedFrame {
    explicit ImagedFrame(const char* file)
        : recording(openRecording(std::string(ECHOLUX_SOURCE_DIR "/testdata/") + file)),
          bytes(recording->info().frame.bytes()) {
        recording->readFrame(0, bytes);
    }
    SnapshotPtr planned(const char* pipeline) const {
        return instantiate(shippedPipeline(pipeline), recording->info().frame);
    }
    std::vector<Complex> terms(const PixelChain& chain) const {
        PixelTerms terms;
        terms.prepare(chain);
        terms.take(bytes.data());
        return terms.terms();
    }
    /// The beamformed image of frame 0.
    HostFrameData image(const SnapshotPtr& snapshot) const {
        return processFrame(*recording, snapshot, Backend::Cpu, 0, "beamform");
    }
    std::unique_ptr<Recording> recording;
    std::vector<std::byte> bytes;
};

std::complex<double> sumOf(const std::vector<Complex>& terms) {
    std::complex<double> sum;
    for (const Complex& term : terms) sum += std::complex<double>{term.re, term.im};
    return sum;
}

double magnitudesOf(const std::vector<Complex>& terms) {
    double sum = 0.0;
    for (const Complex& term : terms) sum += std::hypot(double{term.re}, double{term.im});
    return sum;
}

/// Compares the sums of terms with pixels of the image; `Sample` is float or Complex.
template <class Sample> void expectPixels(const char* pipeline) {
    const ImagedFrame cine("phantom_cine.echolux.h5");
    const SnapshotPtr snapshot = cine.planned(pipeline);
    const HostFrameData image = cine.image(snapshot);
    const Axis& depth = *image.spec.find(AxisName::Depth);
    const Axis& lateral = *image.spec.find(AxisName::Lateral);
    for (const auto& [row, column] : {std::pair{40, 30}, {200, 120}, {350, 77}}) {
        SCOPED_TRACE(row);
        ASSERT_LT(row, depth.size);
        ASSERT_LT(column, lateral.size);
        const BeamformedPixel pixel{.lateralM = lateral.origin + column * lateral.spacing,
                                    .depthM = depth.origin + row * depth.spacing};
        const std::vector<Complex> terms = cine.terms(pixelChain(*snapshot, pixel));
        const Sample expected =
            reinterpret_cast<const Sample*>(image.bytes.data())[row * lateral.size + column];
        const double tolerance = 1e-4 * magnitudesOf(terms);
        ASSERT_GT(tolerance, 0.0);
        if constexpr (std::is_same_v<Sample, float>) {
            EXPECT_NEAR(sumOf(terms).real(), expected, tolerance);
            EXPECT_EQ(sumOf(terms).imag(), 0.0);
        } else {
            EXPECT_NEAR(sumOf(terms).real(), expected.re, tolerance);
            EXPECT_NEAR(sumOf(terms).imag(), expected.im, tolerance);
        }
    }
}

TEST(PixelTerms, OfAnalyticSignalsAddUpToThePixel) { expectPixels<Complex>("rf"); }
TEST(PixelTerms, OfRfAddUpToThePixel) { expectPixels<float>("rf_sum"); }

TEST(PixelTerms, ElementsOutsideTheApertureAddNothing) {
    const ImagedFrame cine("phantom_cine.echolux.h5");
    const SnapshotPtr snapshot = withValue(*cine.planned("rf"), "beamform", "f_number", 2.0);
    const auto& elements = snapshot->input.acquisition->probe.elements;
    const BeamformedPixel pixel{.lateralM = 1e-3, .depthM = 15e-3};
    const std::vector<Complex> terms = cine.terms(pixelChain(*snapshot, pixel));
    ASSERT_EQ(terms.size(), elements.size());
    for (std::size_t e = 0; e < terms.size(); ++e) {
        const bool inside = std::abs(elements[e].x - 1e-3) <= 15e-3 / (2.0 * 2.0);
        EXPECT_EQ(terms[e].re != 0.0F || terms[e].im != 0.0F, inside) << "element " << e;
    }
}

TEST(PixelTerms, OnBeamsAPixelIsARangeAndALine) {
    const ImagedFrame sector("sector.h5");
    const SnapshotPtr snapshot = imagingSnapshot(sector.recording->info().frame, std::nullopt);
    const StageState& beamform = snapshot->stage("beamform");
    ASSERT_EQ(beamform.params.as<BeamformParams>().grid, PixelGrid::Beams);
    const HostFrameData image = sector.image(snapshot);
    const Axis& depth = *image.spec.find(AxisName::Depth);
    const std::int64_t lines = image.spec.sizeOf(AxisName::Lateral);
    const std::int64_t row = depth.size / 2;
    const std::int64_t column = lines / 3;
    const BeamformedPixel pixel{.depthM = depth.origin + static_cast<double>(row) * depth.spacing,
                                .column = column};
    const std::vector<Complex> terms = sector.terms(pixelChain(*snapshot, pixel));
    const double tolerance = 1e-3 * magnitudesOf(terms);
    ASSERT_GT(tolerance, 0.0);
    const std::int64_t at = row * lines + column;
    if (isComplex(image.spec.dtype)) {
        const Complex expected = reinterpret_cast<const Complex*>(image.bytes.data())[at];
        EXPECT_NEAR(sumOf(terms).real(), expected.re, tolerance);
        EXPECT_NEAR(sumOf(terms).imag(), expected.im, tolerance);
    } else {
        EXPECT_NEAR(sumOf(terms).real(), reinterpret_cast<const float*>(image.bytes.data())[at],
                    tolerance);
    }
}

TEST(PixelTerms, SaysWhyThereAreNone) {
    const ImagedFrame retina("retina_cine.echolux.h5");
    const SnapshotPtr oct = imagingSnapshot(retina.recording->info().frame, std::nullopt);
    EXPECT_THAT(testing_support::refusal([&] { pixelChain(*oct, {}); }), HasSubstr("Spectra"));
}

} // namespace
} // namespace echolux
