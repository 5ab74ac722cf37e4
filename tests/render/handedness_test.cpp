// SPDX-License-Identifier: GPL-3.0-or-later
// One handedness in every picture: an L in space, and where B-scan, en face image, projection and
// slices show its three ends.
#include "tests/support/gl_context.hpp"
#include "tests/support/host_volume.hpp"
#include "tests/support/offscreen.hpp"
#include "tests/support/synthetic_frames.hpp"

#include "gpu/volume/volume.hpp"
#include "render/view/frame_canvas.hpp"
#include "render/view/volume_canvas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace echolux {
namespace {

using testing_support::HostSupplier;
using testing_support::HostVolume;
using testing_support::Offscreen;

constexpr int kHandednessSize = 240;
constexpr Rect kWholeTarget{0.0, 0.0, kHandednessSize, kHandednessSize};
constexpr Vec2 kPixels{kHandednessSize, kHandednessSize};
constexpr std::int64_t kSide = 12;

struct Voxel {
    std::int64_t elevation, lateral, depth;
    std::size_t index() const {
        return static_cast<std::size_t>((elevation * kSide + lateral) * kSide + depth);
    }
};

/// From its corner an L leads along lateral (long), elevation (shorter), depth (one voxel); each
/// end has a brightness of its own.
constexpr Voxel kCorner{2, 3, 4};
constexpr Voxel kAlongLateral{2, 9, 4};
constexpr Voxel kAlongElevation{6, 3, 4};
constexpr Voxel kAlongDepth{2, 3, 7};
constexpr std::array kMarks{kCorner, kAlongLateral, kAlongElevation, kAlongDepth};
constexpr std::array kBrightness{102U, 153U, 204U, 255U};

FrameSpec cubeSpec() {
    FrameSpec spec;
    for (const AxisName name : {AxisName::Elevation, AxisName::Lateral, AxisName::Depth})
        spec.axes.push_back({name, kSide, 1e-3, 0.0, "m"});
    return spec;
}

std::vector<float> cube() {
    std::vector<float> values(kSide * kSide * kSide, 0.0F);
    for (std::size_t i = 0; i < kMarks.size(); ++i)
        values[kMarks[i].index()] = static_cast<float>(kBrightness[i]);
    return values;
}

/// Its place on screen counted from the middle of the picture, y down, and towards the eye or not.
Vec3 placeOf(const Orbit& orbit, const Voxel& voxel, const FrameSpec& spec = cubeSpec()) {
    const auto part = [](std::int64_t i) { return (static_cast<double>(i) + 0.5) / kSide; };
    const VolumeProjection projection(VolumeBox::of(spec), orbit, kWholeTarget);
    const Vec3 at =
        projection.toPixel({part(voxel.lateral), part(voxel.depth), part(voxel.elevation)});
    return {at.x - kHandednessSize / 2.0, at.y - kHandednessSize / 2.0, at.z};
}

class Handedness : public testing_support::GlTest {
protected:
    using Picture = std::vector<std::uint32_t>;

    void SetUp() override {
        GlTest::SetUp();
        if (!m_context) return;
        m_target = std::make_unique<Offscreen>(kHandednessSize, kHandednessSize);
        m_scene.display = {.min = 0.0, .max = 255.0, .smooth = false};
    }
    void TearDown() override { m_target.reset(); }

    /// Centre of the pixels of one brightness, from the middle of the picture; one pixel per voxel
    /// side is as good as none.
    static Vec2 centreOf(const Picture& picture, std::uint32_t brightness) {
        Vec2 sum;
        int count = 0;
        for (int y = 0; y < kHandednessSize; ++y) {
            for (int x = 0; x < kHandednessSize; ++x) {
                if (picture[static_cast<std::size_t>(y * kHandednessSize + x)] !=
                    brightness * 0x10101U)
                    continue;
                sum = {sum.x + x + 0.5, sum.y + y + 0.5};
                ++count;
            }
        }
        EXPECT_GT(count, 20) << "brightness " << brightness << " is not in the picture";
        return {sum.x / count - kHandednessSize / 2.0, sum.y / count - kHandednessSize / 2.0};
    }
    Picture drawn(const FrameSpec& spec, std::vector<float> values) {
        HostSupplier supplier;
        supplier.offer(spec, std::move(values));
        FrameCanvas canvas;
        EXPECT_TRUE(canvas.takeNewest(supplier));
        canvas.draw(kWholeTarget, kWholeTarget, kPixels, m_scene.display);
        return m_target->pixels();
    }
    Picture enFace() {
        std::vector<Half> voxels(cube().size());
        const VolumeShape shape{kSide, kSide, kSide};
        storeBscans({}, voxels.data(), shape, cube().data(), 0, kSide);
        std::vector<float> image(kSide * kSide);
        projectBscans({}, voxels.data(), shape, Projection::Maximum, {0, kSide}, 0, kSide,
                      image.data());
        FrameSpec spec = cubeSpec();
        spec.axes.pop_back();
        return drawn(spec, image);
    }
    Picture bscan(std::int64_t elevation) {
        const std::vector<float> all = cube();
        FrameSpec spec = cubeSpec();
        spec.axes.erase(spec.axes.begin());
        const auto first = all.begin() + elevation * kSide * kSide;
        return drawn(spec, {first, first + kSide * kSide});
    }
    Picture inSpace(const Orbit& orbit, const FrameSpec& spec = cubeSpec()) {
        HostVolume volume(spec, cube());
        VolumeCanvas canvas;
        EXPECT_TRUE(canvas.takeNewest(volume));
        m_scene.orbit = orbit;
        for (int i = 0; i < 20; ++i) {
            canvas.draw(m_scene, kWholeTarget, kPixels);
            m_target->pixels();
            if (canvas.lastScale() == 1.0) break;
        }
        return m_target->pixels();
    }
    /// Both pictures have the marks in the same directions from the corner, in their own scales.
    /// `cornerInSpace`: what shows there, for the corner may be covered by an end behind or before
    /// it.
    static void expectAlike(const Picture& image, const Picture& space, std::size_t corner,
                            std::size_t cornerInSpace, const std::vector<std::size_t>& marks) {
        const auto step = [&](const Picture& picture, std::size_t from, std::size_t to) {
            const Vec2 a = centreOf(picture, kBrightness[from]);
            const Vec2 b = centreOf(picture, kBrightness[to]);
            return Vec2{b.x - a.x, b.y - a.y};
        };
        double scale = 0.0;
        for (std::size_t i = 0; i < marks.size(); ++i) {
            const Vec2 flat = step(image, corner, marks[i]);
            const Vec2 seen = step(space, cornerInSpace, marks[i]);
            const double length = std::hypot(flat.x, flat.y);
            if (scale == 0.0) scale = std::hypot(seen.x, seen.y) / length;
            EXPECT_NEAR(seen.x, scale * flat.x, 2.0) << "mark " << marks[i];
            EXPECT_NEAR(seen.y, scale * flat.y, 2.0) << "mark " << marks[i];
        }
    }

    std::unique_ptr<Offscreen> m_target;
    VolumeScene m_scene;
};

TEST_F(Handedness, EnFaceIsTheVolumeSeenFromAbove) {
    // Depth leads away: what is behind the corner does not show, but as the maximum.
    const Picture image = enFace();
    const Vec2 corner = centreOf(image, kBrightness[3]);
    EXPECT_GT(centreOf(image, kBrightness[1]).x, corner.x) << "lateral to the right";
    EXPECT_GT(centreOf(image, kBrightness[2]).y, corner.y) << "elevation down the page";
    Orbit orbit;
    orbit.lookEnFace();
    expectAlike(image, inSpace(orbit), 3, 3, {1, 2});
    EXPECT_GT(placeOf(orbit, kAlongDepth).z, placeOf(orbit, kCorner).z) << "depth away";
    m_scene.mode = VolumeScene::Mode::Slices;
    m_scene.slicesAt = {0.01, (kCorner.depth + 0.5) / kSide, 0.01};
    const Picture slice = inSpace(orbit);
    const Vec2 at = centreOf(slice, kBrightness[0]);
    EXPECT_GT(centreOf(slice, kBrightness[1]).x, at.x);
    EXPECT_GT(centreOf(slice, kBrightness[2]).y, at.y);
}

TEST_F(Handedness, BscanIsTheVolumeSeenFromTheFront) {
    const Picture image = bscan(kCorner.elevation);
    const Vec2 corner = centreOf(image, kBrightness[0]);
    EXPECT_GT(centreOf(image, kBrightness[1]).x, corner.x) << "lateral to the right";
    EXPECT_GT(centreOf(image, kBrightness[3]).y, corner.y) << "depth down";
    Orbit orbit;
    orbit.lookAtBscan();
    m_scene.mode = VolumeScene::Mode::Slices;
    m_scene.slicesAt = {0.01, 0.01, (kCorner.elevation + 0.5) / kSide};
    expectAlike(image, inSpace(orbit), 0, 0, {1, 3});
    m_scene.mode = VolumeScene::Mode::Maximum;
    expectAlike(image, inSpace(orbit), 0, 2, {1, 3});
    EXPECT_LT(placeOf(orbit, kAlongElevation).z, placeOf(orbit, kCorner).z)
        << "elevation comes towards the eye, or lateral, elevation and depth were left-handed";
}

TEST_F(Handedness, FromTheSideElevationLeadsToTheRight) {
    Orbit orbit;
    orbit.lookFromTheSide();
    const Picture picture = inSpace(orbit);
    const Vec2 corner = centreOf(picture, kBrightness[1]);
    EXPECT_GT(centreOf(picture, kBrightness[2]).x, corner.x + 20.0);
    EXPECT_GT(centreOf(picture, kBrightness[3]).y, corner.y + 20.0);
}

/// Positive where three edges are right-handed in this order.
double handednessOf(const Vec3& x, const Vec3& y, const Vec3& z) {
    return x.x * (y.y * z.z - y.z * z.y) + x.y * (y.z * z.x - y.x * z.z) +
           x.z * (y.x * z.y - y.y * z.x);
}

TEST_F(Handedness, VolumesThatAreStoredMirroredAreDrawnAsTheyAre) {
    // From the patient's space to right, down and away nothing is mirrored, whichever way the axes
    // are stored.
    for (int signs = 0; signs < 8; ++signs) {
        Pose pose;
        for (std::size_t i = 0; i < 3; ++i)
            if ((signs >> i & 1) != 0)
                pose.along[i] = {-pose.along[i].x, -pose.along[i].y, -pose.along[i].z};
        FrameSpec spec = cubeSpec();
        spec.pose = std::make_shared<const Pose>(pose);
        const auto vectorOf = [](const Point& p) { return Vec3{p.x, p.y, p.z}; };
        const double stored =
            handednessOf(vectorOf(pose.along[0]), vectorOf(pose.along[1]), vectorOf(pose.along[2]));
        Orbit orbit;
        for (int turn = 0; turn < 5; ++turn) {
            orbit.turnBy({37.0, 11.0 * turn - 50.0}, kWholeTarget);
            const Vec3 from = placeOf(orbit, kCorner, spec);
            const auto edge = [&](const Voxel& end) {
                const Vec3 to = placeOf(orbit, end, spec);
                return Vec3{to.x - from.x, to.y - from.y, to.z - from.z};
            };
            EXPECT_GT(handednessOf(edge(kAlongLateral), edge(kAlongElevation), edge(kAlongDepth)) *
                          stored,
                      0.0);
        }
        const Orbit standard;
        const Picture picture = inSpace(standard, spec);
        for (std::size_t i = 0; i < kMarks.size(); ++i) {
            const Vec2 seen = centreOf(picture, kBrightness[i]);
            EXPECT_NEAR(seen.x, placeOf(standard, kMarks[i], spec).x, 2.0) << signs;
            EXPECT_NEAR(seen.y, placeOf(standard, kMarks[i], spec).y, 2.0) << signs;
        }
    }
}

TEST_F(Handedness, NoTurnMakesAMirrorImage) {
    Orbit orbit;
    for (int turn = 0; turn < 20; ++turn) {
        orbit.turnBy({37.0, 11.0 * turn - 50.0}, kWholeTarget);
        const Vec3 from = placeOf(orbit, kCorner);
        const auto edge = [&](const Voxel& end) {
            const Vec3 to = placeOf(orbit, end);
            return Vec3{to.x - from.x, to.y - from.y, to.z - from.z};
        };
        const Vec3 x = edge(kAlongLateral);
        const Vec3 y = edge(kAlongElevation);
        const Vec3 z = edge(kAlongDepth);
        // Right, down and away are right-handed.
        EXPECT_GT(handednessOf(x, y, z), 0.0);
    }
    Orbit standard;
    const Picture picture = inSpace(standard);
    for (std::size_t i = 0; i < kMarks.size(); ++i) {
        const Vec2 seen = centreOf(picture, kBrightness[i]);
        EXPECT_NEAR(seen.x, placeOf(standard, kMarks[i]).x, 2.0);
        EXPECT_NEAR(seen.y, placeOf(standard, kMarks[i]).y, 2.0);
    }
}

/// Elevation once led away from the eye, so that (lateral, depth, elevation) of a volume not turned
/// were right, down and away.
TEST_F(Handedness, ATurnOfALeftHandedVolumeShowsWhatItDid) {
    Orbit before;
    before.turnBy({37.0, -20.0}, kWholeTarget);
    before.turnBy({-11.0, 45.0}, kWholeTarget);
    Orbit after;
    after.restore(Orbit::fromLeftHanded(before.turn()), 1.0);
    const double pixelsPerSide = 0.94 * kHandednessSize / std::sqrt(3.0);
    for (const Voxel& mark : kMarks) {
        const auto place = [&](std::int64_t i) {
            return pixelsPerSide * ((static_cast<double>(i) + 0.5) / kSide - 0.5);
        };
        const Vec3 then =
            before.turned({place(mark.lateral), place(mark.depth), place(mark.elevation)});
        const Vec3 now = placeOf(after, mark);
        EXPECT_NEAR(now.x, then.x, 1e-9);
        EXPECT_NEAR(now.y, then.y, 1e-9);
        EXPECT_NEAR(now.z, -then.z, 1e-9) << "what cannot be kept of a mirror image";
    }
}

} // namespace
} // namespace echolux
