// SPDX-License-Identifier: GPL-3.0-or-later
// A frame that lacks the latest edit is given up on the CPU, and none is lost by that.
#include "app/session/engine.hpp"
#include "app/session/host_work.hpp"
#include "gpu/stage/registry.hpp"
#include "tests/session/fake_recording.hpp"

#include <gtest/gtest.h>
#include <oneapi/tbb/parallel_for.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

namespace echolux {
namespace {

using test::chainOf;
using test::FakeRecording;
using test::waitUntil;

/// A loop that ends where it is given up, or `enough`.
void loopForever(const std::atomic<bool>& enough = false) {
    oneapi::tbb::parallel_for(
        oneapi::tbb::blocked_range<int>(0, 1 << 22, 1),
        [&](const auto&) {
            if (!enough) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        },
        oneapi::tbb::simple_partitioner());
}

TEST(HostWork, EndsEarlyWhereItIsGivenUp) {
    HostWork work;
    work.giveUp(); // nothing is under way
    EXPECT_TRUE(work.run([] {}));
    std::atomic<bool> begun{false};
    std::thread other([&] {
        begun.wait(false);
        work.giveUp();
    });
    EXPECT_FALSE(work.run([&] {
        begun = true;
        begun.notify_all();
        loopForever();
    }));
    other.join();
    EXPECT_TRUE(work.run([] {})) << "what comes next is not given up";
    EXPECT_THROW(work.run([] { throw std::runtime_error("a stage's"); }), std::runtime_error);
    EXPECT_FALSE(work.run([&] {
        work.giveUp();
        throw std::runtime_error("of what is incomplete");
    }));
    EXPECT_TRUE(work.run([] {}));
}

constexpr double kEndless = 2.0; ///< scale

/// to_float that never ends by itself with frame 1 at the scale kEndless.
class EndlessStage final : public Stage {
public:
    EndlessStage(std::atomic<int>& begun, const std::atomic<bool>& enough)
        : m_begun(begun), m_enough(enough) {}
    static StagePlan plan(InputSpecs inputs, const Params& /*params*/) {
        return {.outputs = {inputs[0]}};
    }
    void update(const Exec& /*exec*/, const Params& params) override {
        m_scale = std::get<double>(params.get("scale"));
    }
    void run(const Exec& /*exec*/, std::span<const ConstTensorView> inputs,
             std::span<const TensorView> outputs, const Workspace& /*workspace*/) override {
        ++m_begun;
        if (m_scale == kEndless && inputs[0].as<float>()[0] == 1.0F) loopForever(m_enough);
        for (std::int64_t i = 0; i < outputs[0].spec->count(); ++i)
            outputs[0].as<float>()[i] = static_cast<float>(m_scale) * inputs[0].as<float>()[i];
    }

private:
    std::atomic<int>& m_begun;
    const std::atomic<bool>& m_enough;
    double m_scale = 1.0;
};

class GivenUpFrame : public testing::Test {
protected:
    GivenUpFrame() : m_type(stageType("to_float")) {
        s_begun = &m_begun;
        s_enough = false;
        m_type.code = {EndlessStage::plan, []() -> std::unique_ptr<Stage> {
                           return std::make_unique<EndlessStage>(*s_begun, s_enough);
                       }};
        auto recording = std::make_unique<FakeRecording>(4, 50.0);
        const auto planned =
            instantiate(chainOf({"to_float", "persistence"}), recording->info().frame);
        auto snapshot =
            std::make_shared<Snapshot>(*withValue(*planned, "persistence", "amount", 0.5));
        snapshot->stages.front().type = &m_type;
        m_engine = std::make_unique<Engine>(
            std::move(recording), std::move(snapshot), Backend::Cpu,
            Engine::Callbacks{[](std::size_t) {}, [this](const std::string&) { ++m_failures; },
                              [] {}});
    }
    ~GivenUpFrame() override { EXPECT_EQ(m_failures, 0); }
    /// Corner pixel of the next image: the frame's number, scaled, half of it the frame before.
    float corner() {
        const DisplayFrame* frame = nullptr;
        EXPECT_TRUE(waitUntil([&] { return (frame = m_engine->mailbox().acquire()) != nullptr; }));
        if (frame == nullptr) return -1.0F;
        const float value = frame->pixels[0];
        m_frame = frame->frame;
        m_engine->mailbox().release(nullptr);
        return value;
    }
    void setScale(double scale) {
        m_engine->post(withValue(*m_engine->snapshot(), "to_float", "scale", scale));
    }
    bool begins(int times) {
        return waitUntil([&] { return m_begun == times; });
    }

    static inline std::atomic<int>* s_begun = nullptr;
    static inline std::atomic<bool> s_enough{false};
    std::atomic<int> m_begun{0};
    std::atomic<int> m_failures{0};
    StageType m_type;
    std::int64_t m_frame = -1;
    std::unique_ptr<Engine> m_engine;
};

TEST_F(GivenUpFrame, AnEditOfAFrozenFrameTakesItsPlace) {
    EXPECT_FLOAT_EQ(corner(), 0.0F);
    m_engine->player().step(1);
    EXPECT_FLOAT_EQ(corner(), 0.5F);
    setScale(kEndless);
    ASSERT_TRUE(begins(3));
    m_engine->giveUpStale(); // has the latest edit
    setScale(4.0);
    m_engine->giveUpStale();
    EXPECT_FLOAT_EQ(corner(), 2.0F) << "half of 4, after the 0 once more";
    EXPECT_EQ(m_engine->mailbox().shownEdit(), 2U);
    EXPECT_EQ(m_begun, 4) << "no frame was begun for nothing";
    m_engine->player().step(1);
    EXPECT_FLOAT_EQ(corner(), 0.5F * 8.0F + 0.5F * 2.0F) << "and after that one comes the next";
}

/// It is imaged with the edit, in its place.
TEST_F(GivenUpFrame, AFrameThatWasNotShownYetIsNotLost) {
    setScale(kEndless);
    EXPECT_TRUE(waitUntil([&] {
        corner();
        return m_engine->mailbox().shownEdit() == 1;
    }));
    const int before = m_begun;
    m_engine->player().step(1);
    ASSERT_TRUE(begins(before + 1));
    setScale(4.0);
    m_engine->giveUpStale();
    EXPECT_FLOAT_EQ(corner(), 2.0F) << "half of 4, after the 0";
    EXPECT_EQ(m_frame, 1);
    m_engine->player().step(1);
    EXPECT_FLOAT_EQ(corner(), 0.5F * 8.0F + 0.5F * 2.0F);
    EXPECT_EQ(m_engine->statistics().framesProcessed, static_cast<std::uint64_t>(before) + 2U);
}

TEST_F(GivenUpFrame, AfterSomeOneIsFinished) {
    EXPECT_FLOAT_EQ(corner(), 0.0F);
    m_engine->player().step(1);
    EXPECT_FLOAT_EQ(corner(), 0.5F);
    for (int i = 0; i < Engine::kMostGivenUp; ++i) {
        setScale(kEndless);
        ASSERT_TRUE(begins(3 + i));
        setScale(kEndless);
        m_engine->giveUpStale();
    }
    ASSERT_TRUE(begins(3 + Engine::kMostGivenUp));
    setScale(4.0);
    m_engine->giveUpStale();
    s_enough = true;
    EXPECT_TRUE(waitUntil([&] { return corner() == 2.0F; }));
    EXPECT_EQ(m_engine->statistics().framesProcessed, 4U) << "two, the finished one, the last";
}

} // namespace
} // namespace echolux
