// SPDX-License-Identifier: GPL-3.0-or-later
// Textures and renderers of one view.
#include "render/view/frame_canvas.hpp"

#include "render/interop/frame_texture.hpp"
#include "render/interop/release.hpp"
#include "render/view/blend_renderer.hpp"
#include "render/view/flow_layer.hpp"
#include "render/view/image_renderer.hpp"
#include "render/view/level_probe.hpp"
#include "render/view/screen_axis.hpp"

#include <utility>

namespace echolux {

struct FrameCanvas::Parts {
    ImageRenderer renderer;
    ImageRenderer lowerRenderer; ///< of the image beneath
    BlendRenderer blender;
    FrameTexture frame;
    FrameTexture beneath;
    FlowLayer flow;
    Event copied; ///< passes when one of the frame's further images is copied
    LevelProbe probe;

    /// Later work on the frame's stream waits for what `other` holds now.
    void await(device::Stream other) {
        if (copied.get() == nullptr) copied = Event(Backend::Cuda, false);
        copied.record({Backend::Cuda, other});
        copied.blockStream({Backend::Cuda, frame.stream()});
    }
};

FrameCanvas::FrameCanvas() {
    gl::loadFunctions();
    m_parts = std::make_unique<Parts>();
}
FrameCanvas::~FrameCanvas() = default;

std::optional<std::uint64_t> FrameCanvas::takeNewest(FrameSupplier& supplier) {
    const DisplayFrame* frame = supplier.acquire();
    if (frame == nullptr) return std::nullopt;
    const std::uint64_t serial = frame->serial;
    m_exposure = frame->exposure;
    Release<FrameSupplier> release(supplier);
    if (frame->beneath != nullptr) {
        DisplayFrame lower = *frame;
        lower.spec = frame->beneathSpec;
        lower.pixels = frame->beneath;
        m_parts->beneath.take(lower, release);
    } else if (!m_parts->beneath.empty()) {
        m_parts->beneath = FrameTexture();
    }
    if (frame->motion != nullptr)
        m_parts->flow.take(*frame, m_particles.pace, release);
    else
        m_parts->flow.clear();
    m_parts->frame.take(*frame, release);
    if (frame->backend == Backend::Cuda) {
        // The supplier is told of one stream, so that one waits for the others.
        if (frame->beneath != nullptr) m_parts->await(m_parts->beneath.stream());
        if (frame->motion != nullptr)
            for (const device::Stream each : m_parts->flow.streams()) m_parts->await(each);
    }
    return serial;
}

void FrameCanvas::restore(const FrameSpec& spec, std::span<const float> pixels) {
    m_parts->frame.restore(spec, pixels);
}
void FrameCanvas::restoreBeneath(const FrameSpec& spec, std::span<const float> pixels) {
    m_parts->beneath.restore(spec, pixels);
}
void FrameCanvas::clear() {
    m_parts->frame = FrameTexture();
    m_parts->beneath = FrameTexture();
    m_parts->flow.clear();
    m_parts->probe.forget();
}

bool FrameCanvas::empty() const { return m_parts->frame.empty(); }
const FrameSpec& FrameCanvas::spec() const { return m_parts->frame.spec(); }
int FrameCanvas::width() const {
    return drawnTransposed(spec()) ? m_parts->frame.height() : m_parts->frame.width();
}
int FrameCanvas::height() const {
    return drawnTransposed(spec()) ? m_parts->frame.width() : m_parts->frame.height();
}
void FrameCanvas::askForValue(int column, int row) {
    if (drawnTransposed(spec())) std::swap(column, row);
    m_parts->frame.askForValue(column, row);
}
std::optional<float> FrameCanvas::takeValue() { return m_parts->frame.takeValue(); }
bool FrameCanvas::valuePending() const { return m_parts->frame.valuePending(); }
void FrameCanvas::askForLevels(Content content) {
    const FrameTexture& frame = m_parts->frame;
    m_parts->probe.look(frame.name(), frame.width(), frame.height(), lowestOf(content));
}
std::optional<Levels> FrameCanvas::takeLevels() { return m_parts->probe.take(); }
bool FrameCanvas::levelsPending() const { return m_parts->probe.looking(); }
std::vector<float> FrameCanvas::readBack() const { return m_parts->frame.readBack(); }
const FrameSpec* FrameCanvas::beneath() const {
    return m_parts->beneath.empty() ? nullptr : &m_parts->beneath.spec();
}
std::vector<float> FrameCanvas::readBackBeneath() const { return m_parts->beneath.readBack(); }
const std::optional<DisplayPath>& FrameCanvas::path() const { return m_parts->frame.path(); }

void FrameCanvas::setColourMap(const ColourMap& map) {
    m_parts->renderer.setColourMap(map);
    m_parts->blender.setColourMap(map);
}
void FrameCanvas::setColourMapBeneath(const ColourMap& map) {
    m_parts->lowerRenderer.setColourMap(map);
}

void FrameCanvas::draw(const Rect& image, const Rect& clip, Vec2 framebufferSize,
                       const DisplaySettings& settings, const ImageBeneath& beneath) const {
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0.0F, 0.0F, 0.0F, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    const FrameTexture& lower = m_parts->beneath;
    const PlacedFrame placed{m_parts->frame, image, settings};
    if (lower.empty()) {
        m_parts->renderer.draw(m_parts->frame, image, clip, framebufferSize, settings);
    } else {
        m_parts->lowerRenderer.draw(lower, beneath.image, clip, framebufferSize, beneath.settings);
        m_parts->blender.draw(placed, {lower, beneath.image, beneath.settings}, clip,
                              framebufferSize, beneath.blend);
    }
    m_parts->flow.draw(placed, clip, framebufferSize, m_particles.count);
}

} // namespace echolux
