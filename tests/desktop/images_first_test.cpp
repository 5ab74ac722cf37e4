// SPDX-License-Identifier: GPL-3.0-or-later
// Images of every shipped pipeline get as much of the window as any rows and columns allow.
#include "app/desktop/recording_desk.hpp"
#include "app/pipeline/snapshot.hpp"
#include "app/session/session.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/parameters/parameter_panel.hpp"
#include "ui/parameters/pipeline_menu.hpp"
#include "ui/views/further_views.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/view_pane.hpp"
#include "ui/views/volume_view.hpp"

#include <QDockWidget>
#include <QTabBar>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <vector>

namespace echolux {
namespace {

using testing_support::bundled;
using testing_support::comesTrue;
using testing_support::OpenWindow;
using testing_support::settle;

/// A recording for each kind of pipeline, by the start of its name; the longest start counts.
const std::map<std::string, const char*> kRecordings{
    {"", "phantom_cine.echolux.h5"},           {"aberration", "aberrated_cine.echolux.h5"},
    {"aligned", "aberrated_cine.echolux.h5"},  {"bubble", "bubbles.echolux.h5"},
    {"colour_flow", "vessel_flow.echolux.h5"}, {"m_mode", "vessel_flow.echolux.h5"},
    {"oct", "retina_cine.echolux.h5"},         {"oct_angiography", "vessels_oct.echolux.h5"},
    {"oct_doppler", "vessels_oct.echolux.h5"}, {"spectral", "vessel_flow.echolux.h5"},
    {"vector_flow", "vessel_flow.echolux.h5"}};

const char* recordingFor(const std::string& pipeline) {
    const char* best = nullptr;
    for (const auto& [start, file] : kRecordings)
        if (pipeline.starts_with(start)) best = file; // longer starts come later
    return best;
}

/// A view on screen.
struct Seen {
    std::string name;
    double shape = 0.0;   ///< width over height
    bool fills = false;   ///< takes any shape
    QSizeF image, around; ///< in pixels
    double area() const { return image.width() * image.height(); }
};

Seen seenIn(const ViewPane& pane) {
    Seen seen{pane.name().toStdString(), 1.15, true, pane.view().size(), {}};
    if (const auto* view = qobject_cast<const ImageView*>(&pane.view())) {
        const Rect box = view->view().visibleInPixels();
        seen.image = {box.width(), box.height()};
        seen.fills = !view->shape().has_value();
        seen.shape = view->shape().value_or(1.5);
    } else {
        const double high = std::min(seen.image.height(), seen.image.width() / seen.shape);
        seen.image = {seen.shape * high, high};
    }
    seen.around = pane.size() - seen.image;
    return seen;
}

std::vector<Seen> viewsOn(const ViewArea& area) {
    std::vector<Seen> all;
    for (const ViewPane* pane : area.findChildren<ViewPane*>())
        if (pane->isVisible()) all.push_back(seenIn(*pane));
    return all;
}

/// The largest sum of images in rows and columns, where each has as much room around it as the
/// views on screen have on average.
double mostIn(const std::vector<Seen>& views, QSizeF room, bool rows) {
    double wide = 0.0;
    double high = 1e9;
    for (const Seen& each : views) {
        wide += each.around.width() / double(views.size());
        high = std::min(high, each.around.height());
    }
    const double along = rows ? room.width() : room.height();
    const double across = rows ? room.height() : room.width();
    const double aroundAlong = rows ? wide : high;
    const double aroundAcross = rows ? high : wide;
    double best = 0.0;
    for (unsigned ends = 0; ends < 1U << (views.size() - 1); ++ends) {
        std::vector<std::pair<double, double>> lines{{0.0, 0.0}}; // sum of shapes, number
        for (std::size_t i = 0; i < views.size(); ++i) {
            if (i > 0 && (ends >> (i - 1) & 1U) != 0) lines.emplace_back(0.0, 0.0);
            lines.back().first += rows ? views[i].shape : 1.0 / views[i].shape;
            lines.back().second += 1.0;
        }
        for (double extent = 1.0; extent < across; extent += 1.0) {
            double used = 0.0;
            double area = 0.0;
            for (const auto& [shapes, count] : lines) {
                const double own = std::min(extent, (along - count * aroundAlong) / shapes);
                used += own + aroundAcross;
                area += own > 0.0 ? shapes * own * own : 0.0;
            }
            if (used <= across) best = std::max(best, area);
        }
    }
    return best;
}

class ImagesFirst : public testing::Test {
protected:
    bool showsAll(OpenWindow& window, std::size_t views) {
        return comesTrue([&] {
            const auto seen = viewsOn(window.desktop.views());
            return seen.size() >= views &&
                   std::ranges::all_of(seen, [](const Seen& each) { return each.area() > 100.0; });
        });
    }

    void expectLargeImages(OpenWindow& window, const std::string& pipeline, QSize size) {
        window.desktop.window().resize(size);
        settle();
        const std::vector<Seen> views = viewsOn(window.desktop.views());
        const QSizeF room = window.desktop.views().size();
        double sum = 0.0;
        for (const Seen& each : views) sum += each.area();
        const double most = std::max(mostIn(views, room, true), mostIn(views, room, false));
        const double share = sum / (double(size.width()) * size.height());
        std::string images;
        for (const Seen& each : views)
            images += fmt::format("  {} {:.0f} x {:.0f}", each.name, each.image.width(),
                                  each.image.height());
        fmt::print("{:26} {:4} x {:4}  {:4.0f} % of the window, {:3.0f} % of the most {}\n",
                   pipeline, size.width(), size.height(), 100 * share, 100 * sum / most, images);
        // Other rows share fewer axes, so that the most is less than it seems.
        EXPECT_GE(sum, 0.86 * most) << pipeline << images;
        EXPECT_GE(share, views.size() >= 3 ? 0.25 : 0.0) << pipeline << images;
        const auto marked =
            std::ranges::find(window.desktop.session().snapshot()->views, true, &ViewState::main);
        if (marked == window.desktop.session().snapshot()->views.end()) return;
        const auto main = std::ranges::find(views, marked->label, &Seen::name);
        ASSERT_NE(main, views.end());
        for (const Seen& each : views) EXPECT_GE(main->area(), 0.97 * each.area()) << pipeline;
    }
};

TEST_F(ImagesFirst, OfEveryShippedPipelineTheyAreAsLargeAsTheWindowAllows) {
    std::set<std::string> without;
    for (const std::string& pipeline : shippedPipelines()) {
        OpenRequest request = bundled(recordingFor(pipeline));
        request.choosePipeline = [&](const FrameSpec& raw) {
            return fittedPipeline(pipeline, raw);
        };
        std::unique_ptr<OpenWindow> window;
        try {
            window = std::make_unique<OpenWindow>(request);
        } catch (const std::exception&) {
            without.insert(pipeline); // no bundled recording suits it
            continue;
        }
        const std::size_t views = window->desktop.session().snapshot()->views.size();
        ASSERT_TRUE(showsAll(*window, views)) << pipeline;
        ASSERT_TRUE(window->freezes()) << pipeline;
        for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)})
            expectLargeImages(*window, pipeline, size);
    }
    EXPECT_EQ(without, (std::set<std::string>{"aberration_transmit", "aberration_transmit_trial",
                                              "beamformed", "decoded", "envelope", "harmonic",
                                              "image_flow", "recorded_image"}));
}

TEST_F(ImagesFirst, TheVolumeIsTheLargestOfItsViews) {
    OpenWindow window(bundled("retina_volume.echolux.h5"));
    ASSERT_TRUE(showsAll(window, 3));
    ASSERT_TRUE(comesTrue([&] { return window.desktop.views().volume().hasVolume(); }));
    ASSERT_TRUE(window.freezes());
    for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
        expectLargeImages(window, "retina_volume", size);
        const std::vector<Seen> views = viewsOn(window.desktop.views());
        const auto volume = std::ranges::find(views, "Volume", &Seen::name);
        ASSERT_NE(volume, views.end());
        for (const Seen& each : views) EXPECT_GE(volume->area(), 0.97 * each.area()) << each.name;
    }
}

TEST_F(ImagesFirst, PlotsOpenWithAPickedColumnAndCloseWithIt) {
    OpenWindow window;
    ASSERT_TRUE(showsAll(window, 1));
    const auto* plots = window.desktop.window().findChild<QDockWidget*>("plots");
    EXPECT_TRUE(plots->isHidden());
    emit window.desktop.view().columnPicked(1e-3);
    EXPECT_FALSE(plots->isHidden());
    emit window.desktop.window().forgetPickedRequested();
    EXPECT_TRUE(plots->isHidden());
    emit window.desktop.view().columnPicked(1e-3);
    window.desktop.recordings().adopt(
        prepareRecording(OpenRequest{testing_support::kCine.toStdString()}, Backend::Cpu),
        OpenRequest{testing_support::kCine.toStdString()});
    EXPECT_TRUE(plots->isHidden()) << "no column of the next recording is picked";
}

TEST_F(ImagesFirst, AKeyOrATitleShowsOneViewAlone) {
    OpenRequest request = bundled("phantom_cine.echolux.h5");
    request.choosePipeline = [](const FrameSpec& raw) {
        return fittedPipeline("compounding", raw);
    };
    OpenWindow window(request);
    ASSERT_TRUE(showsAll(window, 4));
    ASSERT_TRUE(window.freezes());
    settle();
    ViewArea& area = window.desktop.views();
    const double among = viewsOn(area).front().area();
    QAction* second = area.aloneActions()[1];
    EXPECT_EQ(second->shortcut(), QKeySequence("Shift+2"));
    second->trigger();
    settle();
    std::vector<Seen> views = viewsOn(area);
    ASSERT_EQ(views.size(), 1U);
    EXPECT_EQ(views.front().name, second->text().toStdString());
    EXPECT_GT(views.front().area(), 1.5 * among);
    const QList<ViewPane*> panes = area.findChildren<ViewPane*>();
    emit(*std::ranges::find_if(panes, &ViewPane::isVisible))->headerDoubleClicked();
    settle();
    EXPECT_EQ(viewsOn(area).size(), 4U);
}

TEST_F(ImagesFirst, AAndBHaveTheirParametersBehindTabs) {
    OpenWindow window;
    ASSERT_TRUE(showsAll(window, 1));
    ParameterPanel& panel = window.desktop.window().parameters();
    EXPECT_TRUE(panel.branches()->isHidden());
    emit window.desktop.window().pipeline().branchRequested("log_compression");
    ASSERT_NE(panel.group("log_compression_b"), nullptr);
    EXPECT_FALSE(panel.branches()->isHidden());
    EXPECT_TRUE(panel.group("log_compression_b")->isHidden());
    EXPECT_FALSE(panel.group("beamform")->isHidden()) << "of both";
    panel.branches()->setCurrentIndex(1);
    EXPECT_TRUE(panel.group("log_compression")->isHidden());
    EXPECT_FALSE(panel.group("log_compression_b")->isHidden());
}

} // namespace
} // namespace echolux
