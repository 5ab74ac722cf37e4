// SPDX-License-Identifier: GPL-3.0-or-later
// Volume texture and renderer of one view.
#include "render/view/volume_canvas.hpp"

#include "render/interop/volume_texture.hpp"
#include "render/view/level_probe.hpp"
#include "render/view/volume_renderer.hpp"

namespace echolux {

struct VolumeCanvas::Parts {
    explicit Parts(std::size_t maxTextureBytes) : volume(maxTextureBytes) {}
    VolumeRenderer renderer;
    VolumeTexture volume;
    LevelProbe probe;
};

VolumeCanvas::VolumeCanvas(std::size_t maxTextureBytes) : m_maxTextureBytes(maxTextureBytes) {
    gl::loadFunctions();
    m_parts = std::make_unique<Parts>(maxTextureBytes);
}
VolumeCanvas::~VolumeCanvas() = default;

bool VolumeCanvas::takeNewest(VolumeSupplier& supplier) {
    const DisplayVolume* volume = supplier.acquire();
    if (volume == nullptr) return false;
    m_exposure = volume->exposure;
    m_parts->volume.take(*volume, supplier);
    return true;
}

void VolumeCanvas::clear() {
    m_parts->volume = VolumeTexture(m_maxTextureBytes);
    m_parts->probe.forget();
}
bool VolumeCanvas::empty() const { return m_parts->volume.empty(); }
const FrameSpec& VolumeCanvas::spec() const { return m_parts->volume.spec(); }
VolumeShape VolumeCanvas::textureShape() const { return m_parts->volume.shape(); }
const std::optional<DisplayPath>& VolumeCanvas::path() const { return m_parts->volume.path(); }
double VolumeCanvas::lastScale() const { return m_parts->renderer.lastScale(); }
void VolumeCanvas::setColourMap(const ColourMap& map) { m_parts->renderer.setColourMap(map); }

void VolumeCanvas::draw(const VolumeScene& scene, const Rect& viewport, Vec2 framebufferSize) {
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0.0F, 0.0F, 0.0F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    m_parts->renderer.draw(m_parts->volume, scene, viewport, framebufferSize);
}

void VolumeCanvas::askForLevels(const Orbit& orbit, Content content) {
    m_parts->probe.forget();
    if (empty()) return;
    const gl::Texture& picture = m_parts->renderer.projected(m_parts->volume, orbit);
    constexpr int kSide = VolumeRenderer::kProjectedSide;
    m_parts->probe.look(picture.name(), kSide, kSide, lowestOf(content));
}
std::optional<Levels> VolumeCanvas::takeLevels() { return m_parts->probe.take(); }
bool VolumeCanvas::levelsPending() const { return m_parts->probe.looking(); }

} // namespace echolux
