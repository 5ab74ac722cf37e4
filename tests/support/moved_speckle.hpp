// SPDX-License-Identifier: GPL-3.0-or-later
// Complex images of the same points, which lie elsewhere in depth in each.
#pragma once

#include "tests/support/stage_run.hpp"
#include "tests/support/test_frames.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

namespace echolux::test {

/// Each column has points of its own. A pulse has a Gaussian envelope with a standard deviation of
/// 0.08 mm and a carrier of 5 MHz, out and back.
class MovedSpeckle {
public:
    static constexpr double kWavelengthM = 1540.0 / 5e6;

    MovedSpeckle(std::int64_t depths, std::int64_t laterals, unsigned seed = 1)
        : m_image(imageSpec(depths, laterals)) {
        m_image.dtype = DType::ComplexF32;
        constexpr double kMargin = 2e-3;
        const Axis& depth = m_image.axes[0];
        const double first = depth.origin - kMargin;
        const double last = depth.origin + depth.spacing * static_cast<double>(depths) + kMargin;
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> place(first, last);
        std::normal_distribution<double> amplitude;
        m_points.resize(static_cast<std::size_t>(laterals));
        const auto each = static_cast<std::size_t>(20.0 * (last - first) / kWavelengthM);
        for (auto& column : m_points) {
            for (std::size_t i = 0; i < each; ++i)
                column.push_back({place(random), amplitude(random)});
        }
    }

    /// A frame with the points at z, and one with them at moved(z).
    HostFrame ensemble(const std::function<double(double)>& moved) const {
        return frames(2, [&](double z, std::int64_t frame) { return frame == 0 ? z : moved(z); });
    }

    /// So many frames with the points at moved(z, frame).
    HostFrame frames(std::int64_t count,
                     const std::function<double(double, std::int64_t)>& moved) const {
        HostFrame made(ensembleOf(m_image, count));
        auto* pixels = reinterpret_cast<std::complex<float>*>(made.bytes.data());
        const std::int64_t laterals = m_image.axes[1].size;
        for (std::int64_t frame = 0; frame < count; ++frame) {
            for (std::int64_t x = 0; x < laterals; ++x) {
                for (const Point& point : m_points[static_cast<std::size_t>(x)])
                    add(moved(point.z, frame), point.amplitude,
                        pixels + frame * m_image.count() + x);
            }
        }
        return made;
    }

private:
    struct Point {
        double z;
        double amplitude;
    };

    void add(double z, double amplitude, std::complex<float>* column) const {
        constexpr double kWidthM = 0.08e-3;
        const Axis& depth = m_image.axes[0];
        const std::int64_t laterals = m_image.axes[1].size;
        const double at = (z - depth.origin) / depth.spacing;
        const double reach = 5.0 * kWidthM / depth.spacing;
        const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(at - reach));
        const auto last = std::min(depth.size - 1, static_cast<std::int64_t>(at + reach));
        for (std::int64_t i = first; i <= last; ++i) {
            const double away = depth.spacing * (static_cast<double>(i) - at);
            const double envelope = std::exp(-0.5 * away * away / (kWidthM * kWidthM));
            column[i * laterals] += std::complex<float>(std::polar(
                std::abs(amplitude) * envelope, 4.0 * std::numbers::pi * away / kWavelengthM +
                                                    (amplitude < 0.0 ? std::numbers::pi : 0.0)));
        }
    }

    FrameSpec m_image;
    std::vector<std::vector<Point>> m_points;
};

} // namespace echolux::test
