// SPDX-License-Identifier: GPL-3.0-or-later
// The example plugins on CUDA.
#include "app/pipeline/plugins.hpp"
#include "gpu/check/stage_check.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/support/gpu.hpp"

#include <gmock/gmock.h>

namespace echolux {
namespace {

TEST(PluginsGpu, TheExamplesAgreeWithTheCpu) {
    ECHOLUX_NEED_GPU();
    ASSERT_TRUE(allowPlugin(ECHOLUX_LEE_PLUGIN).hasCuda);
    EXPECT_THAT(check::backendsAgree(stageType("lee_filter")), testing::IsEmpty());
    ASSERT_TRUE(allowPlugin(ECHOLUX_SPEED_PLUGIN).hasCuda);
    EXPECT_THAT(check::backendsAgree(stageType("speed_of_sound")), testing::IsEmpty());
}

} // namespace
} // namespace echolux
