// SPDX-License-Identifier: GPL-3.0-or-later
// The mouse's place in one view, shown and read in the others of a pipeline.
#include "tests/ui/view_area_fixture.hpp"

#include "ui/views/further_views.hpp"

#include <QSignalSpy>

#include <array>

namespace echolux {
namespace {

using testing_support::comesTrue;
using testing_support::HostSupplier;
using testing_support::imageSpec;

/// Two images of one part of space with different samples, and one of channel data.
class LinkedCursorTest : public testing_support::ViewAreaFixture {
protected:
    static constexpr std::int64_t kRows = 200;
    static constexpr std::int64_t kColumns = 100;

    void SetUp() override {
        ViewAreaFixture::SetUp();
        if (m_area == nullptr || IsSkipped()) return;
        m_area->setViewNames({"first", "finer", "channels"});
        offer(0, imageSpec(kRows, kColumns, 1e-4), -10.0F);
        offer(1, imageSpec(2 * kRows, 2 * kColumns, 5e-5), -20.0F);
        FrameSpec channels;
        channels.axes = {{AxisName::Sample, 500, 1e-7, 0.0, "s"},
                         {AxisName::Channel, 64, 1.0, 0.0, ""}};
        channels.valueRange = ValueRange{-1.0, 1.0, "", ""};
        offer(2, channels, 0.5F);
        ASSERT_TRUE(comesTrue(
            [&] { return first().hasImage() && view(0).hasImage() && view(1).hasImage(); }));
    }
    void offer(std::size_t at, const FrameSpec& spec, float value) {
        m_suppliers[at].offer(spec,
                              std::vector<float>(static_cast<std::size_t>(spec.count()), value));
        ImageView& in = at == 0 ? first() : view(static_cast<int>(at) - 1);
        in.setFrameSupplier(&m_suppliers[at]);
    }
    ImageView& first() { return m_area->bscan(); }
    ImageView& view(int further) { return m_area->further().view(further); }
    static void hover(ImageView& view, QPoint at) {
        QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(&view, &move);
    }
    static void leave(ImageView& view) {
        QEvent event(QEvent::Leave);
        QApplication::sendEvent(&view, &event);
    }

    std::array<HostSupplier, 3> m_suppliers;
};

TEST_F(LinkedCursorTest, TheSamePlaceIsMarkedAndReadInViewsOfTheSameAxes) {
    QSignalSpy told(&view(0), &ImageView::cursorMoved);
    QSignalSpy channels(&view(1), &ImageView::cursorMoved);
    const QPoint at = pixelOf(first(), 2.0, 7.0);
    hover(first(), at);
    ASSERT_TRUE(first().pointed());
    EXPECT_NEAR(first().pointed()->x, 2.0, 0.1);
    EXPECT_EQ(view(0).ghost(), first().pointed());
    EXPECT_FALSE(first().ghost()) << "the mouse itself is there";
    EXPECT_FALSE(view(1).ghost()) << "channels and microseconds are no place in the image";
    ASSERT_TRUE(comesTrue([&] {
        return !told.isEmpty() && told.last()[0].toString().contains(QStringLiteral("20.0 dB"));
    })) << "the value of that view";
    EXPECT_TRUE(channels.isEmpty());
    leave(first());
    EXPECT_FALSE(view(0).ghost());
    EXPECT_TRUE(comesTrue([&] { return told.last()[0].toString().isEmpty(); }));
}

TEST_F(LinkedCursorTest, ItFollowsFromEachViewAndRestsWhereViewsAreNotLinked) {
    hover(view(0), pixelOf(view(0), -1.0, 3.0));
    ASSERT_TRUE(first().ghost());
    EXPECT_NEAR(first().ghost()->y, 3.0, 0.1);
    m_area->further().setLinked(false);
    EXPECT_FALSE(first().ghost());
    hover(view(0), pixelOf(view(0), -1.0, 4.0));
    EXPECT_FALSE(first().ghost());
}

TEST_F(LinkedCursorTest, ItIsDrawnAndGoesWithOtherAxes) {
    hover(first(), pixelOf(first(), 2.0, 7.0));
    const QImage with = view(0).grabImage();
    const QPoint ghost = pixelOf(view(0), view(0).ghost()->x, view(0).ghost()->y);
    leave(first());
    const QImage without = view(0).grabImage();
    const QRect around(ghost - QPoint(16, 16), QSize(32, 32));
    EXPECT_NE(with.copy(around), without.copy(around));
    hover(first(), pixelOf(first(), 2.0, 7.0));
    ASSERT_TRUE(view(0).ghost());
    FrameSpec bins = imageSpec(kRows, kColumns, 1.0);
    for (Axis& axis : bins.axes) axis.unit.clear();
    offer(1, bins, 0.0F);
    EXPECT_TRUE(comesTrue([&] { return !view(0).ghost(); }));
}

} // namespace
} // namespace echolux
