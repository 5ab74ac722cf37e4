// SPDX-License-Identifier: GPL-3.0-or-later
// Live sources of plugins: their addresses, and the example that follows a file.
#include "app/live/open_live.hpp"
#include "app/live/plugin_sources.hpp"
#include "app/pipeline/plugins.hpp"
#include "gpu/stage/plugin.hpp"
#include "tests/plugins/sonix_sample.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace echolux {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Pair;
using testing_support::refusal;

constexpr double kVeryLongS = 3600.0;

class PluginSources : public testing::Test {
protected:
    PluginSources() {
        setPluginTaker([](const PluginContents& contents, const std::string& plugin) {
            return takeSources(contents.sources, plugin);
        });
    }
    std::string address() const { return "sonix:" + m_path.string(); }
    test::TemporaryFolder m_folder;
    std::filesystem::path m_path = m_folder / "a.rf";
};

TEST_F(PluginSources, HaveAddressesOnceTheirPluginIsLoaded) {
    EXPECT_FALSE(isLiveAddress("sonix:/a.rf"));
    EXPECT_THAT(refusal([] { checkLiveAddress("sonix:/a.rf"); }), HasSubstr("--plugin"));
    EXPECT_EQ(allowPlugin(ECHOLUX_SONIX_PLUGIN).sources, 1U);
    EXPECT_TRUE(isLiveAddress("sonix:/a.rf"));
    EXPECT_FALSE(isLiveAddress("sonix"));
    EXPECT_FALSE(isLiveAddress("/sonix:/a.rf"));
    EXPECT_THAT(liveAddressKinds(), Contains(Pair("sonix:FILE?tags=no", HasSubstr(".rf file"))));
    EXPECT_THAT(
        refusal([this] { openLive(address(), Backend::Cpu, {}); }),
        AllOf(HasSubstr("'sonix'"), HasSubstr(ECHOLUX_SONIX_PLUGIN), HasSubstr("no such file")));
}

TEST_F(PluginSources, TheExampleFollowsAFileThatGrows) {
    allowPlugin(ECHOLUX_SONIX_PLUGIN);
    test::writeSonix(m_path, 2);
    const auto live = openLive(address(), Backend::Cpu, {.mostBytes = 100000});
    EXPECT_EQ(live->info().frame.describe(), "i16 [depth 16][lateral 3]");
    ASSERT_TRUE(live->waitFor(0, kVeryLongS));
    test::appendSonix(m_path, 2, 4);
    ASSERT_TRUE(live->waitFor(3, kVeryLongS));
    for (int frame = 0; frame < 4; ++frame) { // the newest one of the opening, and those after it
        EXPECT_EQ(live->stampOf(frame)->number, frame + 1);
        std::vector<std::int16_t> samples(test::kSonixLines * test::kSonixSamples);
        live->readFrame(frame, std::as_writable_bytes(std::span(samples)));
        EXPECT_EQ(samples[test::kSonixLines * 7 + 1], test::sonixSample(frame + 1, 1, 7));
    }
    EXPECT_NE(live->counters().state, LiveState::Ended);
}

TEST_F(PluginSources, OtherFramesInTheFileAreAChangeAndItsEndIsTold) {
    allowPlugin(ECHOLUX_SONIX_PLUGIN);
    test::writeSonix(m_path, 1);
    auto live = openLive(address(), Backend::Cpu, {.mostBytes = 100000});
    test::writeSonixHeader(m_path, 1, 5);
    live->waitFor(1 << 20, kVeryLongS);
    EXPECT_EQ(live->counters().state, LiveState::Changed);
    EXPECT_THAT(live->counters().reason, HasSubstr("another size"));

    test::writeSonix(m_path, 1);
    live = openLive(address(), Backend::Cpu, {.mostBytes = 100000});
    std::filesystem::remove(m_path);
    live->waitFor(1 << 20, kVeryLongS);
    EXPECT_EQ(live->counters().state, LiveState::Ended);
    EXPECT_THAT(live->counters().reason, HasSubstr("no such file"));
}

TEST_F(PluginSources, NamesBelongToOneSource) {
    const auto refused = [](std::string_view name) {
        const LiveSourceType type{
            .name = name, .options = "X", .help = "Nothing.", .open = [](const std::string&) {
                return std::unique_ptr<LiveSource>();
            }};
        const std::vector<const LiveSourceType*> all{&type};
        return refusal([&] { takeSources(all, "/other.so"); });
    };
    allowPlugin(ECHOLUX_SONIX_PLUGIN);
    EXPECT_THAT(refused("sonix"), AllOf(HasSubstr("'sonix'"), HasSubstr(ECHOLUX_SONIX_PLUGIN)));
    EXPECT_THAT(refused("shared"), HasSubstr("'shared'"));
    EXPECT_THAT(refused("A b"), HasSubstr("small letters"));
    EXPECT_EQ(refused("free_name"), "accepted");
    const std::vector<const LiveSourceType*> none{nullptr};
    EXPECT_THAT(refusal([&] { takeSources(none, "/other.so"); }), HasSubstr("without code"));
}

} // namespace
} // namespace echolux
