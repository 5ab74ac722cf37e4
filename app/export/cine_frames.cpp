// SPDX-License-Identifier: GPL-3.0-or-later
// The frame rate of a cine, and the sentence that describes it.
#include "app/export/cine_frames.hpp"

#include <fmt/format.h>

namespace echolux {

CineFrames::CineFrames(const ExportSubject& subject, const OutputFiles& files)
    : m_maker(subject.frame, subject.look) {
    if (subject.look.depthBits != 8) refuseContent(files, subject, "a cine has colours of 8 bits");
    const auto say = [&](std::string sentence) {
        if (subject.remarks != nullptr && !sentence.empty())
            subject.remarks->push_back(std::move(sentence));
    };
    say(m_maker.remark());
    if (subject.frames == 1) say("A cine of one frame is a still picture; .png holds it too.");
    constexpr double kUsual = 25.0;
    constexpr double kMostShown = 120.0;
    m_framesPerSecond = subject.framesPerSecond > 0.0 ? subject.framesPerSecond
                        : subject.frameRateHz > 0.0   ? subject.frameRateHz
                                                      : kUsual;
    if (subject.framesPerSecond > 0.0) return;
    if (subject.frameRateHz <= 0.0)
        say("The frame rate of the recording is unknown; the cine plays 25 frames/s (--fps).");
    else if (subject.frameRateHz > kMostShown)
        say(fmt::format("The cine plays as fast as it was recorded, {:.5g} frames/s, which screens "
                        "cannot show; slow it down with --fps.",
                        subject.frameRateHz));
}

} // namespace echolux
