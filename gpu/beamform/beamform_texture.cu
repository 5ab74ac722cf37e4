// SPDX-License-Identifier: GPL-3.0-or-later
// The copies that textures read, and the textures.
#include "gpu/beamform/beamform_texture.hpp"

#include "gpu/core/complex.hpp"
#include "gpu/exec/device_api.hpp"
#include "gpu/exec/for_each.hpp"

#include <algorithm>

namespace echolux::das {
namespace {

constexpr std::size_t kBaseAlignment = 512; // of a texture over plain memory, on every GPU in use
constexpr std::size_t kPitchAlignment = 32;
constexpr std::size_t kUsualInFlight = 16;

constexpr std::size_t roundedUp(std::size_t value, std::size_t to) {
    return (value + to - 1) / to * to;
}

void* alignedBase(void* workspace) {
    const auto address = reinterpret_cast<std::uintptr_t>(workspace);
    return static_cast<char*>(workspace) + (roundedUp(address, kBaseAlignment) - address);
}

/// Lays lines `pitch` samples apart.
template <class Sample> struct SpreadLines {
    const Sample* in;
    Sample* out;
    std::int64_t samples;
    std::int64_t pitch;

    ECHOLUX_HD void operator()(std::int64_t i) const {
        out[i / samples * pitch + i % samples] = in[i];
    }
};

template <class Sample>
void spread(const Exec& exec, const TextureLines& shape, const void* frame, void* to) {
    forEach(exec, "beamform", shape.lines * shape.samples,
            SpreadLines<Sample>{static_cast<const Sample*>(frame), static_cast<Sample*>(to),
                                shape.samples,
                                static_cast<std::int64_t>(shape.pitch() / sizeof(Sample))});
}

} // namespace

std::size_t TextureLines::pitch() const {
    return roundedUp(static_cast<std::size_t>(samples) *
                         (complex ? sizeof(Complex) : sizeof(float)),
                     kPitchAlignment);
}

std::size_t TextureLines::bytes() const {
    return static_cast<std::size_t>(lines) * pitch() + kBaseAlignment;
}

LineTextures::~LineTextures() { reset({}); }

void LineTextures::reset(const TextureLines& shape) {
    for (const Bound& bound : m_bound) device::destroyTexture(bound.texture);
    m_bound.clear();
    m_bound.reserve(kUsualInFlight);
    m_shape = shape;
}

std::uint64_t LineTextures::bind(const Exec& exec, const void* frame, void* workspace) {
    void* copy = alignedBase(workspace);
    m_shape.complex ? spread<Complex>(exec, m_shape, frame, copy)
                    : spread<float>(exec, m_shape, frame, copy);
    const auto known = std::ranges::find(m_bound, workspace, &Bound::workspace);
    if (known != m_bound.end()) return known->texture;
    const std::uint64_t texture = device::createLineTexture(
        copy, m_shape.complex ? 2 : 1, static_cast<std::size_t>(m_shape.samples),
        static_cast<std::size_t>(m_shape.lines), m_shape.pitch());
    m_bound.push_back({workspace, texture});
    return texture;
}

} // namespace echolux::das
