// SPDX-License-Identifier: GPL-3.0-or-later
// Views of plugins: which are known, what the example draws, and what becomes of views that fail.
#include "app/pipeline/plugins.hpp"
#include "app/session/guarded_view.hpp"
#include "app/session/plugin_views.hpp"
#include "gpu/stage/plugin.hpp"
#include "tests/support/refusal.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace echolux {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing_support::refusal;

constexpr std::chrono::milliseconds kNoTime{0};
constexpr std::chrono::hours kVeryLong{1};

/// NOTE: plugins stay loaded, so each test must bear what the others have loaded.
class PluginViews : public testing::Test {
protected:
    PluginViews() {
        setPluginTaker([](const PluginContents& contents, const std::string& plugin) {
            return takeViews(contents.views, plugin);
        });
    }
    static KnownView viewNamed(const std::string& name) {
        const std::vector<KnownView> all = pluginViews();
        const auto found = std::ranges::find(all, name, &KnownView::name);
        return found == all.end() ? KnownView{} : *found;
    }
};

/// A view, and the wait for its answers.
class Watched {
public:
    explicit Watched(const KnownView& view,
                     const GuardedView::Patience& patience = {kVeryLong, kVeryLong})
        : m_view(
              view, [this] { answered(); }, patience) {
        waitFor(1); // it is open
    }
    GuardedView& view() { return m_view; }
    GuardedView::Answer answerTo(std::shared_ptr<const ImagePixels> image) {
        const int before = answers();
        if (m_view.ask(std::move(image), {200, 100})) waitFor(before + 1);
        return m_view.latest();
    }

private:
    int answers() {
        const std::scoped_lock lock(m_mutex);
        return m_answers;
    }
    void answered() {
        const std::scoped_lock lock(m_mutex);
        ++m_answers;
        m_changed.notify_all();
    }
    void waitFor(int answers) {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_answers >= answers; });
    }
    std::mutex m_mutex;
    std::condition_variable m_changed;
    int m_answers = 0;
    GuardedView m_view;
};

/// At depth z the lines have the levels 0, 1, ... 20, shifted by -z, in a mixed order.
std::shared_ptr<const ImagePixels> slope() {
    constexpr int kDepths = 40;
    constexpr int kLines = 21;
    auto image = std::make_shared<ImagePixels>();
    image->spec.axes = {
        {.name = AxisName::Depth, .size = kDepths, .spacing = 1e-3, .origin = 5e-3, .unit = "m"},
        {.name = AxisName::Lateral, .size = kLines, .unit = "m"}};
    image->spec.valueRange = ValueRange{-40.0, 20.0, "dB", "1"};
    for (int depth = 0; depth < kDepths; ++depth)
        for (int line = 0; line < kLines; ++line)
            image->values.push_back(static_cast<float>(line * 8 % kLines - depth));
    return image;
}

TEST_F(PluginViews, AreKnownOnceTheirPluginIsLoaded) {
    EXPECT_THAT(pluginViews(), Not(Contains(testing::Field(&KnownView::name, "level_profile"))));
    int told = 0;
    const PluginViewsWatch watch([&] { ++told; });
    const Plugin plugin = allowPlugin(ECHOLUX_PROFILE_PLUGIN);
    EXPECT_EQ(plugin.views, 1U);
    EXPECT_THAT(plugin.stages, IsEmpty());
    EXPECT_EQ(told, 1);
    const KnownView view = viewNamed("level_profile");
    EXPECT_EQ(view.label, "Levels over depth");
    EXPECT_EQ(view.plugin, ECHOLUX_PROFILE_PLUGIN);
    EXPECT_THAT(view.output, IsEmpty());
    allowPlugin(ECHOLUX_FAULTY_VIEWS_PLUGIN);
    EXPECT_EQ(told, 2);
    EXPECT_EQ(viewNamed("throws").label, "throws") << "without a label, the name";
    EXPECT_EQ(viewNamed("elsewhere").output, "map@nowhere");
}

TEST_F(PluginViews, NamesBelongToOneView) {
    allowPlugin(ECHOLUX_PROFILE_PLUGIN);
    EXPECT_THAT(refusal([] { allowPlugin(ECHOLUX_TWIN_VIEW_PLUGIN); }),
                AllOf(HasSubstr("'level_profile'"), HasSubstr(ECHOLUX_PROFILE_PLUGIN)));
    for (const Plugin& each : pluginsInUse()) EXPECT_NE(each.path, ECHOLUX_TWIN_VIEW_PLUGIN);
    const auto refused = [](const ViewType* type) {
        return refusal([&] {
            const std::vector<const ViewType*> types{type, type};
            takeViews(types, "/x.so");
        });
    };
    const ViewType unnamed{.open = [] { return std::unique_ptr<PluginView>(); }};
    const ViewType spaced{.name = "a view", .open = unnamed.open};
    const ViewType codeless{.name = "codeless"};
    const ViewType twice{.name = "twice", .open = unnamed.open};
    for (const ViewType* each :
         {static_cast<const ViewType*>(nullptr), &unnamed, &spaced, &codeless})
        EXPECT_THAT(refused(each), AllOf(HasSubstr("/x.so"), HasSubstr("without code")));
    EXPECT_THAT(refused(&twice), HasSubstr("'twice'"));
}

TEST_F(PluginViews, APluginThatIsTakenAnewReplacesItsViewsInPlace) {
    const auto open = [] { return std::unique_ptr<PluginView>(); };
    const ViewType a{.name = "test_a", .open = open};
    const ViewType b{.name = "test_b", .open = open};
    const ViewType c{.name = "test_c", .open = open};
    const auto take = [](std::vector<const ViewType*> types, const char* plugin) {
        takeViews(types, plugin)();
    };
    take({&a}, "/test/1.so");
    take({&b}, "/test/2.so");
    const std::uint64_t former = viewNamed("test_a").make;
    take({&c, &a}, "/test/1.so");
    std::vector<std::string> names;
    for (const KnownView& each : pluginViews())
        if (each.plugin.starts_with("/test/")) names.push_back(each.name);
    EXPECT_THAT(names, testing::ElementsAre("test_c", "test_a", "test_b"));
    EXPECT_NE(viewNamed("test_a").make, former);
    take({}, "/test/1.so");
    take({}, "/test/2.so");
    EXPECT_THAT(viewNamed("test_a").name, IsEmpty());
}

TEST_F(PluginViews, TheExampleDrawsHowLevelsAreSpread) {
    allowPlugin(ECHOLUX_PROFILE_PLUGIN);
    Watched profile(viewNamed("level_profile"));
    const auto image = slope();
    const GuardedView::Answer answer = profile.answerTo(image);
    ASSERT_NE(answer.drawing, nullptr) << answer.problem;
    EXPECT_EQ(answer.image, image);
    const ViewDrawing& drawing = *answer.drawing;
    EXPECT_EQ(drawing.horizontal.unit, "m");
    EXPECT_DOUBLE_EQ(drawing.horizontal.from, 4.5e-3);
    EXPECT_DOUBLE_EQ(drawing.horizontal.to, 44.5e-3);
    EXPECT_EQ(drawing.vertical.from, -40.0);
    EXPECT_EQ(drawing.vertical.to, 20.0);
    ASSERT_EQ(drawing.curves.size(), 3U);
    for (std::size_t depth = 0; depth < 40; ++depth) {
        const auto shift = static_cast<double>(depth);
        EXPECT_DOUBLE_EQ(drawing.curves[0].x[depth], 5e-3 + 1e-3 * shift);
        EXPECT_EQ(drawing.curves[0].y[depth], 2.0 - shift);
        EXPECT_EQ(drawing.curves[1].y[depth], 10.0 - shift);
        EXPECT_EQ(drawing.curves[2].y[depth], 18.0 - shift);
    }
    EXPECT_THAT(drawing.caption, HasSubstr("16.0 dB"));
    // At the first depth levels from 0 to 20 occur, evenly, of an axis from -40 to 20.
    EXPECT_EQ(drawing.width, 40);
    for (int row = 0; row < drawing.height; ++row) {
        const double upper = 20.0 - 60.0 * row / drawing.height;
        const double lower = 20.0 - 60.0 * (row + 1) / drawing.height;
        int levels = 0;
        for (int level = 0; level <= 20; ++level) levels += level <= upper && level > lower ? 1 : 0;
        const std::uint8_t opacity =
            drawing.rgba[static_cast<std::size_t>(4 * row * drawing.width + 3)];
        EXPECT_EQ(opacity > 0, levels > 0) << row;
    }
}

TEST_F(PluginViews, TheExampleTakesImagesOfOctAndRefusesOthers) {
    allowPlugin(ECHOLUX_PROFILE_PLUGIN);
    Watched profile(viewNamed("level_profile"));
    const auto turned = std::make_shared<ImagePixels>(*slope());
    std::swap(turned->spec.axes[0], turned->spec.axes[1]);
    for (std::size_t i = 0; i < turned->values.size(); ++i)
        turned->values[i] = slope()->values[i % 40 * 21 + i / 40];
    const auto upright = profile.answerTo(slope()).drawing;
    const auto lying = profile.answerTo(turned).drawing;
    ASSERT_NE(upright, nullptr);
    ASSERT_NE(lying, nullptr);
    EXPECT_EQ(lying->curves[1].y, upright->curves[1].y);
    EXPECT_EQ(lying->rgba, upright->rgba);
    turned->spec.axes[1].name = AxisName::SlowTime;
    const GuardedView::Answer refused = profile.answerTo(turned);
    EXPECT_EQ(refused.drawing, nullptr);
    EXPECT_THAT(refused.problem, AllOf(HasSubstr("The view 'level_profile' of the plugin "),
                                       HasSubstr("needs an image with a depth axis")));
    EXPECT_NE(profile.answerTo(slope()).drawing, nullptr) << "it goes on";
}

TEST_F(PluginViews, AViewThatFailsIsNamedInOneSentence) {
    allowPlugin(ECHOLUX_FAULTY_VIEWS_PLUGIN);
    const auto problemOf = [](const char* name) {
        const GuardedView::Answer answer = Watched(viewNamed(name)).answerTo(slope());
        EXPECT_EQ(answer.drawing, nullptr) << name;
        EXPECT_THAT(answer.problem,
                    AllOf(HasSubstr(std::string("The view '") + name + "' of the plugin " +
                                    ECHOLUX_FAULTY_VIEWS_PLUGIN + " failed: "),
                          testing::EndsWith("."), Not(testing::EndsWith(".."))));
        return answer.problem;
    };
    EXPECT_THAT(problemOf("null"), HasSubstr("it gave no view"));
    EXPECT_THAT(problemOf("throws_at_opening"), HasSubstr("no licence"));
    EXPECT_THAT(problemOf("throws"), HasSubstr("it needs another image"));
    EXPECT_THAT(problemOf("throws_number"), HasSubstr("no exception"));
    EXPECT_THAT(problemOf("nothing"), HasSubstr("neither a picture nor a curve"));
    EXPECT_THAT(problemOf("few_bytes"), HasSubstr("23 bytes in place of 24 for 3 x 2 pixels"));
    EXPECT_THAT(problemOf("huge"), HasSubstr("1073741824 x -1 pixels"));
    EXPECT_THAT(problemOf("no_extent"), HasSubstr("its axis 'level' goes from 1 to nan"));
    EXPECT_THAT(problemOf("uneven_curve"), HasSubstr("'slope' has 2 and 1 coordinates"));
}

TEST_F(PluginViews, AViewThatStallsIsToldAndLeftBehind) {
    allowPlugin(ECHOLUX_FAULTY_VIEWS_PLUGIN);
    Watched stalling(viewNamed("stalls"), {kNoTime, kNoTime});
    EXPECT_THAT(stalling.view().latest().problem, IsEmpty());
    ASSERT_TRUE(stalling.view().ask(slope(), {10, 10}));
    EXPECT_THAT(stalling.view().latest().problem,
                AllOf(HasSubstr("'stalls'"), HasSubstr("has not answered")));
    EXPECT_FALSE(stalling.view().ask(slope(), {10, 10})) << "one at a time";
}

} // namespace
} // namespace echolux
