// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the images of a view into a mailbox. The pipeline writes them straight into the mailbox's
// memory.
#pragma once

#include "app/session/stream/image_sink.hpp"
#include "app/session/stream/mailbox.hpp"

#include <functional>
#include <vector>

namespace echolux {

class MailboxSink final : public ImageSink {
public:
    using Published = std::function<void()>;

    /// `published` is called when the mailbox has a new image.
    MailboxSink(Mailbox& mailbox, Published published);

    std::size_t bytesFor(const ImageFormat& format) const override;
    void configure(const ImageFormat& format) override;
    ViewTarget begin() override;
    void take(const Exec& exec, const FrameRun& frames, const RunImages& images) override;
    void done(const FrameRun& frames, std::uint64_t serial, Clock::time_point arrived) override;
    void abandon() override;

private:
    /// For whole ultrasound volumes: shows the middle slice until another one is chosen. Where an
    /// edit moves the slices, the shown slice stays at the same place in metres.
    void followSlices();

    Mailbox& m_mailbox;
    Published m_published;
    std::shared_ptr<const FrameSpec> m_spec;    ///< of one B-scan
    std::shared_ptr<const FrameSpec> m_beneath; ///< of one B-scan; null: nothing is beneath
    std::int64_t m_bscans = 1;                  ///< in each image
    Axis m_slices;               ///< elevation axis of whole volumes; size 0: none came
                                 ///< yet
    std::vector<Image*> m_begun; ///< begun and not done, in order
    std::size_t m_taken = 0;     ///< how many of them take() was called for
};

} // namespace echolux
