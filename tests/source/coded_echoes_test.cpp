// SPDX-License-Identifier: GPL-3.0-or-later
// Records of codes against the code times the full matrix.
#include "app/source/echo_simulator.hpp"

#include "app/source/array_design.hpp"
#include "app/source/transmit_design.hpp"
#include "gpu/core/error.hpp"
#include "gpu/decoding/codes.hpp"
#include "tests/source/point_echoes.hpp"
#include "tests/source/signal_tools.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>

namespace echolux {

namespace {

using test::kSpeed;
using test::mostOf;
using test::pointAt;
using test::traceOf;
using testing::HasSubstr;

constexpr double kCodedHz = 5e6;

EchoSetup coded(const Probe& probe, SpatialCode code, double samplingHz) {
    EchoSetup setup = test::setupOf(probe);
    setup.samplingHz = samplingHz;
    if (code != SpatialCode::None) addCoded(setup, code);
    for (std::size_t e = 0; code == SpatialCode::None && e < probe.elements.size(); ++e)
        setup.acquisition.transmits.push_back(singleElement(probe, std::int64_t(e)));
    return setup;
}

Phantom threePoints() {
    Phantom phantom;
    phantom.still = {{1e-3, 12e-3, 1.0, 0.0}, {-2e-3, 19e-3, -0.6, 0.0}, {0.2e-3, 7e-3, 0.3, 0.0}};
    return phantom;
}

TEST(CodedEchoes, codedRecordsAreTheCodeTimesTheFullMatrix) {
    const auto check = [](SpatialCode code, const decoding::CodeMatrix& matrix) {
        const Probe probe = linearProbe(std::int64_t(matrix.rows), {});
        EchoSimulator alone(coded(probe, SpatialCode::None, 20e6), threePoints());
        EchoSimulator together(coded(probe, code, 20e6), threePoints());
        ASSERT_EQ(alone.frame().count(), together.frame().count());
        const auto single = alone.echoes(0);
        const auto sums = together.echoes(0);
        const std::size_t record = single.size() / matrix.rows;
        const double most = mostOf(sums);
        for (std::size_t t = 0; t < matrix.rows; ++t) {
            const Transmit& transmit = together.frame().acquisition->transmits[t];
            EXPECT_EQ(transmit.wave, Wave::Plane);
            EXPECT_EQ(transmit.firstSampleS, alone.frame().acquisition->transmits[0].firstSampleS);
            for (std::size_t e = 0; e < matrix.rows; ++e)
                EXPECT_EQ(transmit.apodization[e], float(matrix.at(t, e)));
            for (std::size_t i = 0; i < record; ++i) {
                double expected = 0.0;
                for (std::size_t e = 0; e < matrix.rows; ++e)
                    expected += matrix.at(t, e) * single[e * record + i];
                ASSERT_NEAR(sums[t * record + i], expected, 1e-12 * most);
            }
        }
    };
    check(SpatialCode::Hadamard, decoding::hadamard(8));
    check(SpatialCode::SSequence, decoding::sMatrix(7));
}

/// y_t(s) = sum over e of a_te x_e(s - tau_e - d_te), on the common clock.
void expectDelayedSum(const Probe& probe, SpatialCode code, const decoding::CodeMatrix& matrix) {
    constexpr double kFineHz = 80e6;
    EchoSimulator alone(coded(probe, SpatialCode::None, kFineHz), pointAt({0.8e-3, 0.0, 9e-3}));
    EchoSimulator together(coded(probe, code, kFineHz), pointAt({0.8e-3, 0.0, 9e-3}));
    const auto& records = together.frame().acquisition->transmits;
    std::vector<test::Analytic> single;
    for (std::size_t e = 0; e < matrix.rows; ++e)
        single.emplace_back(traceOf(alone, std::int64_t(e), 2));
    for (const std::size_t t : {std::size_t{1}, matrix.rows - 1}) {
        EXPECT_EQ(records[t].firstSampleS, records[0].firstSampleS);
        const test::Analytic whole(traceOf(together, std::int64_t(t), 2));
        const double middle = (2.0 * 9e-3 / kSpeed - records[t].firstSampleS) * kFineHz;
        for (double at = middle - 20.0; at < middle + 40.0; at += 7.3) {
            const double seconds = records[t].firstSampleS + at / kFineHz;
            std::complex<double> sum = 0.0;
            for (std::size_t e = 0; e < matrix.rows; ++e) {
                const double entry = matrix.at(t, e);
                const bool late = code == SpatialCode::HadamardDelays && entry < 0.0;
                const double fires = probe.elements[e].z / kSpeed + (late ? 0.5 / kCodedHz : 0.0);
                const double first = alone.frame().acquisition->transmits[e].firstSampleS;
                sum += (code == SpatialCode::HadamardDelays ? 1.0 : entry) *
                       single[e].at((seconds - fires - first) * kFineHz);
            }
            EXPECT_NEAR(std::abs(whole.at(at) - sum), 0.0, 0.01) << at;
        }
    }
}

TEST(CodedEchoes, elementsOfAnArcFireAsForThePlaneWave) {
    expectDelayedSum(curvedProbe(8, 12e-3, {}), SpatialCode::Hadamard, decoding::hadamard(8));
    expectDelayedSum(curvedProbe(7, 12e-3, {}), SpatialCode::SSequence, decoding::sMatrix(7));
}

TEST(CodedEchoes, delaysStandForSigns) {
    const Probe probe = linearProbe(4, {});
    const EchoSetup setup = coded(probe, SpatialCode::HadamardDelays, 20e6);
    EXPECT_EQ(setup.acquisition.transmits[3].apodization, std::vector<float>(4, 1.0F));
    EXPECT_EQ(firingTimes(setup, std::size_t{1}), (std::vector<double>{0.0, 1e-7, 0.0, 1e-7}));
    expectDelayedSum(probe, SpatialCode::HadamardDelays, decoding::hadamard(4));
    expectDelayedSum(curvedProbe(8, 12e-3, {}), SpatialCode::HadamardDelays, decoding::hadamard(8));
}

TEST(CodedEchoes, refuseOtherNumbersOfElements) {
    const auto refusal = [](std::int64_t elements, SpatialCode code) -> std::string {
        try {
            coded(linearProbe(elements, {}), code, 20e6);
        } catch (const Error& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(refusal(16, SpatialCode::Hadamard), "accepted");
    EXPECT_THAT(refusal(12, SpatialCode::Hadamard), HasSubstr("choose 8 or 16"));
    EXPECT_THAT(refusal(12, SpatialCode::HadamardDelays), HasSubstr("choose 8 or 16"));
    EXPECT_THAT(refusal(8, SpatialCode::SSequence), HasSubstr("choose 7 or 15"));
}

} // namespace

} // namespace echolux
