// SPDX-License-Identifier: GPL-3.0-or-later
// The rotation of a volume, and the positions of its parts on screen. Plain arithmetic.
#pragma once

#include "render/view/screen_axis.hpp"
#include "render/view/view_transform.hpp"

#include <array>
#include <vector>

namespace echolux {

struct Vec3 {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;
};

/// Orientation and zoom. Screen space: x right, y down, z away from the eye. Lateral, elevation and
/// depth are right-handed in this order, as in the en face image with lateral to the right,
/// elevation down and depth away from the eye. Without a rotation a B-scan is seen from the front:
/// lateral right, depth down, elevation towards the eye. So the world coordinates are lateral,
/// depth and reversed elevation.
class Orbit {
public:
    Orbit() { lookFromAbove(); }

    void lookFromAbove(); ///< the initial view: half from the side, half from above
    void lookAtBscan();
    void lookEnFace();      ///< like the en face image: lateral right, elevation down, depth away
                            ///< from the eye
    void lookFromTheSide(); ///< elevation right, depth down, lateral away from the eye

    /// Rotates as if the mouse rolled a ball of the viewport's size.
    void turnBy(Vec2 pixels, const Rect& viewport);
    void zoomBy(double factor); ///< within 0.2 to 20

    Vec3 turned(Vec3 world) const;
    Vec3 turnedBack(Vec3 screen) const;
    double zoom() const { return m_zoom; }
    using Turn = std::array<double, 4>; ///< unit quaternion w, x, y, z
    const Turn& turn() const { return m_turn; }
    /// Converts a rotation of the former convention, in which elevation points away from the eye.
    /// The result shows everything at the same place on screen, with near and far exchanged.
    static Turn fromLeftHanded(const Turn& turn);
    /// Restores a rotation and its zoom. Does nothing where `turn` is no rotation.
    void restore(const Turn& turn, double zoom);

private:
    void set(Vec3 axis, double angleRad);
    void rotate(Vec3 axis, double angleRad); ///< applied after the present rotation
    void normalize();

    Turn m_turn{1.0, 0.0, 0.0, 0.0};
    double m_zoom = 1.0;
};

/// The box of a volume, in true proportions as far as they are known. An axis of unknown length is
/// drawn as long as the others are on average. Positions in the box are fractions from 0 to 1:
/// (lateral, depth, elevation).
struct VolumeBox {
    ScreenAxis lateral;
    ScreenAxis depth;
    ScreenAxis elevation;
    /// z is negative where a pose makes the axes left-handed: elevation then points away from the
    /// eye, so that what is stored mirrored is drawn as it is.
    Vec3 size{1.0, 1.0, 1.0};

    /// Precondition: axes elevation, lateral, depth.
    static VolumeBox of(const FrameSpec& volume);
};

/// Parallel projection of a rotated box into a viewport, in pixels.
class VolumeProjection {
public:
    VolumeProjection(const VolumeBox& box, const Orbit& orbit, const Rect& viewport);

    Vec3 toPixel(Vec3 fraction) const; ///< z: pixels away from the box's centre
    /// The ray of pixel p runs through start + p.x * perX + p.y * perY + t * direction, all in
    /// fractions, t in units of the box's diagonal. No part of direction is 0.
    struct Rays {
        Vec3 start, perX, perY, direction;
        double reach = 0.0; ///< t of the corner farthest from the eye; the nearest corner has t =
                            ///< -reach
    };
    Rays rays() const;

    struct Edge {
        Vec2 from, to;
        bool hidden = false; ///< behind the box
    };
    std::array<Edge, 12> edges() const;
    std::array<Vec2, 8> corners() const;
    /// Outline of the slice at `fraction` of lateral (0), depth (1) or elevation (2).
    std::array<Vec2, 4> sliceOutline(int axis, double fraction) const;

    /// Ticks and labels at one silhouette edge per axis. An axis that points at the eye has none.
    struct AxisMarks {
        struct Tick {
            Vec2 from, to, text; ///< `text` is the centre of the label
            std::string label;
        };
        std::string title;
        Vec2 from = {}; ///< ends of the edge
        Vec2 to = {};
        Vec2 outwards = {}; ///< away from the box, perpendicular to the edge, of length 1
        std::vector<Tick> ticks = {};
    };
    std::vector<AxisMarks> axisMarks() const;

private:
    Vec3 fractionOf(Vec3 screen, bool isPlace) const;
    AxisMarks marksOf(int axis, const ScreenAxis& screen) const;

    const VolumeBox m_box;
    const Orbit m_orbit;
    Vec2 m_middle;
    double m_scale; ///< pixels per unit of the box's size
};

} // namespace echolux
