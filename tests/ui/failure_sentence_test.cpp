// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/failure_sentence.hpp"

#include "gpu/core/error.hpp"

#include <gtest/gtest.h>

namespace echolux {
namespace {

TEST(FailureSentence, ExhaustedMemoryIsNotNamedByAClass) {
    EXPECT_TRUE(sentenceOf(std::bad_alloc()).startsWith("The memory is exhausted"));
    EXPECT_EQ(sentenceOf(Error("The file ends early.")), "The file ends early.");
}

} // namespace
} // namespace echolux
