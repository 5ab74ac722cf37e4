// SPDX-License-Identifier: GPL-3.0-or-later
// The life of a view's OpenGL, whatever it draws: canvases come and go with contexts.
#include "ui/views/gl_view.hpp"

#include "gpu/core/error.hpp"
#include "tests/support/qt_application.hpp"
#include "tests/support/waiting.hpp"

#include <QSignalSpy>
#include <QTest>
#include <gtest/gtest.h>

namespace echolux {
namespace {

using testing_support::comesTrue;

/// Draws nothing, and counts.
class CountingView : public GlView {
public:
    explicit CountingView(bool refuses = false) : GlView(nullptr), m_refuses(refuses) {
        resize(120, 90);
    }
    ~CountingView() override { endGl(); }

    void setColourMap(const QString& name, bool) override { chooseColourMap(name); }
    void setSmooth(bool) override {}
    void setGamma(double) override {}
    void autoRange() override {}
    void resetView() override {}
    void clear() override { setProblem({}); }

    int made = 0;
    int kept = 0;
    int dropped = 0;
    int onScreen = 0;
    int inPictures = 0;
    int swaps = 0;

protected:
    void makeCanvas() override {
        if (m_refuses) throw Error("This context is no good.");
        m_has = true;
        ++made;
    }
    void dropCanvas() override {
        dropped += m_has ? 1 : 0;
        m_has = false;
    }
    void keepPicture() override { ++kept; }
    void showPicture(double ratio) override { drawPicture(ratio, Shown::OnScreen); }
    void drawPicture(double, Shown shown) override {
        ++(shown == Shown::OnScreen ? onScreen : inPictures);
    }
    bool hasCanvas() const override { return m_has; }
    bool hasPicture() const override { return true; }
    void drawOver(QPainter&, double, Shown) override {}
    void swapped() override { ++swaps; }

private:
    bool m_refuses;
    bool m_has = false;
};

TEST(GlView, HasACanvasInEachContext) {
    testing_support::application();
    auto view = std::make_unique<CountingView>();
    if (!view->problem().isEmpty()) GTEST_SKIP() << view->problem().toStdString();
    view->show();
    ASSERT_TRUE(comesTrue([&] { return view->swaps > 0; }));
    EXPECT_EQ(view->made, 1);
    QWidget other;
    view->setParent(&other); // another window has another context
    other.show();
    view->show();
    ASSERT_TRUE(comesTrue([&] { return view->made == 2; }));
    EXPECT_EQ(view->kept, 1);
    EXPECT_EQ(view->dropped, 1);
    view.reset();
}

TEST(GlView, SaysWhyThereIsNoCanvas) {
    testing_support::application();
    CountingView view(true);
    if (!view.problem().isEmpty()) GTEST_SKIP() << view.problem().toStdString();
    const QSignalSpy told(&view, &View::problemChanged);
    view.show();
    ASSERT_TRUE(comesTrue([&] { return !view.problem().isEmpty(); }));
    EXPECT_EQ(view.problem(), "This context is no good.");
    EXPECT_EQ(told.count(), 1);
    ASSERT_TRUE(comesTrue([&] { return view.swaps > 0; }));
    EXPECT_EQ(view.onScreen, 0);
    EXPECT_EQ(view.imageAt(2.0).size(), view.size()) << "as it is on screen";
}

TEST(GlView, DrawsPicturesAsLargeAsAskedFor) {
    testing_support::application();
    CountingView view;
    if (!view.problem().isEmpty()) GTEST_SKIP() << view.problem().toStdString();
    view.show();
    ASSERT_TRUE(comesTrue([&] { return view.onScreen > 0; }));
    EXPECT_EQ(view.imageAt(3.0).size(), QSize(360, 270) * view.devicePixelRatioF());
    EXPECT_EQ(view.inPictures, 1);
}

} // namespace
} // namespace echolux
