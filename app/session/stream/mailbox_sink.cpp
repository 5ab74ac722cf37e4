// SPDX-License-Identifier: GPL-3.0-or-later
// Passes images of the pipeline to a mailbox.
#include "app/session/stream/mailbox_sink.hpp"

#include "gpu/core/volume_image.hpp"
#include "gpu/memory/transfer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {
namespace {

std::size_t bytesOf(const std::shared_ptr<const FrameSpec>& image) {
    return image != nullptr ? image->bytes() : 0;
}

ImageBytes bytesOf(const ImageFormat& format) {
    const std::size_t pixels = bytesOf(format.image);
    return {pixels, bytesOf(format.beneath), format.moves ? 2 * pixels : 0};
}

std::shared_ptr<const FrameSpec> oneBscan(const std::shared_ptr<const FrameSpec>& image) {
    if (image == nullptr || image->find(AxisName::Elevation) == nullptr) return image;
    return std::make_shared<const FrameSpec>(bscanSpec(*image));
}

} // namespace

MailboxSink::MailboxSink(Mailbox& mailbox, Published published)
    : m_mailbox(mailbox), m_published(std::move(published)) {
    m_begun.reserve(m_mailbox.imageCount());
}

std::size_t MailboxSink::bytesFor(const ImageFormat& format) const {
    const ImageBytes bytes = bytesOf(format);
    return m_mailbox.imageBytes() == bytes ? 0 : m_mailbox.imageCount() * bytes.sum();
}

void MailboxSink::configure(const ImageFormat& format) {
    const ImageBytes bytes = bytesOf(format);
    if (m_mailbox.imageBytes() != bytes) m_mailbox.resize(bytes);
    m_spec = format.image;
    followSlices();
    m_bscans = m_spec != nullptr ? bscansIn(*m_spec) : 1;
    m_spec = oneBscan(m_spec);
    m_beneath = oneBscan(format.beneath);
}

void MailboxSink::followSlices() {
    if (m_spec == nullptr || !isWholeVolume(*m_spec)) return;
    const Axis& slices = m_spec->axes.front();
    if (slices == m_slices) return;
    std::int64_t shown = slices.size / 2;
    if (m_slices.size > 0) {
        const double place =
            m_slices.origin + static_cast<double>(m_mailbox.chosenBscan()) * m_slices.spacing;
        shown = std::clamp<std::int64_t>(std::llround((place - slices.origin) / slices.spacing), 0,
                                         slices.size - 1);
    }
    m_slices = slices;
    m_mailbox.showBscan(shown);
}

ViewTarget MailboxSink::begin() {
    Image* image = m_begun.emplace_back(m_mailbox.beginWrite());
    return {image->pixels.data(), &image->consumed};
}

void MailboxSink::take(const Exec& exec, const FrameRun& frames, const RunImages& images) {
    Image* image = m_begun[m_taken++];
    const float* last = images.image(frames.count - 1);
    if (last != image->pixels.data()) {
        image->consumed.blockStream(exec);
        copyWithin(exec, image->pixels.data(), last, image->pixels.bytes());
    }
    if (images.beneath != nullptr) {
        image->consumed.blockStream(exec);
        copyWithin(exec, image->beneath.data(), images.beneath, image->beneath.bytes());
    }
    image->moves = images.motion[0] != nullptr;
    if (image->moves) {
        image->consumed.blockStream(exec);
        const std::size_t each = image->motion.bytes() / images.motion.size();
        std::byte* to = image->motion.as<std::byte>();
        for (const float* part : images.motion) {
            copyWithin(exec, to, part, each);
            to += each;
        }
    }
    image->ready.record(exec);
}

void MailboxSink::done(const FrameRun& frames, std::uint64_t serial, Clock::time_point arrived) {
    Image* image = m_begun.front();
    m_begun.erase(m_begun.begin());
    --m_taken;
    image->spec = m_spec;
    image->bscans = m_bscans;
    image->beneathSpec = m_beneath;
    image->origin = {frames.last(), serial, arrived, {}, {}, frames.edit};
    m_mailbox.publish(image);
    m_published();
}

void MailboxSink::abandon() {
    for (Image* image : m_begun) m_mailbox.abandon(image);
    m_begun.clear();
    m_taken = 0;
}

} // namespace echolux
