// SPDX-License-Identifier: GPL-3.0-or-later
// Crosshair and depth window: sharp lines, what the mouse finds, where dragging ends.
#include "render/view/overlay_shapes.hpp"
#include "tests/support/oct_frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

const testing_support::LayeredOct kSample; // lateral -1.27 .. 1.27 mm, depth 0 .. 1.272 mm

struct Bscan {
    Picture picture = pictureOf(kSample.bscanSpec());
    ViewTransform view;
    Bscan() {
        view.setViewport({80.0, 50.0, 800.0, 570.0});
        view.setImage(picture.extent(), picture.sample(), picture.aspect());
    }
    double row(double depthM) const { return view.toPixel({0.0, depthM * 1e3}).y; }
};

bool onDevicePixels(const Rect& r, double ratio) {
    const auto whole = [ratio](double x) {
        return std::abs(x * ratio - std::round(x * ratio)) < 1e-6;
    };
    return whole(r.left) && whole(r.top) && whole(r.right) && whole(r.bottom);
}

TEST(CrosshairOverlay, LinesAreOneDevicePixelAtAnyZoom) {
    Bscan shown;
    for (const double ratio : {1.0, 1.5, 2.0}) {
        for (int notch = 0; notch < 6; ++notch) {
            const Vec2 place{0.1234, 0.4321};
            const auto shapes = crosshairShapes(shown.view, place, ratio);
            ASSERT_EQ(shapes.size(), 4U);
            const Vec2 at = shown.view.toPixel(place);
            for (const OverlayShape& shape : shapes) {
                EXPECT_TRUE(onDevicePixels(shape.pixels, ratio));
                const double thin = std::min(shape.pixels.width(), shape.pixels.height());
                EXPECT_NEAR(thin * ratio, std::floor(ratio), 1e-9);
                const bool upright = shape.pixels.width() < shape.pixels.height();
                const double offset = upright ? at.x - shape.pixels.left : at.y - shape.pixels.top;
                EXPECT_GE(offset, 0.0);
                EXPECT_LT(offset, 1.0 / ratio) << "on the pixel that holds the place";
            }
            shown.view.zoomAt({500.0, 300.0}, 1.37);
        }
        shown.view.fit();
    }
}

TEST(CrosshairOverlay, TheMouseFindsItsLines) {
    const Bscan shown;
    const Vec2 place{0.2, 0.5};
    const Vec2 at = shown.view.toPixel(place);
    EXPECT_EQ(crosshairPartAt(shown.view, place, {at.x + 2, at.y - 3}), CrosshairPart::Both);
    EXPECT_EQ(crosshairPartAt(shown.view, place, {at.x + 2, at.y + 90}), CrosshairPart::Upright);
    EXPECT_EQ(crosshairPartAt(shown.view, place, {at.x - 90, at.y - 4}), CrosshairPart::Level);
    EXPECT_EQ(crosshairPartAt(shown.view, place, {at.x - 9, at.y - 9}), CrosshairPart::None);
    EXPECT_EQ(crosshairPartAt(shown.view, place, {at.x, 10.0}), CrosshairPart::None)
        << "outside the image";
    const Vec2 dragged =
        crosshairDragged(shown.view, place, CrosshairPart::Level, {at.x + 50, at.y + 50});
    EXPECT_EQ(dragged.x, place.x);
    EXPECT_NEAR(dragged.y, place.y + 50.0 / shown.view.pixelsPerUnit().y, 1e-9);
}

TEST(Crosshair, LinksTheViews) {
    const Picture bscan = pictureOf(kSample.bscanSpec());
    const FrameSpec volume = kSample.bufferSpec(kSample.bscans);
    FrameSpec enFaceSpec = volume;
    enFaceSpec.axes.pop_back();
    const Picture enFace = pictureOf(enFaceSpec);
    Crosshair at = movedTo(bscan, {}, {0.5, 0.8});
    EXPECT_EQ(at, (Crosshair{0.5e-3, 0.8e-3, 0.0}));
    at = movedTo(enFace, at, {-0.25, 0.6});
    EXPECT_EQ(at, (Crosshair{-0.25e-3, 0.8e-3, 0.6e-3}));
    EXPECT_DOUBLE_EQ(placeIn(bscan, at).x, -0.25);
    EXPECT_DOUBLE_EQ(placeIn(bscan, at).y, 0.8);
    EXPECT_DOUBLE_EQ(placeIn(enFace, at).y, 0.6);
    EXPECT_EQ(sampleAt(volume.axes[0], at.elevation), 30);
    EXPECT_EQ(sampleAt(volume.axes[0], 99.0), kSample.bscans - 1);
    const Vec3 fractions = fractionsIn(VolumeBox::of(volume), at);
    EXPECT_NEAR(fractions.x, (-0.25 + 1.28) / 2.56, 1e-9);
    EXPECT_NEAR(fractions.y, (0.8 + 0.004) / 1.28, 1e-9);
    EXPECT_NEAR(fractions.z, 30.5 / 64.0, 1e-9);
    at = movedTo(bscan, at, {99.0, -99.0});
    EXPECT_NEAR(at.lateral, 1.27e-3, 1e-12) << "stays within the image";
    EXPECT_NEAR(at.depth, 0.0, 1e-12);
}

TEST(DepthWindowOverlay, HandlesAreFoundAndDragged) {
    const Bscan shown;
    const DepthWindow window{0.3e-3, 0.8e-3};
    const auto at = [&](double x, double y) {
        return depthWindowPartAt(shown.view, shown.picture, window, {x, y});
    };
    const double left = shown.view.visibleInPixels().left;
    EXPECT_EQ(at(200.0, shown.row(0.3e-3) + 3), WindowPart::Nearest);
    EXPECT_EQ(at(left + 5, shown.row(0.8e-3) - 4), WindowPart::Deepest);
    EXPECT_EQ(at(left + 5, shown.row(0.55e-3)), WindowPart::Whole);
    EXPECT_EQ(at(200.0, shown.row(0.55e-3)), WindowPart::None) << "clicks between pick a place";
    EXPECT_EQ(at(left - 30, shown.row(0.3e-3)), WindowPart::None);

    const auto dragged = [&](WindowPart part, double depthM) {
        const Vec2 from{200.0, shown.row(0.5e-3)};
        return depthWindowDragged(shown.view, shown.picture, window, part, from,
                                  {300.0, shown.row(0.5e-3 + depthM)});
    };
    const auto expectNear = [](DepthWindow a, double nearest, double deepest) {
        EXPECT_NEAR(a.nearest, nearest, 1e-9);
        EXPECT_NEAR(a.deepest, deepest, 1e-9);
    };
    expectNear(dragged(WindowPart::Nearest, 0.1e-3), 0.4e-3, 0.8e-3);
    expectNear(dragged(WindowPart::Nearest, 9e-3), 0.8e-3 - kSample.binM, 0.8e-3);
    expectNear(dragged(WindowPart::Nearest, -9e-3), 0.0, 0.8e-3);
    expectNear(dragged(WindowPart::Deepest, -9e-3), 0.3e-3, 0.3e-3 + kSample.binM);
    expectNear(dragged(WindowPart::Deepest, 9e-3), 0.3e-3, 159 * kSample.binM);
    expectNear(dragged(WindowPart::Whole, 0.2e-3), 0.5e-3, 1.0e-3);
    expectNear(dragged(WindowPart::Whole, 9e-3), 159 * kSample.binM - 0.5e-3, 159 * kSample.binM);
    expectNear(dragged(WindowPart::None, 0.2e-3), 0.3e-3, 0.8e-3);
}

TEST(DepthWindowOverlay, LimitsInOnePlaceCanBePulledApart) {
    const Bscan shown;
    const DepthWindow window{0.5e-3, 0.5e-3};
    const double y = shown.row(0.5e-3);
    EXPECT_EQ(depthWindowPartAt(shown.view, shown.picture, window, {200.0, y - 3}),
              WindowPart::Nearest);
    EXPECT_EQ(depthWindowPartAt(shown.view, shown.picture, window, {200.0, y + 3}),
              WindowPart::Deepest);
}

TEST(DepthWindowOverlay, ShapesFallOnDevicePixelsWithinTheImage) {
    Bscan shown;
    shown.view.zoomAt({300.0, 300.0}, 4.3);
    for (const double ratio : {1.0, 1.25, 2.0}) {
        const auto shapes = depthWindowShapes(shown.view, shown.picture, {0.45e-3, 0.6e-3}, ratio,
                                              WindowPart::Deepest);
        ASSERT_GE(shapes.size(), 4U);
        EXPECT_EQ(shapes.front().ink, OverlayInk::Shade);
        EXPECT_EQ(std::ranges::count(shapes, OverlayInk::Grabbed, &OverlayShape::ink), 2)
            << "the limit and its handle";
        for (const OverlayShape& shape : shapes) {
            EXPECT_TRUE(onDevicePixels(shape.pixels, ratio));
            EXPECT_EQ(intersection(shape.pixels, shown.view.visibleInPixels()), shape.pixels);
        }
    }
}

} // namespace
} // namespace echolux
