// SPDX-License-Identifier: GPL-3.0-or-later
// Every registered stage on both backends, over generated shapes and parameters, within the
// tolerance that its type states. A failure prints stage, seed and parameters.
#include "gpu/check/stage_check.hpp"
#include "gpu/stage/registry.hpp"
#include "gpu/stages/aberration.hpp"
#include "tests/support/gpu.hpp"

#include <gmock/gmock.h>

namespace echolux::test {
namespace {

std::vector<const StageType*> allStages() {
    return {builtinStages().begin(), builtinStages().end()};
}

/// What an iteration of Herikstad's makes of noise has phases like noise, whose whole turns hang on
/// the last digit; AberrationGpu compares it on echoes.
bool isTossed(const check::StageCase& each) {
    return each.type->id == "aberration" &&
           aberration::isIterated(each.params.as<AberrationParams>().method);
}

class Parity : public testing::TestWithParam<const StageType*> {};

TEST_P(Parity, BothBackendsAgree) {
    ECHOLUX_NEED_GPU();
    EXPECT_THAT(check::backendsAgree(*GetParam(), isTossed), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Registry, Parity, testing::ValuesIn(allStages()),
                         [](const auto& each) { return each.param->id; });

} // namespace
} // namespace echolux::test
