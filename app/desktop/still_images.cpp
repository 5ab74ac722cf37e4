// SPDX-License-Identifier: GPL-3.0-or-later
// Jump, wait, copy, digest: one step per call.
#include "app/desktop/still_images.hpp"

#include "app/replay/session_text.hpp"
#include "app/session/pixels_look.hpp"
#include "app/session/session.hpp"

namespace echolux {

void StillWatch::forget() {
    m_jumpedTo.reset();
    m_asked.reset();
    m_images.reset();
}

bool StillWatch::rests() {
    if (!m_session.isOpen() || m_session.live() != nullptr) return false;
    const PlayState now = m_session.player().state();
    if (now.playing) m_jumpedTo.reset();
    Mailbox& shown = m_session.mailbox();
    return !now.playing && shown.shownEdit() == m_session.edits() &&
           shown.shownFrame() == now.position;
}

/// True once the image after the jumps is shown. NOTE: the image that comes after the first one may
/// be of a jump that was under way before, and that one may have come from the last frame, which
/// playback in a loop follows by the first one without a reset.
bool StillWatch::jumped(std::int64_t frame) {
    constexpr int kJumps = 2;
    Mailbox& shown = m_session.mailbox();
    if (m_jumpedTo != frame) {
        m_jumpedTo = frame;
        m_jumps = 0;
    } else if (shown.shownImage() <= m_before) {
        return false;
    }
    if (m_jumps == kJumps) return true;
    ++m_jumps;
    m_before = shown.shownImage();
    m_session.player().seek(frame);
    return false;
}

bool StillWatch::copied(const Shown& shown) {
    auto& look = m_session.look<PixelsLook>();
    if (m_asked == shown) return look.isAnswered();
    m_asked = shown;
    m_images.reset();
    const std::size_t views = m_session.snapshot()->views.size();
    for (std::size_t view = 0; view < views; ++view) look.want(view);
    return false;
}

std::optional<StillImages> StillWatch::poll() {
    if (!rests()) return std::nullopt;
    Mailbox& shown = m_session.mailbox();
    const std::int64_t frame = shown.shownFrame();
    const std::int64_t bscan = shown.chosenBscan();
    if (!jumped(frame) || !copied({shown.shownImage(), bscan})) return std::nullopt;
    if (m_images) return m_images;
    StillImages images{frame, bscan, {}};
    const SnapshotPtr snapshot = m_session.snapshot();
    for (std::size_t view = 0; view < snapshot->views.size(); ++view) {
        const auto pixels = m_session.look<PixelsLook>().latest(view);
        if (!pixels) return std::nullopt;
        images.digests.emplace_back(nameOf(snapshot->views[view]), digestOf(pixels->values));
    }
    m_images = std::move(images);
    return m_images;
}

} // namespace echolux
