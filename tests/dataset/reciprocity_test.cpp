// SPDX-License-Identifier: GPL-3.0-or-later
// Half matrices that come from the native format and from sidecars are filled as any other.
#include "tests/dataset/native_samples.hpp"
#include "tests/dataset/sidecar_fixture.hpp"

#include "app/dataset/native/native_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <utility>

namespace echolux::test {
namespace {

using testing::Contains;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr int kElements = 4;
constexpr int kSamples = 5;

/// What `rx` receives of `tx`; by reciprocity the same both ways.
template <class T> T echo(int tx, int rx, int n) {
    return static_cast<T>(10 * (tx + 1) * (rx + 1) + n);
}

/// Lines [transmit][channel]; those of `without` are 0.
template <class T, class Without> std::vector<T> matrix(Without without) {
    std::vector<T> samples;
    for (int tx = 0; tx < kElements; ++tx)
        for (int rx = 0; rx < kElements; ++rx)
            for (int n = 0; n < kSamples; ++n)
                samples.push_back(without(tx, rx) ? T{} : echo<T>(tx, rx, n));
    return samples;
}
constexpr auto kNone = [](int, int) { return false; };
constexpr auto kBelow = [](int tx, int rx) { return tx > rx; };

std::vector<double> fullMatrix() { return matrix<double>(kNone); }

FrameSpec halfMatrix(DType type) {
    FrameSpec spec = sampleSpec(type, kElements, kElements, kSamples);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    for (int t = 0; t < kElements; ++t) {
        acquisition->transmits[t] = {
            .wave = Wave::Element, .source = acquisition->probe.elements[t], .firstSampleS = 1e-6};
        for (int e = 0; e < kElements; ++e)
            acquisition->receiveWeights.push_back(t > e ? 0.0F : t == e ? 1.0F : 2.0F);
    }
    spec.acquisition = std::move(acquisition);
    return spec;
}

std::unique_ptr<Recording> written(const std::filesystem::path& path, const FrameSpec& spec) {
    NativeWriter writer(path, spec, 0.0, {}, {.overwrite = true});
    const std::vector<float> samples = matrix<float>(kBelow);
    writer.append(std::as_bytes(std::span(samples)));
    writer.close();
    return openRecording(path);
}

TEST(Reciprocity, NativeRecordingsOfWeightsTwoAndNothing) {
    const TemporaryFolder folder;
    const auto recording = written(folder / "half.h5", halfMatrix(DType::F32));
    EXPECT_THAT(recording->info().frame.acquisition->receiveWeights, IsEmpty());
    EXPECT_THAT(frameOf(*recording), ElementsAreArray(fullMatrix()));
    EXPECT_THAT(recording->info().notes, Contains(Pair("Reciprocity", HasSubstr("6 of 16 pairs"))));
}

TEST(Reciprocity, TransmitsThatBeginApartStayAsTheyAre) {
    const TemporaryFolder folder;
    FrameSpec spec = halfMatrix(DType::F32);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    acquisition->transmits[3].firstSampleS += 0.5 / spec.samplingFrequencyHz();
    spec.acquisition = acquisition;
    const auto recording = written(folder / "half.h5", spec);
    const auto& weights = recording->info().frame.acquisition->receiveWeights;
    ASSERT_EQ(weights.size(), 16U);
    EXPECT_EQ(weights[0 * kElements + 1], 1.0F);
    EXPECT_EQ(weights[0 * kElements + 3], 2.0F);
    EXPECT_EQ(weights[3 * kElements + 0], 0.0F);
    EXPECT_THAT(recording->info().warnings, Contains(HasSubstr("f_number = 0")));
}

class HalfMatrixOfASidecar : public SidecarTest {
protected:
    std::unique_ptr<Recording> capture(const std::vector<std::int16_t>& samples,
                                       const std::string& shape = "[4, 4, 5]") {
        writeFile(m_path, bytesOfValues(samples));
        Parts parts;
        const bool frames = shape.find("-1") != std::string::npos;
        parts.data = "dtype = \"<i2\"\nshape = " + shape + "\naxes = [" +
                     (frames ? "\"frame\", " : "") + "\"transmit\", \"channel\", \"sample\"]\n";
        parts.transmit = "wave = \"element\"\n";
        return open(parts);
    }
};

TEST_F(HalfMatrixOfASidecar, IsToldByItsEmptyLines) {
    const auto recording = capture(matrix<std::int16_t>(kBelow));
    EXPECT_THAT(frameOf(*recording), ElementsAreArray(fullMatrix()));
    EXPECT_THAT(recording->info().notes, Contains(Pair("Reciprocity", HasSubstr("6 of 16 pairs"))));
}

TEST_F(HalfMatrixOfASidecar, IsFilledInEveryFrame) {
    auto two = matrix<std::int16_t>(kBelow);
    const auto one = two;
    for (const std::int16_t sample : one) two.push_back(static_cast<std::int16_t>(2 * sample));
    const auto recording = capture(two, "[-1, 4, 4, 5]");
    auto expected = fullMatrix();
    for (double& value : expected) value *= 2;
    EXPECT_THAT(frameOf(*recording, 1), ElementsAreArray(expected));
}

TEST_F(HalfMatrixOfASidecar, ADeadChannelMakesNone) {
    const auto samples = matrix<std::int16_t>([](int, int rx) { return rx == 2; });
    const auto recording = capture(samples);
    const std::vector<double> stored(samples.begin(), samples.end());
    EXPECT_THAT(frameOf(*recording), ElementsAreArray(stored));
    EXPECT_THAT(recording->info().frame.acquisition->receiveWeights, IsEmpty());
}

} // namespace
} // namespace echolux::test
