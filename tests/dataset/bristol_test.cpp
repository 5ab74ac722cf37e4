// SPDX-License-Identifier: GPL-3.0-or-later
// exp_data .mat files written here through matio: any order of pairs, half and partial matrices.
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

using M = MatBuilder;

constexpr int kBristolElements = 4;
constexpr std::size_t kSamples = 6;

/// What a test varies of exp_data. The trace of (tx, rx) holds 100 tx + 10 rx + n, from 1.
struct ExpData {
    std::vector<std::pair<int, int>> pairs;
    double centre = 0.0;
    std::vector<double> time;
    bool lying = false; ///< traces as rows
    bool material = false;
    std::vector<std::string> without;

    ExpData() {
        for (int tx = 1; tx <= kBristolElements; ++tx)
            for (int rx = 1; rx <= kBristolElements; ++rx) pairs.emplace_back(tx, rx);
        for (std::size_t n = 0; n < kSamples; ++n)
            time.push_back(2e-6 + 4e-8 * static_cast<double>(n));
    }

    void write(const std::filesystem::path& path, mat_ft version = MAT_FT_MAT5) const {
        std::vector<double> tx;
        std::vector<double> rx;
        std::vector<double> traces(pairs.size() * time.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            tx.push_back(pairs[i].first);
            rx.push_back(pairs[i].second);
            for (std::size_t n = 0; n < time.size(); ++n)
                traces[lying ? n * pairs.size() + i : i * time.size() + n] =
                    100.0 * pairs[i].first + 10.0 * pairs[i].second + static_cast<double>(n);
        }
        std::vector<double> x;
        std::vector<double> edge;
        for (int k = 0; k < kBristolElements; ++k) {
            x.push_back(centre + (k - 1.5) * 0.6e-3);
            edge.push_back(x.back() + 0.25e-3);
        }
        const std::vector<std::size_t> dims =
            lying ? std::vector<std::size_t>{pairs.size(), time.size()}
                  : std::vector<std::size_t>{time.size(), pairs.size()};
        M::Fields fields;
        const auto add = [&](const char* name, matvar_t* value) {
            if (std::ranges::find(without, name) == without.end())
                fields.emplace_back(name, value);
            else
                Mat_VarFree(value);
        };
        add("time_data", M::array<double>(nullptr, dims, traces));
        add("time", M::array<double>(nullptr, {time.size(), 1}, time));
        add("tx", M::row(tx));
        add("rx", M::row(rx));
        add("array", M::structure(nullptr, {{"el_xc", M::row(x)},
                                            {"el_x1", M::row(edge)},
                                            {"centre_freq", M::number(5e6)}}));
        if (material)
            add("material",
                M::structure(nullptr, {{"vel_spherical_harmonic_coeffs", M::row({5900, 1, 2})}}));
        else
            add("ph_velocity", M::number(6300));
        M mat(path, version, MAT_COMPRESSION_NONE);
        mat.add(M::structure("exp_data", fields));
    }
};

class Bristol : public testing::Test {
protected:
    std::unique_ptr<Recording> open(const ExpData& data, mat_ft version = MAT_FT_MAT5) {
        data.write(m_path, version);
        return openRecording(m_path);
    }
    std::string refusal(const ExpData& data) {
        data.write(m_path);
        return refusalOf(m_path);
    }
    TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "capture.mat";
};

TEST_F(Bristol, FullMatrixInAnyOrderOfPairs) {
    for (const bool lying : {false, true})
        for (const auto version : {MAT_FT_MAT5, MAT_FT_MAT73}) {
            ExpData data;
            data.lying = lying;
            std::mt19937 random(7);
            std::ranges::shuffle(data.pairs, random);
            const auto recording = open(data, version);
            const RecordingInfo& info = recording->info();
            EXPECT_EQ(info.frame.describe(), "f32 [transmit 4][channel 4][sample 6]");
            EXPECT_EQ(info.frameCount, 1);
            EXPECT_NEAR(info.frame.samplingFrequencyHz(), 25e6, 1.0);
            EXPECT_EQ(info.frame.centreFrequencyHz, 5e6);
            const Acquisition& acquisition = *info.frame.acquisition;
            EXPECT_EQ(acquisition.soundSpeedMps, 6300.0);
            EXPECT_THAT(acquisition.receiveWeights, IsEmpty());
            EXPECT_NEAR(acquisition.probe.pitchM, 0.6e-3, 1e-12);
            EXPECT_NEAR(acquisition.probe.elementWidthM, 0.5e-3, 1e-12);
            for (int t = 0; t < kBristolElements; ++t) {
                EXPECT_EQ(acquisition.transmits[t].wave, Wave::Element);
                EXPECT_NEAR(acquisition.transmits[t].source.x, (t - 1.5) * 0.6e-3, 1e-12);
                EXPECT_NEAR(acquisition.transmits[t].firstSampleS, 2e-6, 1e-12);
            }
            const auto values = frameOf(*recording);
            for (int t = 0; t < kBristolElements; ++t)
                for (int e = 0; e < kBristolElements; ++e)
                    for (int n = 0; n < 6; ++n)
                        ASSERT_EQ(values[(t * kBristolElements + e) * 6 + n],
                                  100.0 * (t + 1) + 10.0 * (e + 1) + n);
        }
}

/// First sample of what each element receives of each transmit.
double firstSample(int tx, int rx) { return 100.0 * tx + 10.0 * rx; }

TEST_F(Bristol, HalfMatrixIsFilledByReciprocity) {
    for (const bool upper : {true, false}) {
        ExpData data;
        std::erase_if(data.pairs, [&](const auto& p) {
            return upper ? p.first > p.second : p.first < p.second;
        });
        const auto recording = open(data);
        const Acquisition& acquisition = *recording->info().frame.acquisition;
        const auto values = frameOf(*recording);
        EXPECT_THAT(acquisition.receiveWeights, IsEmpty());
        for (int t = 0; t < kBristolElements; ++t)
            for (int e = 0; e < kBristolElements; ++e) {
                const int tx = (upper ? std::min(t, e) : std::max(t, e)) + 1;
                const int rx = (upper ? std::max(t, e) : std::min(t, e)) + 1;
                for (int n = 0; n < 6; ++n)
                    ASSERT_EQ(values[(t * kBristolElements + e) * 6 + n], firstSample(tx, rx) + n);
            }
        EXPECT_THAT(recording->info().notes,
                    testing::Contains(testing::Pair("Capture", HasSubstr("half matrix, 10 of"))));
        EXPECT_THAT(recording->info().notes,
                    testing::Contains(testing::Pair("Reciprocity", HasSubstr("6 of 16 pairs"))));
    }
}

TEST_F(Bristol, HalfMatrixWithoutPulseEchoHasATransmitForTheLastElementToo) {
    ExpData data;
    std::erase_if(data.pairs, [](const auto& p) { return p.first >= p.second; });
    const auto recording = open(data);
    const Acquisition& acquisition = *recording->info().frame.acquisition;
    ASSERT_EQ(acquisition.transmits.size(), 4U);
    const auto values = frameOf(*recording);
    for (int t = 0; t < kBristolElements; ++t)
        for (int e = 0; e < kBristolElements; ++e) {
            EXPECT_EQ(acquisition.receiveWeights[t * kBristolElements + e], t == e ? 0.0F : 1.0F);
            EXPECT_EQ(values[(t * kBristolElements + e) * 6],
                      t == e ? 0.0 : firstSample(std::min(t, e) + 1, std::max(t, e) + 1));
        }
}

TEST_F(Bristol, PartialMatrixCountsWhatItHoldsOnce) {
    ExpData data;
    std::erase_if(data.pairs, [](const auto& p) { return p.first == 2 || p.second == 4; });
    const auto recording = open(data);
    const Acquisition& acquisition = *recording->info().frame.acquisition;
    EXPECT_EQ(recording->info().frame.sizeOf(AxisName::Transmit), 3);
    EXPECT_NEAR(acquisition.transmits[1].source.x, 0.5 * 0.6e-3, 1e-12) << "element 3 of 4";
    EXPECT_THAT(acquisition.receiveWeights,
                testing::ElementsAre(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0));
    const auto values = frameOf(*recording);
    EXPECT_EQ(values[1 * 24], firstSample(3, 1));
    EXPECT_EQ(values[0 * 24 + 3 * 6], firstSample(4, 1)) << "filled in";
    EXPECT_EQ(values[2 * 24 + 3 * 6], 0.0) << "recorded in neither direction";
}

TEST_F(Bristol, OriginMovesToTheArraysCentre) {
    ExpData data;
    data.centre = 3e-3;
    data.material = true;
    const auto recording = open(data);
    const Acquisition& acquisition = *recording->info().frame.acquisition;
    EXPECT_NEAR(acquisition.probe.elements[0].x, -0.9e-3, 1e-12);
    EXPECT_NEAR(acquisition.transmits[0].source.x, -0.9e-3, 1e-12);
    EXPECT_EQ(acquisition.soundSpeedMps, 5900.0);
    EXPECT_THAT(recording->info().notes,
                testing::Contains(testing::Pair("Origin", HasSubstr("3.0000 mm"))));
}

TEST_F(Bristol, MissingSpeedIsSaid) {
    ExpData data;
    data.without = {"ph_velocity"};
    EXPECT_THAT(open(data)->info().warnings, testing::Contains(HasSubstr("1540")));
}

TEST_F(Bristol, Refusals) {
    const auto without = [&](const char* field) {
        ExpData data;
        data.without = {field};
        return refusal(data);
    };
    for (const char* field : {"time_data", "time", "tx", "rx", "array"})
        EXPECT_THAT(without(field), AllOf(HasSubstr("exp_data lacks"), HasSubstr(field)));

    ExpData data;
    data.pairs[3].second = 9;
    EXPECT_THAT(refusal(data),
                AllOf(HasSubstr("rx of trace 4"), HasSubstr("is 9"), HasSubstr("1 to 4")));
    data = {};
    data.pairs[3] = data.pairs[2];
    EXPECT_THAT(refusal(data), HasSubstr("stored twice"));
    data = {};
    data.time[2] += 1e-8;
    EXPECT_THAT(refusal(data), HasSubstr("not uniform"));
    data = {};
    data.time[2] = std::nan("");
    EXPECT_THAT(refusal(data), HasSubstr("not uniform"));
    data = {};
    data.time = {1e-6};
    EXPECT_THAT(refusal(data), HasSubstr("one entry"));
    data = {};
    std::ranges::reverse(data.time);
    EXPECT_THAT(refusal(data), HasSubstr("not uniform"));
    data = {};
    data.centre = std::nan("");
    EXPECT_THAT(refusal(data), HasSubstr("position of element 0"));
}

TEST_F(Bristol, ShapesThatDisagree) {
    {
        M mat(m_path);
        mat.add(M::structure(
            "exp_data", {{"time_data", M::array<double>(nullptr, {3, 2}, countedUp<double>(6))},
                         {"time", M::row({0, 1e-8, 2e-8, 3e-8})},
                         {"tx", M::row({1, 1})},
                         {"rx", M::row({1, 2})},
                         {"array", M::structure(nullptr, {{"el_xc", M::row({-1e-3, 1e-3})}})}}));
    }
    EXPECT_THAT(refusalOf(m_path), AllOf(HasSubstr("3 x 2"), HasSubstr("time has 4 entries")));
}

} // namespace
} // namespace echolux::test
