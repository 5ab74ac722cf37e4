// SPDX-License-Identifier: GPL-3.0-or-later
// The crosshair, the B-scan's header and the transport name the B-scan that is drawn, whatever is
// chosen while a volume plays.
#include "app/desktop/playback_desk.hpp"
#include "app/session/session.hpp"
#include "tests/desktop/buffer_recording.hpp"
#include "tests/desktop/open_window.hpp"
#include "ui/theme/labels.hpp"
#include "ui/views/gl_surface.hpp"
#include "ui/views/view_area.hpp"
#include "ui/views/view_pane.hpp"
#include "ui/window/seek_bar.hpp"

#include <QTemporaryDir>
#include <gtest/gtest.h>

#include <random>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::OpenWindow;
using testing_support::recordedAgain;
using testing_support::settle;

constexpr qint64 kBscans = 48; ///< of a volume

struct VolumeWindow : OpenWindow {
    explicit VolumeWindow(const std::string& file = ECHOLUX_SOURCE_DIR
                          "/testdata/retina_volume.echolux.h5")
        : OpenWindow(OpenRequest{file}) {
        EXPECT_TRUE(comesTrue([&] { return views().bscans() == kBscans && showsFrames(1); }));
    }
    Engine& engine() { return desktop.session().engine(); }
    ViewArea& views() { return desktop.views(); }
    ViewPane& pane() { return *qobject_cast<ViewPane*>(views().bscan().parentWidget()); }
    std::int64_t crosshairAt() {
        return sampleAt(engine().volume().spec()->axes[0], views().crosshair().elevation);
    }
    void choose(qint64 bscan) { emit views().bscanChosen(bscan); }
    /// What names the B-scan, where it is not `frame` of the recording.
    std::string misnamed(std::int64_t frame) {
        const std::int64_t bscan = frame % kBscans;
        const auto number = [](std::int64_t n) { return QString::number(n + 1); };
        const TransportBar& bar = desktop.window().transport();
        std::string wrong;
        const auto expect = [&](bool right, const char* what) {
            if (!right) wrong += std::string(what) + ", ";
        };
        expect(!engine().player().state().playing && !bar.isPlaying(), "playing");
        expect(engine().mailbox().shownFrame() == frame, "image");
        expect(crosshairAt() == bscan, "crosshair");
        expect(pane().subtitle() == number(bscan) + " of 48", "header");
        expect(bar.seekSlider()->value() == frame, "slider");
        expect(bar.frameText().startsWith(number(frame) + " /"), "number beside the slider");
        return wrong;
    }
    /// Soon, and for good: frames that were in flight come before it.
    testing::AssertionResult rests(std::int64_t frame) {
        constexpr int kLooks = 3; // a frame that is being read comes between two of them
        int right = 0;
        const bool rested = comesTrue([&] {
            engine().copyShownRaw(); // waits for what the pipeline has begun
            settle();
            right = misnamed(frame).empty() ? right + 1 : 0;
            return right == kLooks;
        });
        if (rested) return testing::AssertionSuccess();
        return testing::AssertionFailure() << "not of frame " << frame << ": " << misnamed(frame)
                                           << "which shows " << engine().mailbox().shownFrame();
    }
};

TEST(ShownBscan, TheOneThatIsBeingReadIsShownFrozenToo) {
    VolumeWindow window;
    const std::int64_t position = window.engine().player().state().position;
    window.choose(position); // at 40 B-scans a second it is still that one
    EXPECT_TRUE(window.rests(position));
}

TEST(ShownBscan, IsTheChosenOneHoweverFastItPlayed) {
    VolumeWindow window;
    window.desktop.playback().setSpeed(0.0);
    std::mt19937 random(5);
    for (int i = 0; i < 12; ++i) {
        window.engine().player().play();
        ASSERT_TRUE(window.showsMoreFrames(random() % 3));
        const auto bscan = i % 3 == 0 ? window.engine().player().state().position
                                      : static_cast<qint64>(random() % kBscans);
        window.choose(bscan);
        ASSERT_TRUE(window.rests(bscan)) << i;
    }
}

TEST(ShownBscan, OfALastVolumeThatIsNotCompleteComesFromTheOneBefore) {
    const QTemporaryDir folder;
    VolumeWindow window(recordedAgain(folder.path(), 60, 1));
    window.engine().player().freeze();
    window.engine().player().seek(52);
    ASSERT_TRUE(comesTrue([&] { return window.engine().mailbox().shownFrame() == 52; }));
    window.choose(7);
    EXPECT_TRUE(window.rests(55));
    window.choose(30);
    EXPECT_TRUE(window.rests(30));
}

TEST(ShownBscan, ThatTheRecordingLacksIsNotChosen) {
    const QTemporaryDir folder;
    VolumeWindow window(recordedAgain(folder.path(), 20, 1));
    window.choose(11);
    ASSERT_TRUE(window.rests(11));
    ImageView& view = window.views().enFace();
    ASSERT_TRUE(comesTrue([&] { return view.hasImage(); }));
    const Axis elevation = window.engine().volume().spec()->axes[0];
    const auto row = [&](std::int64_t bscan) { // beside the upright line
        const double place = elevation.origin + static_cast<double>(bscan) * elevation.spacing;
        const Vec2 pixel =
            view.view().toPixel({1e3 * window.views().crosshair().lateral + 0.2, 1e3 * place});
        return QPointF(pixel.x, pixel.y);
    };
    const auto mouse = [&](QEvent::Type type, const QPointF& at) {
        QMouseEvent event(type, at, view.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, {});
        QApplication::sendEvent(&view, &event);
    };
    mouse(QEvent::MouseButtonPress, row(11));
    mouse(QEvent::MouseMove, row(15));
    EXPECT_TRUE(window.rests(15));
    mouse(QEvent::MouseMove, row(33));
    EXPECT_TRUE(window.rests(15)) << "the line stays behind";
    mouse(QEvent::MouseButtonRelease, row(33));
    EXPECT_TRUE(window.rests(15));
}

TEST(ShownBscan, IsOneOfEachFrameWhereEveryFrameIsAVolume) {
    const QTemporaryDir folder;
    VolumeWindow window(recordedAgain(folder.path(), 3 * kBscans, kBscans));
    window.desktop.playback().setSpeed(0.0);
    window.choose(29);
    EXPECT_TRUE(comesTrue([&] { return window.crosshairAt() == 29; }));
    EXPECT_TRUE(window.showsMoreFrames(3));
    EXPECT_TRUE(window.engine().player().state().playing);
    EXPECT_EQ(window.engine().mailbox().shownBscan() % kBscans, 29);
    EXPECT_EQ(window.crosshairAt(), 29);
}

/// What widgets tell whenever they are painted.
class Painted final : public QObject {
public:
    Painted(QWidget& widget, std::function<std::string()> tells) : m_tells(std::move(tells)) {
        widget.installEventFilter(this);
    }
    std::string last;

private:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) last = m_tells();
        return false;
    }
    std::function<std::string()> m_tells;
};

TEST(ShownBscan, IsNamedInTheVeryPictureThatShowsIt) {
    VolumeWindow window;
    window.desktop.playback().setSpeed(0.0);
    auto* header = dynamic_cast<ElidedLabel*>(window.pane().findChildren<QLabel*>().front());
    auto* surface = window.views().enFace().findChild<QOpenGLWidget*>();
    ASSERT_TRUE(header != nullptr && surface != nullptr);
    const Painted headers(*header, [&] { return header->fullText().toStdString(); });
    const Painted crosshairs(*surface, [&] { return std::to_string(window.crosshairAt() + 1); });
    const TransportBar& bar = window.desktop.window().transport();
    const Painted positions(*bar.seekSlider(), [&] { return bar.frameText().toStdString(); });
    ASSERT_TRUE(window.showsMoreFrames(2));
    constexpr int kPictures = 30;
    int pictures = 0;
    QObject::connect(&window.views().bscan(), &ImageView::framePresented, [&] {
        const std::string shown = std::to_string(window.engine().mailbox().shownFrame() + 1);
        EXPECT_EQ(headers.last, shown + " of 48");
        EXPECT_EQ(crosshairs.last, shown);
        EXPECT_EQ(positions.last, shown + " / 48");
        ++pictures;
    });
    // Each one may take its time: a slow machine draws few in a second.
    for (int i = 1; i <= kPictures; ++i)
        ASSERT_TRUE(comesTrue([&] { return pictures >= i; })) << "after " << pictures;
}

} // namespace
} // namespace echolux
