// SPDX-License-Identifier: GPL-3.0-or-later
// upsample on CUDA, over records longer than a block takes, against the CPU.
#include "tests/gpu/beamform_run.hpp"
#include "tests/support/gpu.hpp"
#include "tests/support/near.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace echolux::test {
namespace {

TEST(UpsampleGpu, LongRecordsAgreeWithTheCpu) {
    ECHOLUX_NEED_GPU();
    Scan scan;
    scan.elements = 2;
    scan.samples = 2061;
    for (const DType dtype : {DType::F32, DType::ComplexF32}) {
        const HostFrame noise = noiseOf(specOf(scan, dtype, isComplex(dtype) ? scan.fcHz : 0.0), 5);
        for (const std::int64_t factor : {2, 3, 4}) {
            for (const std::int64_t taps : {7, 11, 12}) {
                SCOPED_TRACE(fmt::format("x {}, {} taps, {}", factor, taps,
                                         isComplex(dtype) ? "complex" : "real"));
                const Settings settings{{"factor", factor}, {"taps", taps}};
                const HostFrame expected = runStage("upsample", noise, settings);
                const HostFrame actual = runStage("upsample", noise, settings, Backend::Cuda);
                expectNear(actual.as<float>(), expected.as<float>(), 2e-6);
            }
        }
    }
}

} // namespace
} // namespace echolux::test
