// SPDX-License-Identifier: GPL-3.0-or-later
// Who waits for whom in the C interface: frames are computed by a thread of the pipeline, policies
// act while one is computed, and no call waits in a circle.
#include "app/library/echolux.h"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace echolux {
namespace {

using testing::Each;
using testing::HasSubstr;

using Image = std::array<float, 64>;

const std::string kWithGate = std::string("version = 3\n[[plugin]]\nlibrary = \"") +
                              ECHOLUX_GATE_PLUGIN + "\"\n[[stage]]\ntype = \"gate\"\n";
const std::string kGain = "version = 3\n[[stage]]\ntype = \"tgc\"\n";

/// A pipeline of images of 8 x 8 pixels on the CPU.
struct SmallPipeline {
    SmallPipeline(const std::string& text, int queue, int policy = ECHOLUX_BLOCK)
        : spec(echolux_spec_new("f32")) {
        echolux_spec_add_axis(spec, "depth", 8, 1e-4, 0.0, "m");
        echolux_spec_add_axis(spec, "lateral", 8, 1e-4, 0.0, "m");
        handle = echolux_pipeline_new(text.c_str(), spec, "cpu", 0, queue);
        EXPECT_NE(handle, nullptr) << echolux_last_error();
        EXPECT_EQ(echolux_set_policy(handle, policy), ECHOLUX_OK);
    }
    ~SmallPipeline() {
        echolux_pipeline_free(handle);
        echolux_spec_free(spec);
    }
    SmallPipeline(const SmallPipeline&) = delete;
    SmallPipeline& operator=(const SmallPipeline&) = delete;
    /// A frame of this value everywhere.
    int push(int number) const {
        Image frame;
        frame.fill(static_cast<float>(number));
        return echolux_push(handle, frame.data(), sizeof(frame), number);
    }
    int take() const { return echolux_take(handle, 600.0); }
    Image image() const {
        Image image{};
        EXPECT_EQ(echolux_output_copy(handle, "image", image.data(), sizeof(image)), ECHOLUX_OK)
            << echolux_last_error();
        return image;
    }

    echolux_spec* spec;
    echolux_pipeline* handle = nullptr;
};

/// The test's side of the stage `gate`.
class Gate {
public:
    Gate() {
        EXPECT_EQ(echolux_allow_plugin(ECHOLUX_GATE_PLUGIN), ECHOLUX_OK) << echolux_last_error();
        const std::string path = m_folder / "gate";
        setenv("ECHOLUX_TEST_GATE", path.c_str(), 1); // NOLINT: no other thread reads yet
        m_begun = pipe(path + ".begun");
        m_told = pipe(path + ".told");
    }
    ~Gate() {
        close(m_begun);
        close(m_told);
    }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;
    /// Waits until the stage has begun a frame.
    void awaitFrame() const {
        char got = 0;
        EXPECT_EQ(read(m_begun, &got, 1), 1);
    }
    /// '.': the next frame passes; '!': it fails.
    void tell(char what) const { EXPECT_EQ(write(m_told, &what, 1), 1); }

private:
    /// Open for both directions, so that nothing is lost while the stage has it closed.
    static int pipe(const std::string& path) {
        EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
        return open(path.c_str(), O_RDWR); // NOLINT
    }

    test::TemporaryFolder m_folder;
    int m_begun = -1;
    int m_told = -1;
};

TEST(Queue, CallsGoOnWhileAPushWaitsForRoom) {
    const SmallPipeline pipeline(kGain, 1);
    ASSERT_EQ(pipeline.push(1), ECHOLUX_OK);
    std::thread producer([&] { EXPECT_EQ(pipeline.push(2), ECHOLUX_OK); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50)); // it usually waits by then
    auto calls = std::async(std::launch::async, [&] {
        EXPECT_EQ(echolux_set_bypass(pipeline.handle, "tgc", 1), ECHOLUX_OK);
        EXPECT_EQ(echolux_set_text(pipeline.handle, "tgc.bypass", "true"), ECHOLUX_MISUSE);
        EXPECT_EQ(echolux_restart(pipeline.handle), ECHOLUX_OK);
        EXPECT_EQ(echolux_flush(pipeline.handle), ECHOLUX_OK);
        EXPECT_GE(echolux_steps(pipeline.handle), 0);
        EXPECT_GE(echolux_total_seconds(pipeline.handle), 0.0);
    });
    const bool ended = calls.wait_for(std::chrono::seconds(60)) == std::future_status::ready;
    for (const int expected : {1, 2}) {
        EXPECT_EQ(pipeline.take(), ECHOLUX_OK);
        EXPECT_EQ(echolux_result_number(pipeline.handle), expected);
    }
    producer.join();
    EXPECT_TRUE(ended) << "They waited for a result to be taken.";
}

TEST(Queue, APushThatWaitsFollowsAChangeOfThePolicy) {
    const SmallPipeline pipeline(kGain, 1);
    ASSERT_EQ(pipeline.push(1), ECHOLUX_OK);
    std::thread producer([&] { EXPECT_EQ(pipeline.push(2), ECHOLUX_AGAIN); });
    EXPECT_EQ(echolux_set_policy(pipeline.handle, ECHOLUX_REFUSE), ECHOLUX_OK);
    producer.join();
}

TEST(Queue, APushRefusesWhileAFrameIsComputed) {
    const Gate gate;
    const SmallPipeline pipeline(kWithGate, 2, ECHOLUX_REFUSE);
    EXPECT_EQ(pipeline.push(1), ECHOLUX_OK);
    gate.awaitFrame();
    EXPECT_EQ(pipeline.push(2), ECHOLUX_OK);
    EXPECT_EQ(pipeline.push(3), ECHOLUX_AGAIN);
    EXPECT_EQ(echolux_take(pipeline.handle, 0.0), ECHOLUX_AGAIN);
    gate.tell('.');
    gate.tell('.');
    for (const int expected : {1, 2}) {
        EXPECT_EQ(pipeline.take(), ECHOLUX_OK);
        EXPECT_THAT(pipeline.image(), Each(static_cast<float>(expected)));
    }
    EXPECT_EQ(echolux_take_enqueued(pipeline.handle), ECHOLUX_AGAIN);
}

TEST(Queue, APushDropsTheOldestFrameThatIsNotComputed) {
    const Gate gate;
    const SmallPipeline pipeline(kWithGate, 3, ECHOLUX_DROP);
    EXPECT_EQ(pipeline.push(1), ECHOLUX_OK);
    gate.awaitFrame();
    for (const int number : {2, 3, 4, 5}) EXPECT_EQ(pipeline.push(number), ECHOLUX_OK);
    EXPECT_EQ(echolux_dropped(pipeline.handle), 2);
    for (int i = 0; i < 3; ++i) gate.tell('.');
    EXPECT_EQ(echolux_flush(pipeline.handle), ECHOLUX_OK);
    gate.tell('.');
    EXPECT_EQ(pipeline.push(6), ECHOLUX_OK); // in place of the result of 1
    EXPECT_EQ(echolux_dropped(pipeline.handle), 3);
    for (const int expected : {4, 5, 6}) {
        EXPECT_EQ(pipeline.take(), ECHOLUX_OK);
        EXPECT_EQ(echolux_result_number(pipeline.handle), expected);
        EXPECT_THAT(pipeline.image(), Each(static_cast<float>(expected)));
    }
}

TEST(Queue, APushGivesItsFrameUpWhereAllElseIsComputed) {
    const Gate gate;
    const SmallPipeline pipeline(kWithGate, 1, ECHOLUX_DROP);
    EXPECT_EQ(pipeline.push(1), ECHOLUX_OK);
    gate.awaitFrame();
    EXPECT_EQ(pipeline.push(2), ECHOLUX_OK);
    EXPECT_EQ(echolux_dropped(pipeline.handle), 1);
    gate.tell('.');
    EXPECT_EQ(echolux_take_enqueued(pipeline.handle), ECHOLUX_OK); // waits for the frame
    EXPECT_EQ(echolux_result_number(pipeline.handle), 1);
    EXPECT_EQ(echolux_take_enqueued(pipeline.handle), ECHOLUX_AGAIN);
}

TEST(Queue, AnEditHoldsForLaterFramesAlone) {
    const Gate gate;
    const SmallPipeline pipeline(kWithGate, 2);
    EXPECT_EQ(pipeline.push(1), ECHOLUX_OK);
    EXPECT_EQ(pipeline.push(2), ECHOLUX_OK);
    auto edit = std::async(std::launch::async,
                           [&] { return echolux_set_bypass(pipeline.handle, "gate", 1); });
    gate.tell('.');
    gate.tell('.');
    gate.awaitFrame();
    gate.awaitFrame(); // both went through the stage
    EXPECT_EQ(edit.get(), ECHOLUX_OK) << echolux_last_error();
    EXPECT_EQ(pipeline.take(), ECHOLUX_OK);
    EXPECT_EQ(pipeline.push(3), ECHOLUX_OK); // not told to pass
    for (const int expected : {2, 3}) {
        EXPECT_EQ(pipeline.take(), ECHOLUX_OK);
        EXPECT_THAT(pipeline.image(), Each(static_cast<float>(expected)));
    }
}

TEST(Queue, AFrameThatFailedIsToldInItsPlace) {
    const Gate gate;
    const SmallPipeline pipeline(kWithGate, 3);
    for (const int number : {1, 2, 3}) EXPECT_EQ(pipeline.push(number), ECHOLUX_OK);
    for (const char what : {'.', '!', '.'}) gate.tell(what);
    EXPECT_EQ(pipeline.take(), ECHOLUX_OK);
    EXPECT_EQ(pipeline.take(), ECHOLUX_ERROR);
    EXPECT_THAT(echolux_last_error(), HasSubstr("the test wants it so"));
    EXPECT_EQ(echolux_result_number(pipeline.handle), 1);
    EXPECT_THAT(pipeline.image(), Each(1.0F));
    EXPECT_EQ(pipeline.take(), ECHOLUX_OK);
    EXPECT_EQ(echolux_result_number(pipeline.handle), 3);
    EXPECT_THAT(pipeline.image(), Each(3.0F));
}

TEST(Queue, ThreadsPushTakeAndEditAtOnce) {
    const SmallPipeline pipeline(kGain, 2);
    constexpr int kFrames = 400;
    std::thread producer([&] {
        for (int i = 0; i < kFrames; ++i) EXPECT_EQ(pipeline.push(i), ECHOLUX_OK);
    });
    std::thread editor([&] {
        for (int i = 0; i < kFrames / 8; ++i) {
            EXPECT_EQ(echolux_set_bypass(pipeline.handle, "tgc", i % 2), ECHOLUX_OK);
            EXPECT_EQ(echolux_restart(pipeline.handle), ECHOLUX_OK);
            EXPECT_EQ(echolux_flush(pipeline.handle), ECHOLUX_OK);
            EXPECT_GE(echolux_total_seconds(pipeline.handle), 0.0);
        }
    });
    for (int i = 0; i < kFrames; ++i) {
        EXPECT_EQ(pipeline.take(), ECHOLUX_OK);
        EXPECT_EQ(echolux_result_number(pipeline.handle), i);
        EXPECT_EQ(pipeline.image()[0], static_cast<float>(i));
    }
    producer.join();
    editor.join();
}

TEST(Queue, AForkedProcessIsToldThatThePipelineIsNotThere) {
    const SmallPipeline pipeline(kGain, 2);
    const pid_t child = fork();
    if (child == 0) {
        const bool refuses = pipeline.push(1) == ECHOLUX_MISUSE &&
                             std::string(echolux_last_error()).find("forked") != std::string::npos;
        echolux_pipeline_free(pipeline.handle); // and does not wait for a thread that is not there
        _exit(refuses ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(pipeline.push(1), ECHOLUX_OK);
    EXPECT_EQ(pipeline.take(), ECHOLUX_OK);
}

TEST(Texts, AreValidDuringTheNext15Calls) {
    const auto refused = [](int which) {
        EXPECT_EQ(echolux_spec_new(("type_" + std::to_string(which)).c_str()), nullptr);
        return echolux_last_error();
    };
    const char* first = refused(0);
    const std::string was = first;
    for (int i = 1; i <= 15; ++i) EXPECT_THAT(refused(i), HasSubstr("type_" + std::to_string(i)));
    EXPECT_EQ(first, was);
}

} // namespace
} // namespace echolux
