// SPDX-License-Identifier: GPL-3.0-or-later
// decode and refocus on CUDA against the CPU: more senders and receivers than a tile has, and
// records that do not fill one.
#include "gpu/decoding/codes.hpp"
#include "tests/gpu/beamform_run.hpp"
#include "tests/gpu/coded_transmits.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/near.hpp"

#include <gtest/gtest.h>

namespace echolux::test {
namespace {

void expectBothAgree(const char* stage, const FrameSpec& sent, const Settings& settings,
                     double relative) {
    const HostFrame noise = noiseOf(sent, 5);
    const HostFrame expected = runStage(stage, noise, settings);
    const HostFrame actual = runStage(stage, noise, settings, Backend::Cuda);
    expectNear(actual.as<float>(), expected.as<float>(), relative);
}

TEST(DecodingGpu, DecodeAgreesWithTheCpu) {
    ECHOLUX_NEED_GPU();
    for (const bool mixed : {false, true}) {
        const FrameSpec array = fullMatrix(mixed);
        decoding::CodeMatrix code{16, kElements, {}};
        for (std::size_t t = 0; t < 16; ++t)
            for (std::size_t e = 0; e < static_cast<std::size_t>(kElements); ++e)
                code.values.push_back(decoding::hadamard(16).at(t, e));
        const FrameSpec sent = sendingCode(array, code);
        expectBothAgree("decode", sent, {}, 1e-6);
        expectBothAgree("decode", ensembleOf(sent, 3), {}, 1e-6);
    }
}

TEST(DecodingGpu, RefocusAgreesWithTheCpu) {
    ECHOLUX_NEED_GPU();
    for (const bool mixed : {false, true}) {
        for (const char* method : {"adjoint", "inverse"}) {
            const FrameSpec sent = sending(fullMatrix(mixed), variousWaves());
            expectBothAgree("refocus", sent, {{"method", std::string(method)}}, 1e-4);
        }
    }
}

} // namespace
} // namespace echolux::test
