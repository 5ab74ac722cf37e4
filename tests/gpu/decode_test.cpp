// SPDX-License-Identifier: GPL-3.0-or-later
// decode against records of single elements in closed form, and codes against their properties.
#include "gpu/decoding/pseudo_inverse.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/gpu/coded_transmits.hpp"
#include "tests/support/near.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing_support::refusal;

decoding::CodeMatrix firstColumns(const decoding::CodeMatrix& of, std::size_t columns) {
    decoding::CodeMatrix made{of.rows, columns, {}};
    for (std::size_t row = 0; row < of.rows; ++row)
        for (std::size_t column = 0; column < columns; ++column)
            made.values.push_back(of.at(row, column));
    return made;
}

decoding::CodeMatrix anyCode(std::size_t rows, std::size_t columns) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    decoding::CodeMatrix made{rows, columns, {}};
    for (std::size_t i = 0; i < rows * columns; ++i) made.values.push_back(normal(random));
    return made;
}

/// Records of each element on its own clock, of as many firings as `spec` has transmits.
HostFrame alone(const FrameSpec& decoded) {
    std::vector<Complex> values;
    for (std::size_t s = 0; s < decoded.acquisition->transmits.size(); ++s) {
        const Transmit& fired = decoded.acquisition->transmits[s];
        for (std::size_t r = 0; r < kElements; ++r)
            for (std::int64_t n = 0; n < kEchoSamples; ++n)
                values.push_back(echoAt(decoded, s, r,
                                        static_cast<double>(n) / kSamplingHz + fired.firstSampleS,
                                        0.0, fired.iqPhaseZeroS));
    }
    return frameOf(decoded, values);
}

/// A frame of what is recorded of a code, decoded.
void expectDecoded(const FrameSpec& array, const decoding::CodeMatrix& code,
                   double angleRad = 0.0) {
    const FrameSpec sent = sendingCode(array, code, angleRad);
    const HostFrame out = runStage("decode", sentTogether(array, sent));
    ASSERT_EQ(out.spec.axes[0].size, kElements);
    for (std::size_t e = 0; e < kElements; ++e) {
        const Transmit& fired = out.spec.acquisition->transmits[e];
        EXPECT_EQ(fired.wave, Wave::Element);
        EXPECT_EQ(fired.source, array.acquisition->probe.elements[e]);
    }
    expectNear(out.as<float>(), alone(out.spec).as<float>(), 1e-6);
}

FrameSpec curvedMatrix(bool mixed) {
    FrameSpec spec = fullMatrix(mixed);
    auto acquisition = std::make_shared<Acquisition>(*spec.acquisition);
    for (std::size_t e = 0; e < kElements; ++e) {
        Point& at = acquisition->probe.elements[e];
        at.z = 20.0 * at.x * at.x;
        at.y = 0.4e-3 * static_cast<double>(e % 3);
    }
    spec.acquisition = acquisition;
    return spec;
}

TEST(Decode, EachElementIsHeardAloneWhateverTheCode) {
    for (const bool mixed : {false, true}) {
        for (const FrameSpec& array : {fullMatrix(mixed), curvedMatrix(mixed)}) {
            expectDecoded(array, firstColumns(decoding::hadamard(16), kElements));
            expectDecoded(array, firstColumns(decoding::sMatrix(15), kElements));
            expectDecoded(array, anyCode(14, kElements));
        }
    }
}

TEST(Decode, ElementsThatFireAtTheTimeOfAWaveHaveClocksOfTheirOwn) {
    expectDecoded(fullMatrix(false), firstColumns(decoding::hadamard(16), kElements), 0.2);
    expectDecoded(curvedMatrix(true), firstColumns(decoding::hadamard(16), kElements), 0.2);
}

TEST(Decode, ACodeThatTheRecordingDoesNotTellIsNamed) {
    for (const bool isS : {false, true}) {
        const FrameSpec array = fullMatrix(false);
        const decoding::CodeMatrix code =
            firstColumns(isS ? decoding::sMatrix(15) : decoding::hadamard(16), kElements);
        HostFrame recorded = sentTogether(array, sendingCode(array, code));
        auto acquisition = std::make_shared<Acquisition>(*recorded.spec.acquisition);
        for (Transmit& transmit : acquisition->transmits) transmit.apodization.clear();
        recorded.spec.acquisition = acquisition;
        const HostFrame out =
            runStage("decode", recorded, {{"code", std::string(isS ? "s_sequence" : "hadamard")}});
        expectNear(out.as<float>(), alone(out.spec).as<float>(), 1e-6);
    }
}

/// 8 firings, named by the elements to which the columns belong.
TEST(Decode, TransmitsOfSingleElementsNameTheColumns) {
    FrameSpec array = fullMatrix(false);
    std::vector<Transmit> waves;
    for (std::size_t t = 0; t < 8; ++t) {
        Transmit wave;
        wave.wave = Wave::Element;
        wave.source = array.acquisition->probe.elements[t + 2];
        waves.push_back(wave);
    }
    const FrameSpec sent = sending(array, waves);
    decoding::CodeMatrix code{8, kElements, std::vector<double>(8 * kElements)};
    for (std::size_t t = 0; t < 8; ++t)
        for (std::size_t e = 0; e < 8; ++e) code.at(t, e + 2) = decoding::hadamard(8).at(t, e);
    HostFrame recorded = sentTogether(array, sendingCode(array, code));
    recorded.spec = sent;
    const HostFrame out = runStage("decode", recorded, {{"code", std::string("hadamard")}});
    ASSERT_EQ(out.spec.axes[0].size, 8);
    const HostFrame each = alone(sending(array, std::vector<Transmit>(kElements)));
    const auto from = static_cast<std::size_t>(2 * kElements * kEchoSamples);
    expectNear(out.as<float>(), each.as<float>().subspan(from, out.as<float>().size()), 1e-6);
    EXPECT_EQ(out.spec.acquisition->transmits[3].source, waves[3].source);
}

TEST(Decode, FramesOfAnEnsembleAreDecodedAlike) {
    const FrameSpec array = fullMatrix(true);
    const HostFrame one =
        sentTogether(array, sendingCode(array, firstColumns(decoding::hadamard(16), kElements)));
    HostFrame several(ensembleOf(one.spec, 3));
    for (std::size_t i = 0; i < several.bytes.size(); ++i)
        several.bytes[i] = one.bytes[i % one.bytes.size()];
    const HostFrame decoded = runStage("decode", one);
    const HostFrame all = runStage("decode", several);
    ASSERT_EQ(all.bytes.size(), 3 * decoded.bytes.size());
    for (std::size_t i = 0; i < all.bytes.size(); ++i)
        ASSERT_EQ(all.bytes[i], decoded.bytes[i % decoded.bytes.size()]);
}

TEST(Decode, RefusesWhatCannotBeToldApart) {
    const auto said = [](const FrameSpec& spec, const char* code = "recorded") {
        return refusal([&] { runStage("decode", HostFrame(spec), {{"code", std::string(code)}}); });
    };
    const FrameSpec array = fullMatrix(false);
    decoding::CodeMatrix twice = firstColumns(decoding::hadamard(16), kElements);
    for (std::size_t t = 0; t < 16; ++t) twice.at(t, 3) = twice.at(t, 5);
    EXPECT_THAT(said(sendingCode(array, twice)), HasSubstr("condition number inf"));
    for (std::size_t t = 0; t < 16; ++t) twice.at(t, 3) *= t == 0 ? 1.00001 : 1.0;
    EXPECT_THAT(said(sendingCode(array, twice)), HasSubstr("condition number"));
    EXPECT_THAT(said(sendingCode(array, anyCode(11, kElements))),
                HasSubstr("11 transmits cannot tell apart 12 elements"));
    EXPECT_THAT(said(sendingCode(array, anyCode(14, kElements)), "hadamard"),
                HasSubstr("power of two"));
    EXPECT_THAT(said(sendingCode(array, anyCode(16, kElements)), "s_sequence"),
                HasSubstr("less one"));
    EXPECT_THAT(said(array), HasSubstr("records begin at another time"));
    std::vector<Transmit> waves(12);
    for (std::size_t t = 0; t < waves.size(); ++t)
        waves[t].angleRad = 0.02 * static_cast<double>(t);
    EXPECT_THAT(said(sending(array, waves)), HasSubstr("use 'refocus'"));
    for (Transmit& wave : waves) wave.wave = Wave::None;
    EXPECT_THAT(said(sending(array, waves)), HasSubstr("nothing is sent"));
    decoding::CodeMatrix silent = firstColumns(decoding::hadamard(16), kElements);
    std::ranges::fill(silent.values, 0.0);
    EXPECT_THAT(said(sendingCode(array, silent)), HasSubstr("no element fires"));
    FrameSpec other = sendingCode(array, anyCode(14, kElements));
    other.axes[0].size = 13;
    EXPECT_THAT(said(other), HasSubstr("does not fit the frame"));
    FrameSpec unknown = array;
    unknown.acquisition = nullptr;
    EXPECT_THAT(said(unknown), HasSubstr("tells none"));
}

/// H H^T = N I, so all singular values are alike; S S^T = (N + 1) / 4 (I + 1 1^T), whose
/// eigenvalues are (N + 1) / 4 and (N + 1)^2 / 4.
TEST(Codes, HaveTheConditionOfTheirTheory) {
    for (const std::size_t size : {1, 2, 16, 64})
        EXPECT_NEAR(decoding::pseudoInverse(decoding::hadamard(size)).condition, 1.0, 1e-12);
    for (const std::size_t size : {1, 7, 31}) {
        const double theory = std::sqrt(static_cast<double>(size) + 1.0);
        EXPECT_NEAR(decoding::pseudoInverse(decoding::sMatrix(size)).condition,
                    size == 1 ? 1.0 : theory, 1e-9);
    }
    EXPECT_FALSE(decoding::hasHadamard(12));
    EXPECT_FALSE(decoding::hasHadamard(0));
    EXPECT_FALSE(decoding::hasSMatrix(0));
    EXPECT_FALSE(decoding::hasSMatrix(8));
}

TEST(PseudoInverse, TimesTheMatrixIsOne) {
    for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{9, 9}, {20, 7}}) {
        const decoding::CodeMatrix code = anyCode(rows, columns);
        const decoding::CodeMatrix inverse = decoding::pseudoInverse(code).matrix;
        for (std::size_t i = 0; i < columns; ++i) {
            for (std::size_t j = 0; j < columns; ++j) {
                double sum = 0.0;
                for (std::size_t k = 0; k < rows; ++k) sum += inverse.at(i, k) * code.at(k, j);
                EXPECT_NEAR(sum, i == j ? 1.0 : 0.0, 1e-12);
            }
        }
    }
}

} // namespace
} // namespace echolux::test
