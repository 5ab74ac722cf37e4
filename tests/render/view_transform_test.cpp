// SPDX-License-Identifier: GPL-3.0-or-later
// Aspect, round trips and limits of the view transform.
#include "render/view/view_transform.hpp"

#include <gtest/gtest.h>

#include <random>

namespace echolux {
namespace {

ViewTransform makeView() {
    ViewTransform view;
    view.setViewport({50.0, 40.0, 850.0, 640.0});
    view.setImage({-19.0, 2.0, 19.0, 52.0}, {0.1, 0.1}); // 38 x 50 mm
    return view;
}

TEST(ViewTransform, FitsAndCentresWithOneScale) {
    const ViewTransform view = makeView();
    EXPECT_DOUBLE_EQ(view.pixelsPerUnit().y, 600.0 / 50.0);
    const Rect image = view.imageInPixels();
    EXPECT_NEAR(image.top, 40.0, 1e-9);
    EXPECT_NEAR(image.bottom, 640.0, 1e-9);
    EXPECT_NEAR(image.width(), 38.0 * 12.0, 1e-9);
    EXPECT_NEAR(image.centre().x, 450.0, 1e-9);
}

TEST(ViewTransform, RoundTripsAfterAnyMotion) {
    ViewTransform view = makeView();
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    for (int step = 0; step < 300; ++step) {
        const Vec2 pixel{50.0 + 800.0 * unit(random), 40.0 + 600.0 * unit(random)};
        if (step % 2 == 0) {
            view.zoomAt(pixel, 0.5 + 1.5 * unit(random));
        } else {
            view.panBy({200.0 * unit(random) - 100.0, 200.0 * unit(random) - 100.0});
        }
        const Vec2 back = view.toPixel(view.toPlace(pixel));
        EXPECT_NEAR(back.x, pixel.x, 1e-6);
        EXPECT_NEAR(back.y, pixel.y, 1e-6);
        const Vec2 a = view.toPixel({0.0, 10.0});
        const Vec2 b = view.toPixel({1.0, 11.0});
        EXPECT_NEAR(b.x - a.x, b.y - a.y, 1e-6) << "a square stays a square";
        const Vec2 centre = view.toPlace(view.viewport().centre());
        EXPECT_GE(centre.x, -19.0 - 1e-9);
        EXPECT_LE(centre.x, 19.0 + 1e-9);
        EXPECT_GE(centre.y, 2.0 - 1e-9);
        EXPECT_LE(centre.y, 52.0 + 1e-9);
    }
}

TEST(ViewTransform, ZoomKeepsThePointUnderTheCursor) {
    ViewTransform view = makeView();
    const Vec2 cursor{520.0, 300.0};
    const Vec2 before = view.toPlace(cursor);
    for (int notch = 0; notch < 10; ++notch) {
        view.zoomAt(cursor, 1.25);
        EXPECT_NEAR(view.toPlace(cursor).x, before.x, 1e-9);
        EXPECT_NEAR(view.toPlace(cursor).y, before.y, 1e-9);
    }
    EXPECT_GT(view.zoom(), 9.0);
}

TEST(ViewTransform, ZoomStopsAtBothEnds) {
    ViewTransform view = makeView();
    view.zoomAt({450.0, 340.0}, 1e9);
    EXPECT_NEAR(view.pixelsPerUnit().y * 0.1, ViewTransform::kMaxPixelsPerSample, 1e-9);
    view.panBy({1e7, -1e7});
    EXPECT_NEAR(view.toPlace(view.viewport().centre()).x, -19.0, 1e-9);
    EXPECT_NEAR(view.toPlace(view.viewport().centre()).y, 52.0, 1e-9);
    view.zoomAt({450.0, 340.0}, 1e-9);
    EXPECT_TRUE(view.fitted());
    EXPECT_EQ(view.imageInPixels(), makeView().imageInPixels());
}

TEST(ViewTransform, FittedFollowsTheWindowZoomedStays) {
    ViewTransform view = makeView();
    view.setViewport({0.0, 0.0, 380.0, 1000.0});
    EXPECT_DOUBLE_EQ(view.pixelsPerUnit().y, 10.0);
    view.zoomAt({190.0, 500.0}, 3.0);
    const Vec2 centre = view.toPlace({190.0, 500.0});
    view.setViewport({0.0, 0.0, 500.0, 900.0});
    EXPECT_DOUBLE_EQ(view.pixelsPerUnit().y, 30.0);
    EXPECT_NEAR(view.toPlace({250.0, 450.0}).x, centre.x, 1e-9);
    view.fit();
    EXPECT_TRUE(view.fitted());
}

TEST(ViewTransform, DirectionsWithoutACommonUnitFillTheViewport) {
    ViewTransform view = makeView();
    view.setImage({-0.5, 0.0, 511.5, 2.0}, {1.0, 0.002}, Aspect::Fill);
    EXPECT_EQ(view.imageInPixels(), view.viewport());
    EXPECT_DOUBLE_EQ(view.pixelsPerUnit().x, 800.0 / 512.0);
    EXPECT_DOUBLE_EQ(view.pixelsPerUnit().y, 600.0 / 2.0);
    const Vec2 cursor{200.0, 500.0};
    const Vec2 before = view.toPlace(cursor);
    view.zoomAt(cursor, 3.0);
    EXPECT_NEAR(view.toPlace(cursor).x, before.x, 1e-9);
    EXPECT_NEAR(view.toPlace(cursor).y, before.y, 1e-9);
    EXPECT_NEAR(view.pixelsPerUnit().y, 900.0, 1e-9);
    view.zoomAt(cursor, 1e9);
    EXPECT_NEAR(view.pixelsPerUnit().y * 0.002, ViewTransform::kMaxPixelsPerSample, 1e-9)
        << "the finer of the two stops the zoom";
}

TEST(ViewTransform, SurvivesDegenerateViewports) {
    ViewTransform view = makeView();
    view.setViewport({10.0, 10.0, 10.0, 10.0});
    view.zoomAt({10.0, 10.0}, 2.0);
    EXPECT_GT(view.pixelsPerUnit().y, 0.0);
    EXPECT_EQ(view.visibleInPixels().width(), 0.0);
}

TEST(ViewTransform, LooksWhereItLookedBefore) {
    ViewTransform view;
    view.setImage({-15.0, 0.0, 15.0, 40.0}, {0.1, 0.1});
    view.setViewport({0.0, 0.0, 600.0, 800.0});
    view.zoomAt({100.0, 200.0}, 3.0);
    const Vec2 centre = view.centre();
    const double zoom = view.zoom();
    EXPECT_NEAR(view.toPlace({300.0, 400.0}).x, centre.x, 1e-12);
    view.fit();
    view.look(centre, zoom);
    EXPECT_FALSE(view.fitted());
    EXPECT_NEAR(view.zoom(), 3.0, 1e-12);
    EXPECT_NEAR(view.centre().x, centre.x, 1e-12);
    EXPECT_NEAR(view.centre().y, centre.y, 1e-12);
    view.look({0.0, 20.0}, 1.0);
    EXPECT_TRUE(view.fitted());
    view.look({1e9, -1e9}, 1e9);
    EXPECT_LE(view.centre().x, 15.0) << "within the image";
}

} // namespace
} // namespace echolux
