// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels on a card: no rate is beyond theory, none is far below.
#include "gpu/microbench/microbench.hpp"
#include "tests/support/gpu.hpp"

#include <gtest/gtest.h>

#include <array>

namespace echolux::microbench {
namespace {

TEST(CardRates, AreNearTheory) {
    ECHOLUX_NEED_GPU();
    const Stream stream(Backend::Cuda, "microbench");
    const Report report = measureCard({Backend::Cuda, stream.get()}, nullptr);
    const model::Rates& measured = report.device.measured;
    const device::Limits limits = device::limits();
    EXPECT_LT(measured.global, 1.02 * limits.memoryBytesPerSecond);
    EXPECT_GT(measured.global, 0.6 * limits.memoryBytesPerSecond);
    // The numbers per clock of all cards since 2010: half as many FMUL and FADD as FFMA operations.
    for (const double half : {measured.fmul, measured.fadd})
        EXPECT_NEAR(half / measured.ffma, 0.5, 0.05);
    EXPECT_LT(measured.special, measured.fmul);
    EXPECT_LE(measured.offsetLow, 1.02 * measured.offsetHigh);
    EXPECT_GT(measured.launch, 0.0);
    EXPECT_LT(measured.launch, 1e-4);
    EXPECT_GT(measured.latency, 1e-7);
    EXPECT_LT(measured.latency, 3e-6);
}

TEST(CardRates, FiguresOfEveryExperimentAreThere) {
    ECHOLUX_NEED_GPU();
    const Stream stream(Backend::Cuda, "microbench");
    const Report report = measureCard({Backend::Cuda, stream.get()}, nullptr);
    const auto countOf = [&](const char* group) {
        std::size_t count = 0;
        for (const Figure& figure : report.figures) {
            if (figure.group != group) continue;
            ++count;
            EXPECT_GT(figure.measured, 0.0) << figure.name;
        }
        return count;
    };
    EXPECT_EQ(countOf("mixes"), 10U);
    EXPECT_EQ(countOf("global and shared"), 8U);
    EXPECT_EQ(countOf("shared stores per load"), 12U);
    EXPECT_EQ(countOf("active blocks"), 8U);
}

} // namespace
} // namespace echolux::microbench
