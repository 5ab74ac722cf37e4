// SPDX-License-Identifier: GPL-3.0-or-later
// Cuts a plane out of a volume.
#include "app/session/volume/side_plane.hpp"

#include "gpu/core/posed.hpp"

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

/// One image is being copied, one is published, one is on screen.
constexpr int kImages = 3;

} // namespace

SidePlane::SidePlane(Backend backend) : m_images(backend, kImages, [](const ImageOrigin&) {}) {}

void SidePlane::configure(const FrameSpec& volume, const VolumeShape& shape) {
    const auto bytes = static_cast<std::size_t>(shape.bscans * shape.bins) * sizeof(float);
    if (m_images.imageBytes().pixels != bytes) m_images.resize({.pixels = bytes});
    m_shape = shape;
    m_outdated = true;
    m_spec.reset();
    if (shape.count() == 0) return;
    m_volume = volume;
    m_spec = std::make_shared<const FrameSpec>(planeOf(volume, AxisName::Lateral, 0.0));
}

std::optional<std::int64_t> SidePlane::line() const {
    if (m_spec == nullptr) return std::nullopt;
    const std::lock_guard lock(m_mutex);
    if (!m_lateral) return std::nullopt;
    const Axis& lateral = m_volume.axes[1];
    return std::clamp<std::int64_t>(std::llround((*m_lateral - lateral.origin) / lateral.spacing),
                                    0, lateral.size - 1);
}

bool SidePlane::isDue() const { return (m_moved || m_outdated) && line(); }

void SidePlane::publish(const Exec& exec, const Half* voxels, std::int64_t newest) {
    m_moved = false;
    const std::optional<std::int64_t> at = line();
    if (!at) return;
    Image* image = m_images.beginWrite();
    try {
        image->consumed.blockStream(exec);
        cutAlongLine(exec, voxels, m_shape, *at, image->pixels.as<float>());
        image->ready.record(exec);
    } catch (...) {
        m_images.abandon(image);
        throw;
    }
    movePlane(m_spec, m_volume, AxisName::Lateral, static_cast<double>(*at));
    image->spec = m_spec;
    image->origin = {newest, ++m_serial, Clock::now(), {}, {}};
    m_images.publish(image);
    m_outdated = false;
}

void SidePlane::show(std::optional<double> lateral) {
    const std::lock_guard lock(m_mutex);
    if (lateral == m_lateral) return;
    m_lateral = lateral;
    m_moved = true;
}

} // namespace echolux
