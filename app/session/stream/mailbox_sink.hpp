// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the images of a view into a mailbox: they are made in its memory.
#pragma once

#include "app/session/stream/image_sink.hpp"
#include "app/session/stream/mailbox.hpp"

#include <functional>
#include <vector>

namespace echolux {

class MailboxSink final : public ImageSink {
public:
    using Published = std::function<void()>;

    /// `published`: the mailbox has a new image.
    MailboxSink(Mailbox& mailbox, Published published);

    std::size_t bytesFor(const ImageFormat& format) const override;
    void configure(const ImageFormat& format) override;
    ViewTarget begin() override;
    void take(const Exec& exec, const FrameRun& frames, const RunImages& images) override;
    void done(const FrameRun& frames, std::uint64_t serial, Clock::time_point arrived) override;
    void abandon() override;

private:
    /// Of whole volumes of echoes the middle slice is shown until another one is chosen, and its
    /// place stays where an edit moves the slices.
    void followSlices();

    Mailbox& m_mailbox;
    Published m_published;
    std::shared_ptr<const FrameSpec> m_spec; ///< of one B-scan
    std::int64_t m_bscans = 1;               ///< in each image
    Axis m_slices;                           ///< of whole volumes; size 0: there were none yet
    std::vector<Image*> m_begun;             ///< in order, not done
    std::size_t m_taken = 0;                 ///< of those
};

} // namespace echolux
