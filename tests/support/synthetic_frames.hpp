// SPDX-License-Identifier: GPL-3.0-or-later
// Frames in host memory for tests of whatever draws: known values, or the looks of a B-mode image.
#pragma once

#include "render/interop/frame_supplier.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace echolux::testing_support {

/// [depth][lateral] in metres, centred laterally, meant for -60 .. 0 dB.
inline FrameSpec imageSpec(std::int64_t rows, std::int64_t columns, double spacingM,
                           double firstDepthM = 0.0) {
    FrameSpec spec;
    spec.axes = {{AxisName::Depth, rows, spacingM, firstDepthM, "m"},
                 {AxisName::Lateral, columns, spacingM,
                  -0.5 * static_cast<double>(columns - 1) * spacingM, "m"}};
    spec.valueRange = ValueRange{-60.0, 0.0, "dB", "running maximum"};
    return spec;
}

/// Speckle with point targets and a cyst, in dB.
inline std::vector<float> speckleImage(const FrameSpec& spec, unsigned seed) {
    const std::int64_t rows = spec.axes[0].size;
    const std::int64_t columns = spec.axes[1].size;
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> re(static_cast<std::size_t>(rows * columns));
    std::vector<float> im(re.size());
    for (std::size_t i = 0; i < re.size(); ++i) {
        re[i] = normal(random);
        im[i] = normal(random);
    }
    constexpr double kAxialM = 0.15e-3; // resolution cell, standard deviations
    constexpr double kLateralM = 0.3e-3;
    const auto smooth = [&](std::vector<float>& field, double sigma, std::int64_t stride,
                            std::int64_t length) {
        const auto reach = static_cast<std::int64_t>(std::ceil(2.5 * sigma));
        std::vector<float> line(static_cast<std::size_t>(length));
        const std::int64_t lines = rows * columns / length;
        for (std::int64_t l = 0; l < lines; ++l) {
            float* start = field.data() + (stride == 1 ? l * length : l);
            for (std::int64_t i = 0; i < length; ++i) {
                double sum = 0.0;
                for (std::int64_t k = -reach; k <= reach; ++k) {
                    const std::int64_t at = std::clamp<std::int64_t>(i + k, 0, length - 1);
                    sum += start[at * stride] * std::exp(-0.5 * (k / sigma) * (k / sigma));
                }
                line[static_cast<std::size_t>(i)] = static_cast<float>(sum / sigma);
            }
            for (std::int64_t i = 0; i < length; ++i) {
                start[i * stride] = line[static_cast<std::size_t>(i)];
            }
        }
    };
    for (auto* field : {&re, &im}) {
        smooth(*field, kAxialM / spec.axes[0].spacing, columns, rows);
        smooth(*field, kLateralM / spec.axes[1].spacing, 1, columns);
    }
    std::vector<float> decibels(re.size());
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
            const double z = spec.axes[0].origin + spec.axes[0].spacing * row;
            const double x = spec.axes[1].origin + spec.axes[1].spacing * column;
            const std::size_t i = static_cast<std::size_t>(row * columns + column);
            const bool cyst = std::hypot(x - 8e-3, z - 25e-3) < 4e-3;
            double amplitude = 0.02 * std::hypot(re[i], im[i]) * (cyst ? 0.02 : 1.0);
            for (int target = 0; target < 9; ++target) {
                const double tx = target < 5 ? -6e-3 : -6e-3 + 4e-3 * (target - 6);
                const double tz = target < 5 ? 8e-3 + 8e-3 * target : 32e-3;
                const double u = (x - tx) / 0.35e-3;
                const double v = (z - tz) / 0.12e-3;
                amplitude += std::exp(-0.5 * (u * u + v * v));
            }
            decibels[i] = static_cast<float>(
                std::clamp(20.0 * std::log10(std::max(amplitude, 1e-6)), -60.0, 0.0));
        }
    }
    return decibels;
}

/// Hands out one frame of its own whenever offer() has been called; remembers what was done to it.
class HostSupplier : public FrameSupplier {
public:
    void offer(FrameSpec spec, std::vector<float> pixels, const Exposure& exposure = {}) {
        m_pixels = std::move(pixels);
        m_frame.spec = std::make_shared<const FrameSpec>(std::move(spec));
        m_frame.pixels = m_pixels.data();
        m_frame.exposure = exposure;
        ++m_frame.serial;
        m_fresh = true;
    }
    /// The next frame offered is drawn over this image.
    void putBeneath(FrameSpec spec, std::vector<float> pixels) {
        m_beneath = std::move(pixels);
        m_frame.beneathSpec = std::make_shared<const FrameSpec>(std::move(spec));
        m_frame.beneath = m_beneath.data();
    }
    /// The next frame offered has this number and motion: velocities to the right, then those
    /// towards the probe.
    void putMotion(std::int64_t frame, std::vector<float> motion) {
        m_motion = std::move(motion);
        m_frame.frame = frame;
        m_frame.motion = m_motion.data();
    }
    void offerAgain() {
        ++m_frame.serial;
        m_fresh = true;
    }
    const DisplayFrame* acquire() override {
        if (!std::exchange(m_fresh, false)) return nullptr;
        ++acquired;
        return &m_frame;
    }
    void release(device::Stream) override { ++released; }
    void presented(std::uint64_t serial) override { shown.push_back(serial); }

    int acquired = 0;
    int released = 0;
    std::vector<std::uint64_t> shown;

private:
    std::vector<float> m_pixels;
    std::vector<float> m_beneath;
    std::vector<float> m_motion;
    DisplayFrame m_frame;
    bool m_fresh = false;
};

} // namespace echolux::testing_support
