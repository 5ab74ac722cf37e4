// SPDX-License-Identifier: GPL-3.0-or-later
// MUST .mat files written here through matio: defaults, clocks, wave models and what is refused.
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using M = MatBuilder;

constexpr std::size_t kSamples = 20;
constexpr std::size_t kElements = 9;
constexpr double kPitch = 0.3e-3;
constexpr double kSpeed = 1500.0;
constexpr double kFs = 20e6;

double elementX(std::size_t k) { return (static_cast<double>(k) - 4.0) * kPitch; }

class Must : public testing::Test {
protected:
    M::Fields parameters() const {
        return {{"Fs", M::number(kFs)},
                {"FC", M::number(5e6)},
                {"PITCH", M::number(kPitch)},
                {"c", M::number(kSpeed)}};
    }
    matvar_t* signals(std::size_t third, const char* name = "RF") const {
        return M::array(name, {kSamples, kElements, third},
                        countedUp<std::int16_t>(kSamples * kElements * third));
    }
    void write(matvar_t* rf, const M::Fields& fields, mat_ft version = MAT_FT_MAT5,
               matio_compression compression = MAT_COMPRESSION_ZLIB) {
        M mat(m_path, version, compression);
        if (rf != nullptr) mat.add(rf);
        mat.add(M::structure("param", fields));
    }
    std::unique_ptr<Recording> open() { return openRecording(m_path); }
    /// Rows of delays, one per transmit, MATLAB's order.
    static matvar_t* delayRows(const std::vector<std::vector<double>>& rows) {
        std::vector<double> columns;
        for (std::size_t k = 0; k < rows[0].size(); ++k)
            for (const auto& row : rows) columns.push_back(row[k]);
        return M::array<double>(nullptr, {rows.size(), rows[0].size()}, columns);
    }
    template <class Delay> static std::vector<double> delaysOf(Delay delay) {
        std::vector<double> delays;
        for (std::size_t k = 0; k < kElements; ++k) delays.push_back(delay(elementX(k)));
        const double first = *std::ranges::min_element(delays);
        for (double& value : delays) value -= first;
        return delays;
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "data.bin"; // the extension says nothing
};

TEST_F(Must, DefaultsAndFieldNamesWithoutCase) {
    for (const auto version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
        write(signals(1), {{"FS", M::number(kFs)}, {"Pitch", M::number(kPitch)}}, version,
              MAT_COMPRESSION_NONE);
        const auto recording = open();
        const RecordingInfo& info = recording->info();
        EXPECT_EQ(info.frame.describe(), "i16 [transmit 1][channel 9][sample 20]");
        EXPECT_EQ(info.frame.acquisition->soundSpeedMps, 1540.0);
        EXPECT_EQ(info.frame.centreFrequencyHz, kFs / 4);
        EXPECT_EQ(info.frame.acquisition->probe.fractionalBandwidth, 0.75);
        EXPECT_EQ(info.frame.acquisition->transmits[0].wave, Wave::Plane);
        EXPECT_EQ(info.frame.acquisition->transmits[0].firstSampleS, 0.0);
        EXPECT_NEAR(info.frame.acquisition->probe.elements[0].x, elementX(0), 1e-15);
        EXPECT_EQ(info.warnings.size(), 2U) << "no fc, no TXdelay";
        EXPECT_EQ(frameOf(*recording), countedUp<double>(kSamples * kElements));
    }
}

TEST_F(Must, OneRowOfDelaysMakesTheThirdAxisFrames) {
    M::Fields fields = parameters();
    fields.emplace_back("TXdelay", M::row(std::vector<double>(kElements, 0.0)));
    fields.emplace_back("PRF", M::number(10000));
    write(signals(3), fields);
    const auto recording = open();
    EXPECT_EQ(recording->info().frameCount, 3);
    EXPECT_EQ(recording->info().frameRateHz, 10000.0);
    EXPECT_EQ(frameOf(*recording, 2)[0], 2.0 * kSamples * kElements);
}

TEST_F(Must, SteeredDelaysGiveAnglesAndTheLead) {
    const std::vector<double> angles{-0.2, 0.0, 0.1};
    std::vector<std::vector<double>> rows;
    for (const double angle : angles)
        rows.push_back(delaysOf([&](double x) { return x * std::sin(angle) / kSpeed; }));
    for (const bool transposed : {false, true}) {
        M::Fields fields = parameters();
        std::vector<double> flat;
        for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
        fields.emplace_back("txdelay", transposed ? M::array<double>(nullptr, {kElements, 3}, flat)
                                                  : delayRows(rows));
        fields.emplace_back("t0", M::row({1e-6, 2e-6, 3e-6}));
        write(signals(3), fields);
        const auto recording = open();
        const Acquisition& acquisition = *recording->info().frame.acquisition;
        ASSERT_EQ(acquisition.transmits.size(), 3U);
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_EQ(acquisition.transmits[i].wave, Wave::Plane);
            EXPECT_NEAR(acquisition.transmits[i].angleRad, angles[i], 1e-9);
            const double lead = 4 * kPitch * std::abs(std::sin(angles[i])) / kSpeed;
            EXPECT_NEAR(acquisition.transmits[i].firstSampleS,
                        1e-6 * static_cast<double>(i + 1) - lead, 1e-12);
        }
        EXPECT_THAT(recording->info().warnings, IsEmpty());
    }
}

TEST_F(Must, AnglesWithoutDelays) {
    M::Fields fields = parameters();
    fields.emplace_back("TXangle", M::row({-0.1, 0.1}));
    write(signals(2), fields);
    const auto transmits = open()->info().frame.acquisition->transmits;
    EXPECT_NEAR(transmits[1].angleRad, 0.1, 1e-9);
    EXPECT_NEAR(transmits[1].firstSampleS, -4 * kPitch * std::sin(0.1) / kSpeed, 1e-12);
}

TEST_F(Must, DelaysWinOverAnglesWithAWord) {
    M::Fields fields = parameters();
    fields.emplace_back("TXangle", M::row({-0.1}));
    fields.emplace_back("TXdelay",
                        M::row(delaysOf([](double x) { return x * std::sin(0.1) / kSpeed; })));
    write(signals(1), fields);
    const auto recording = open();
    EXPECT_NEAR(recording->info().frame.acquisition->transmits[0].angleRad, 0.1, 1e-9);
    ASSERT_EQ(recording->info().warnings.size(), 1U);
    EXPECT_THAT(recording->info().warnings[0], HasSubstr("TXdelay is used"));
}

TEST_F(Must, DivergingFocusedAndSingleElements) {
    const Point behind{0.5e-3, 0, -4e-3};
    const Point ahead{-0.4e-3, 0, 6e-3};
    const auto to = [](double x, const Point& p) { return std::hypot(x - p.x, p.z); };
    std::vector<double> single(kElements, std::numeric_limits<double>::quiet_NaN());
    single[7] = 0.25e-6;
    M::Fields fields = parameters();
    fields.emplace_back(
        "TXdelay", delayRows({delaysOf([&](double x) { return to(x, behind) / kSpeed; }),
                              delaysOf([&](double x) { return -to(x, ahead) / kSpeed; }), single}));
    fields.emplace_back("t0", M::number(2e-6));
    write(signals(3), fields);
    const auto t = open()->info().frame.acquisition->transmits;

    EXPECT_EQ(t[0].wave, Wave::Diverging);
    EXPECT_NEAR(t[0].source.x, behind.x, 1e-7);
    EXPECT_NEAR(t[0].source.z, behind.z, 1e-7);
    double least = 1;
    for (std::size_t k = 0; k < kElements; ++k) least = std::min(least, to(elementX(k), behind));
    EXPECT_NEAR(t[0].firstSampleS, 2e-6 - (to(0, behind) - least) / kSpeed, 1e-10);

    EXPECT_EQ(t[1].wave, Wave::Focused);
    EXPECT_NEAR(t[1].source.x, ahead.x, 1e-7);
    EXPECT_NEAR(t[1].source.z, ahead.z, 1e-7);
    double most = 0;
    for (std::size_t k = 0; k < kElements; ++k) most = std::max(most, to(elementX(k), ahead));
    EXPECT_NEAR(t[1].firstSampleS, 2e-6 - (most - to(0, ahead)) / kSpeed, 1e-10);

    EXPECT_EQ(t[2].wave, Wave::Element);
    EXPECT_NEAR(t[2].source.x, elementX(7), 1e-12);
    EXPECT_NEAR(t[2].firstSampleS, 2e-6 - 0.25e-6, 1e-12);
}

TEST_F(Must, ConvexArrayFiredAtOnce) {
    M::Fields fields = parameters();
    fields.emplace_back("radius", M::number(40e-3));
    fields.emplace_back("TXdelay", M::row(std::vector<double>(kElements, 0.0)));
    write(signals(1), fields);
    const auto recording = open();
    const Acquisition& acquisition = *recording->info().frame.acquisition;
    const auto& e = acquisition.probe.elements;
    EXPECT_NEAR(e[0].z, 0.0, 1e-12);
    EXPECT_NEAR(e[4].z, 40e-3 - std::sqrt(40e-3 * 40e-3 - e[0].x * e[0].x), 1e-12);
    // Too shallow a curve to tell from a plane wave within a quarter period, either way the wave
    // leaves every element at once.
    const Transmit& t = acquisition.transmits[0];
    EXPECT_EQ(t.wave, Wave::Diverging);
    EXPECT_NEAR(std::hypot(e[0].x - t.source.x, e[0].z - t.source.z), 40e-3, 1e-4);
}

TEST_F(Must, ListedElementsNeedNoPitch) {
    std::vector<double> x;
    std::vector<double> arc;
    for (std::size_t k = 0; k < kElements; ++k) {
        x.push_back(elementX(k));
        arc.push_back(std::sqrt(9e-6 - elementX(k) * elementX(k)) - 2e-3);
    }
    std::vector<double> columns = x;
    columns.insert(columns.end(), arc.begin(), arc.end());
    std::vector<double> ring;
    for (std::size_t k = 0; k < kElements; ++k) {
        const double turn = 2.0 * std::numbers::pi * static_cast<double>(k) / kElements;
        ring.push_back(3e-3 * std::cos(turn));
        ring.push_back(3e-3 * std::sin(turn));
    }
    const auto places = [&](matvar_t* elements) {
        write(signals(1), {{"fs", M::number(kFs)}, {"fc", M::number(5e6)}, {"elements", elements}});
        return open()->info().frame.acquisition->probe;
    };
    const Probe curved = places(M::array<double>(nullptr, {kElements, 2}, columns));
    EXPECT_NEAR(curved.elements[1].z, arc[1], 1e-15);
    EXPECT_EQ(curved.elements[1].y, 0.0);
    EXPECT_NEAR(curved.elements[1].x, x[1], 1e-15);
    EXPECT_GT(curved.pitchM, kPitch);
    const Probe round = places(M::array<double>(nullptr, {2, kElements}, ring));
    EXPECT_NEAR(round.elements[2].y, ring[5], 1e-15);
    EXPECT_EQ(round.elements[2].z, 0.0);
    const Probe line = places(M::row(x));
    EXPECT_NEAR(line.pitchM, kPitch, 1e-12);
    EXPECT_NEAR(line.elements[8].x, x[8], 1e-15);
}

/// Matrices of so many samples each; the numbers go on from one to the next.
matvar_t* cellsOf(const std::vector<std::size_t>& lengths) {
    std::vector<matvar_t*> matrices;
    std::int16_t next = 0;
    for (const std::size_t length : lengths) {
        std::vector<std::int16_t> values(length * kElements);
        for (std::int16_t& value : values) value = next++;
        matrices.push_back(M::array(nullptr, {length, kElements}, values));
    }
    return M::cells("RF", matrices);
}

TEST_F(Must, MatricesInACellArrayAreTransmits) {
    for (const auto version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
        M::Fields fields = parameters();
        fields.emplace_back("TXangle", M::row({-0.1, 0.1}));
        write(cellsOf({kSamples, kSamples}), fields, version, MAT_COMPRESSION_NONE);
        const auto recording = open();
        EXPECT_EQ(recording->info().frame.describe(), "i16 [transmit 2][channel 9][sample 20]");
        EXPECT_EQ(frameOf(*recording), countedUp<double>(2 * kSamples * kElements));
        EXPECT_THAT(recording->info().warnings, IsEmpty());
    }
}

TEST_F(Must, ShorterMatricesOfACellArrayEndInSilence) {
    M::Fields fields = parameters();
    fields.emplace_back("TXangle", M::row({-0.1, 0.1}));
    write(cellsOf({4, 6}), fields);
    const auto recording = open();
    EXPECT_THAT(recording->info().warnings,
                testing::Contains(AllOf(HasSubstr("4 to 6 samples"), HasSubstr("silence"))));
    const auto values = frameOf(*recording);
    EXPECT_EQ(std::vector<double>(values.begin(), values.begin() + 8),
              (std::vector<double>{0, 1, 2, 3, 0, 0, 4, 5}));
    EXPECT_EQ(values[9 * 6], 36.0);
}

TEST_F(Must, CellArraysThatFitNoRecording) {
    const auto matrix = [](std::size_t samples, std::size_t columns) {
        return M::array(nullptr, {samples, columns}, countedUp<std::int16_t>(samples * columns));
    };
    write(M::cells("RF", {matrix(20, 9), matrix(20, 8)}), parameters());
    EXPECT_THAT(refusalOf(m_path), AllOf(HasSubstr("20 x 9"), HasSubstr("number 2 is")));
    write(cellsOf({1, 1, 1, 1, 1, 900}), parameters());
    EXPECT_THAT(refusalOf(m_path), AllOf(HasSubstr("1 to 900 samples"), HasSubstr("unequal")));
    write(M::cells("RF", {matrix(20, 9), M::structure(nullptr, {{"a", M::number(1)}})}),
          parameters());
    EXPECT_THAT(refusalOf(m_path),
                AllOf(HasSubstr("cell array"), HasSubstr("matrix for each transmit")));
}

TEST_F(Must, OffsetBinaryAndOtherTypes) {
    std::vector<std::uint8_t> codes(kSamples * kElements, 126);
    std::fill(codes.begin(), codes.begin() + static_cast<long>(codes.size() / 2), 130);
    write(M::array("RF1", {kSamples, kElements}, codes), parameters());
    const auto recording = open();
    EXPECT_EQ(recording->info().frame.dtype, DType::U8);
    EXPECT_EQ(recording->info().frame.codeOffset, 128.0);

    write(M::array("RF", {kSamples, kElements}, countedUp<double>(kSamples * kElements)),
          parameters());
    EXPECT_EQ(open()->info().frame.dtype, DType::F32);
}

TEST_F(Must, DemodulatedSignals) {
    const std::size_t count = kSamples * kElements;
    M::Fields fields = parameters();
    fields.emplace_back("TXdelay",
                        M::row(delaysOf([](double x) { return x * std::sin(0.1) / kSpeed; })));
    write(M::complexArray("IQ", {kSamples, kElements}, countedUp<float>(count),
                          std::vector<float>(count, -3.0F)),
          fields);
    const auto recording = open();
    EXPECT_EQ(recording->info().frame.dtype, DType::ComplexF32);
    EXPECT_EQ(recording->info().frame.demodulationFrequencyHz, 5e6);
    const double lead = 4 * kPitch * std::sin(0.1) / kSpeed;
    EXPECT_NEAR(recording->info().frame.acquisition->transmits[0].iqPhaseZeroS, -lead, 1e-12);
    const auto values = frameOf(*recording);
    EXPECT_EQ(values[2 * 7], 7.0);
    EXPECT_EQ(values[2 * 7 + 1], -3.0);
}

TEST_F(Must, BandPassSamplingIsNoted) {
    M::Fields fields = parameters();
    Mat_VarFree(std::exchange(fields[0].second, M::number(20e6 / 3)));
    write(signals(1), fields);
    EXPECT_THAT(open()->info().notes,
                testing::Contains(testing::Pair("Sampling", HasSubstr("band-pass"))));
}

TEST_F(Must, NanAmongTheSamplesIsDeliveredAndSaid) {
    std::vector<double> values = countedUp<double>(kSamples * kElements);
    values[3] = std::nan("");
    write(M::array("RF", {kSamples, kElements}, values), parameters());
    const auto recording = open();
    EXPECT_THAT(recording->info().warnings, testing::Contains(HasSubstr("1 of 180 values")));
    EXPECT_TRUE(std::isnan(frameOf(*recording)[3]));
}

TEST_F(Must, Refusals) {
    const auto refused = [&](matvar_t* rf, const M::Fields& fields) {
        write(rf, fields);
        return refusalOf(m_path);
    };
    const auto with = [&](const char* name, matvar_t* value) {
        M::Fields fields = parameters();
        std::erase_if(fields, [&](const auto& f) {
            const bool replaced = f.first == name || (std::string(name) == "fs" && f.first == "Fs");
            if (replaced) Mat_VarFree(f.second);
            return replaced;
        });
        fields.emplace_back(name, value);
        return fields;
    };
    EXPECT_THAT(refused(signals(1), {{"fs", M::number(kFs)}}), HasSubstr("'pitch'"));
    EXPECT_THAT(refused(signals(1), {{"pitch", M::number(kPitch)}}), HasSubstr("'fs'"));
    EXPECT_THAT(refused(signals(1), with("fs", M::number(-1))), HasSubstr("-1"));
    EXPECT_THAT(refused(signals(1), with("fs", M::number(std::nan("")))), HasSubstr("NaN"));
    EXPECT_THAT(refused(signals(1), with("Nelements", M::number(64))),
                AllOf(HasSubstr("64"), HasSubstr("9 columns")));
    EXPECT_THAT(refused(signals(1), with("TXdelay", M::row({0, 0, 0}))),
                AllOf(HasSubstr("1 x 3"), HasSubstr("9")));
    EXPECT_THAT(refused(signals(4), with("TXangle", M::row({0, 0.1}))),
                AllOf(HasSubstr("2 transmits"), HasSubstr("4 entries")));
    EXPECT_THAT(refused(signals(1), with("t0", M::row({0, 0}))),
                AllOf(HasSubstr("2 entries"), HasSubstr("1 transmits")));
    EXPECT_THAT(refused(signals(1), with("t0", M::number(std::nan("")))), Not(IsEmpty()));
    EXPECT_THAT(refused(signals(1), with("TXangle", M::number(12))), HasSubstr("rad"));
    EXPECT_THAT(
        refused(signals(1), with("TXdelay", M::row(std::vector<double>(kElements, std::nan(""))))),
        HasSubstr("transmit 1"));
    EXPECT_THAT(refused(signals(1), with("elements", M::row({0, 1e-3}))),
                AllOf(HasSubstr("1 x 2"), HasSubstr("9 columns")));
    EXPECT_THAT(refused(signals(1), with("elements", M::row(std::vector<double>(9, NAN)))),
                AllOf(HasSubstr("elements"), HasSubstr("no finite number")));
    std::vector<double> jumble(kElements);
    for (std::size_t k = 0; k < kElements; ++k) jumble[k] = 1e-6 * static_cast<double>(k * k % 5);
    EXPECT_THAT(refused(signals(1), with("TXdelay", M::row(jumble))), HasSubstr("TXdelay"));
    EXPECT_THAT(refused(nullptr, parameters()), HasSubstr("no array of signals"));
    {
        M mat(m_path);
        mat.add(signals(1));
    }
    EXPECT_THAT(refusalOf(m_path), HasSubstr("no struct 'param'"));
    {
        M mat(m_path);
        mat.add(M::array("a", {1, 1}, std::vector<double>{1}));
    }
    EXPECT_THAT(refusalOf(m_path), AllOf(HasSubstr("'a'"), HasSubstr("exp_data")));
}

} // namespace
} // namespace echolux::test
