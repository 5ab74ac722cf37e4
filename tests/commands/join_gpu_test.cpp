// SPDX-License-Identifier: GPL-3.0-or-later
// echolux join, on CUDA: files that are to the byte those of one process.
#include "tests/commands/join_run.hpp"
#include "tests/support/gpu.hpp"

namespace echolux {
namespace {

using test::coarse;
using test::kCine;
using test::kOct;
using test::kVessel;
using test::Words;
using testing::HasSubstr;

class JoinCommandGpu : public test::JoinTest {
protected:
    JoinCommandGpu() : JoinTest("cuda") {}
    void SetUp() override { ECHOLUX_NEED_GPU(); }
};

TEST_F(JoinCommandGpu, FilesAreToTheByteThoseOfOneProcess) {
    expectSameFile(".npz", parts({"1:1", "2:6", "7:32"}), "");
    const Words slow{"--set", "persistence.amount=0.7"};
    expectSameFile(".npy", parts({"1:3", "4:6"}, slow), "1:6", slow);
    expectSameFile(".npy", parts({"1:2", "3:12"}, {}, kOct), "1:12", {}, kOct);
    const Words packets{"--pipeline", "colour_flow", "--output-of", "velocity"};
    expectSameFile(".npz", parts({"1:16", "17:48"}, packets, kVessel), "", packets, kVessel);
    const Words sliding{"--pipeline", "colour_flow_sliding", "--output-of", "velocity"};
    expectSameFile(".npy", parts({"1:5", "6:20"}, sliding, kVessel), "1:20", sliding, kVessel);
}

TEST_F(JoinCommandGpu, PartsOfTheOtherBackendAreRefused) {
    const Words made = parts({"1:2"});
    Words words{"export", kCine, "-o", file("other.part"), "--backend", "cpu", "--frames", "3:4"};
    for (const std::string& word : coarse()) words.push_back(word);
    ASSERT_EQ(test::runEcholux(words).status, 0);
    EXPECT_THAT(refusedJoin({made[0], file("other.part")}, {"--frames", "1:4"}),
                HasSubstr("may round differently"));
}

} // namespace
} // namespace echolux
