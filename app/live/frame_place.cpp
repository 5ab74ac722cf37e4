// SPDX-License-Identifier: GPL-3.0-or-later
// Quaternions and rotation matrices.
#include "app/live/frame_place.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace echolux {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>; ///< [row][column]

Matrix matrixOf(const Pose& pose) {
    Matrix matrix{};
    for (std::size_t column = 0; column < 3; ++column) {
        const Point& along = pose.along[column];
        matrix[0][column] = along.x;
        matrix[1][column] = along.y;
        matrix[2][column] = along.z;
    }
    return matrix;
}

double dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

bool isRotation(const Pose& pose) {
    constexpr double kAlmost = 1e-4;
    const auto& [x, y, z] = pose.along;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            if (!(std::abs(dot(pose.along[i], pose.along[j]) - (i == j ? 1.0 : 0.0)) < kAlmost))
                return false;
    const Point cross{x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x};
    return dot(cross, z) > 0.0;
}

} // namespace

std::shared_ptr<const Pose> poseAt(const FramePlace& place, const std::string& space) {
    double norm = 0.0;
    for (const float each : place.rotation) norm += double{each} * double{each};
    norm = std::sqrt(norm);
    constexpr double kLeast = 0.5; // what is not normalised at all is no rotation
    const bool finite =
        std::ranges::all_of(place.position, [](float x) { return std::isfinite(x); });
    if (!finite || !(norm > kLeast && norm < 1.0 / kLeast)) return nullptr;
    const double w = place.rotation[0] / norm;
    const double x = place.rotation[1] / norm;
    const double y = place.rotation[2] / norm;
    const double z = place.rotation[3] / norm;
    auto pose = std::make_shared<Pose>();
    pose->along = {{{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                    {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                    {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}}};
    pose->origin = {place.position[0], place.position[1], place.position[2]};
    pose->space = space;
    return pose;
}

/// Shepperd's method: the largest of the four squares is computed first.
std::optional<FramePlace> placeOf(const Pose& pose) {
    if (!isRotation(pose)) return std::nullopt;
    const Matrix m = matrixOf(pose);
    const std::array<double, 4> squares{
        1 + m[0][0] + m[1][1] + m[2][2], 1 + m[0][0] - m[1][1] - m[2][2],
        1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2]};
    const auto largest =
        static_cast<std::size_t>(std::ranges::max_element(squares) - squares.begin());
    const double twice = std::sqrt(squares[largest]);
    const double wx = m[2][1] - m[1][2];
    const double wy = m[0][2] - m[2][0];
    const double wz = m[1][0] - m[0][1];
    const double xy = m[0][1] + m[1][0];
    const double xz = m[0][2] + m[2][0];
    const double yz = m[1][2] + m[2][1];
    const double own = twice * twice;
    const std::array<std::array<double, 4>, 4> products{
        {{own, wx, wy, wz}, {wx, own, xy, xz}, {wy, xy, own, yz}, {wz, xz, yz, own}}};
    FramePlace place;
    for (std::size_t i = 0; i < 4; ++i)
        place.rotation[i] = static_cast<float>(products[largest][i] / (2 * twice));
    place.position = {static_cast<float>(pose.origin.x), static_cast<float>(pose.origin.y),
                      static_cast<float>(pose.origin.z)};
    return place;
}

} // namespace echolux
