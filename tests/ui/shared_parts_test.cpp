// SPDX-License-Identifier: GPL-3.0-or-later
// Linked views of a pipeline: one colour bar and one axis for neighbours that show the same, images
// of one size, and as much room for them as that leaves.
#include "tests/ui/view_area_fixture.hpp"

#include "ui/parameters/display_group.hpp"
#include "ui/views/further_views.hpp"

#include <QSignalSpy>
#include <QSplitter>

#include <array>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::HostSupplier;
using testing_support::imageSpec;
using testing_support::settle;

class SharedPartsTest : public testing_support::ViewAreaFixture {
protected:
    static constexpr std::int64_t kRows = 200;
    static constexpr std::int64_t kColumns = 100;

    /// Views of the same axes, as many as there are names, and a place to be in.
    void show(const QStringList& names, QSize size) {
        if (m_area == nullptr || IsSkipped()) return;
        m_area->resize(size);
        m_area->setViewNames(names);
        for (int i = 0; i < names.size(); ++i) offer(i, imageSpec(kRows, kColumns, 1e-4));
        ASSERT_TRUE(comesTrue([&] {
            for (int i = 0; i < names.size(); ++i)
                if (!view(i).hasImage()) return false;
            return true;
        }));
        settle();
    }
    void offer(int at, const FrameSpec& spec) {
        HostSupplier& from = m_suppliers[static_cast<std::size_t>(at)];
        from.offer(spec, std::vector<float>(static_cast<std::size_t>(spec.count()), -20.0F));
        view(at).setFrameSupplier(&from);
    }
    ImageView& view(int at) { return at == 0 ? m_area->bscan() : m_area->further().view(at - 1); }
    double imageArea(int at) {
        const Rect image = view(at).view().visibleInPixels();
        return image.width() * image.height();
    }
    static bool sameSize(const QRectF& a, const QRectF& b) {
        return a.width() == b.width() && a.height() == b.height();
    }

    std::array<HostSupplier, 4> m_suppliers;
};

TEST_F(SharedPartsTest, TwoBesideEachOtherHaveOneAxisAndOneBar) {
    show({"first", "second"}, {600, 640});
    ASSERT_LT(view(0).mapTo(m_area.get(), QPoint()).x(), view(1).mapTo(m_area.get(), QPoint()).x());
    EXPECT_TRUE(view(0).parts().down);
    EXPECT_FALSE(view(1).parts().down);
    EXPECT_FALSE(view(0).parts().bar);
    EXPECT_TRUE(view(0).colourBarRect().isEmpty());
    EXPECT_FALSE(view(1).colourBarRect().isEmpty());
    EXPECT_TRUE(view(0).parts().across && view(1).parts().across);
    EXPECT_TRUE(sameSize(view(0).viewport(), view(1).viewport()));
    // The same depth lies at the same height, in the window too.
    const auto height = [&](int at) {
        return view(at).mapTo(m_area.get(), QPoint(0, 0)).y() + view(at).view().toPixel({0, 5}).y;
    };
    EXPECT_DOUBLE_EQ(height(0), height(1));
}

/// As the views are between docks in a window of 1280 x 800.
TEST_F(SharedPartsTest, ImagesGetMoreRoomThanWithPartsOfTheirOwn) {
    show({"first", "second"}, {566, 660});
    const double shared = imageArea(0);
    EXPECT_EQ(imageArea(1), shared);
    EXPECT_GT(view(0).view().visibleInPixels().width(), 0.6 * view(0).width());
    m_area->further().setLinked(false);
    settle();
    EXPECT_GT(shared, 1.3 * imageArea(0));
}

TEST_F(SharedPartsTest, TwoAboveEachOtherShareTheAxisAcross) {
    if (m_area == nullptr || IsSkipped()) return;
    m_area->resize(640, 700);
    m_area->setViewNames({"first", "second"});
    for (const int at : {0, 1}) offer(at, imageSpec(kColumns, 2 * kRows, 1e-4));
    ASSERT_TRUE(comesTrue([&] { return view(0).hasImage() && view(1).hasImage(); }));
    settle();
    ASSERT_LT(view(0).mapTo(m_area.get(), QPoint()).y(), view(1).mapTo(m_area.get(), QPoint()).y());
    EXPECT_TRUE(view(0).parts().across);
    EXPECT_FALSE(view(1).parts().across);
    EXPECT_TRUE(view(0).parts().down && view(1).parts().down);
    EXPECT_TRUE(view(0).parts().bar);
    EXPECT_FALSE(view(1).parts().bar);
    EXPECT_TRUE(sameSize(view(0).viewport(), view(1).viewport()));
    EXPECT_EQ(view(0).view().toPixel({3, 0}).x, view(1).view().toPixel({3, 0}).x);
}

TEST_F(SharedPartsTest, FourInARowHaveOneDepthAxis) {
    show({"a", "b", "c", "d"}, {1500, 620});
    int down = 0;
    int across = 0;
    int bars = 0;
    for (int at = 0; at < 4; ++at) {
        down += view(at).parts().down ? 1 : 0;
        across += view(at).parts().across ? 1 : 0;
        bars += view(at).parts().bar ? 1 : 0;
        EXPECT_TRUE(sameSize(view(at).viewport(), view(0).viewport())) << at;
    }
    EXPECT_EQ(down, 1);
    EXPECT_EQ(across, 4);
    EXPECT_EQ(bars, 1);
}

TEST_F(SharedPartsTest, ADifferenceAmongThemKeepsTheirSizesEqual) {
    show({"a", "b", "a less b, with a name that is far too long for its pane", "d"}, {1500, 620});
    FrameSpec difference = imageSpec(kRows, kColumns, 1e-4);
    difference.valueRange = ValueRange{-60.0, 60.0, "dB", ""};
    offer(2, difference);
    ASSERT_TRUE(comesTrue([&] { return view(2).parts().bar; }));
    settle();
    int bars = 0;
    for (int at = 0; at < 4; ++at) {
        EXPECT_TRUE(sameSize(view(at).viewport(), view(0).viewport())) << at;
        bars += view(at).parts().bar ? 1 : 0;
        const QPoint place = view(at).mapTo(m_area.get(), QPoint());
        EXPECT_EQ(view(at).parts().down, place.x() == 0) << at;
    }
    EXPECT_EQ(bars, 3) << "one of the difference, and of the levels on either side";
}

TEST_F(SharedPartsTest, WhatDiffersHasItsOwn) {
    show({"first", "second"}, {600, 640});
    offer(1, imageSpec(kRows + 50, kColumns, 1e-4));
    ASSERT_TRUE(comesTrue([&] { return view(1).parts().down; })) << "a deeper image";
    EXPECT_FALSE(view(0).parts().bar) << "levels are the same";
    FrameSpec amplitudes = imageSpec(kRows, kColumns, 1e-4);
    amplitudes.valueRange = ValueRange{0.0, 1.0, "", ""};
    offer(1, amplitudes);
    EXPECT_TRUE(comesTrue([&] { return view(0).parts().bar && view(1).parts().bar; }));
    EXPECT_TRUE(comesTrue([&] { return !view(1).parts().down; }));
    m_area->further().setLinked(false);
    EXPECT_TRUE(comesTrue([&] { return view(1).parts().down; })) << "not linked";
}

TEST_F(SharedPartsTest, TheOneBarIsThatOfAll) {
    show({"first", "second"}, {600, 640});
    QSignalSpy edited(&view(0), &ImageView::displayRangeEdited);
    const QRectF bar = view(1).colourBarRect();
    const QPoint top(static_cast<int>(bar.center().x()), static_cast<int>(bar.top()));
    drag(view(1), top, top + QPoint(0, static_cast<int>(bar.height() / 4)));
    EXPECT_LT(view(1).displayMax(), -5.0);
    EXPECT_EQ(view(0).displayMax(), view(1).displayMax());
    EXPECT_EQ(view(0).displayMin(), view(1).displayMin());
    ASSERT_FALSE(edited.isEmpty()) << "an edit that can be undone";
    EXPECT_EQ(edited.first()[1].toDouble(), 0.0);
    settle();
    EXPECT_FALSE(view(0).parts().bar);
    // Limits that were chosen before a view appears hold in it, too.
    m_area->setViewNames({"first"});
    m_area->setViewNames({"first", "second"});
    offer(1, imageSpec(kRows, kColumns, 1e-4));
    EXPECT_TRUE(comesTrue(
        [&] { return view(1).hasImage() && view(1).displayMax() == view(0).displayMax(); }));
}

TEST_F(SharedPartsTest, APictureOfOneViewHasAllItsParts) {
    show({"first", "second"}, {600, 640});
    ASSERT_FALSE(view(0).parts().bar);
    const ViewTransform before = view(0).view();
    const QImage shared = view(0).imageAt(1.0);
    EXPECT_EQ(view(0).view().viewport(), before.viewport()) << "the screen stays as it is";
    EXPECT_FALSE(view(0).parts().bar);
    view(0).setParts(std::nullopt);
    EXPECT_EQ(shared, view(0).imageAt(1.0));
}

TEST_F(SharedPartsTest, SizesThatSomebodyDraggedStay) {
    show({"first", "second"}, {700, 640});
    QSplitter* outer = nullptr;
    for (QWidget* each = view(0).parentWidget(); each != m_area.get() && outer == nullptr;
         each = each->parentWidget()) {
        auto* splitter = qobject_cast<QSplitter*>(each);
        if (splitter != nullptr && splitter->isAncestorOf(&view(1))) outer = splitter;
    }
    ASSERT_NE(outer, nullptr);
    const QPoint handle = outer->handle(1)->rect().center();
    QTest::mousePress(outer->handle(1), Qt::LeftButton, {}, handle);
    QMouseEvent move(QEvent::MouseMove, handle + QPoint(80, 0),
                     outer->handle(1)->mapToGlobal(handle + QPoint(80, 0)), Qt::NoButton,
                     Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(outer->handle(1), &move);
    QTest::mouseRelease(outer->handle(1), Qt::LeftButton, {}, handle + QPoint(80, 0));
    settle();
    EXPECT_GT(view(0).width(), view(1).width() + 100);
    EXPECT_TRUE(view(1).parts().down) << "depths are drawn to another scale";
    EXPECT_GT(view(0).viewport().width(), view(1).viewport().width() + 50);
}

} // namespace
} // namespace echolux
