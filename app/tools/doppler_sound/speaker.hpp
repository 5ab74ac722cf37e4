// SPDX-License-Identifier: GPL-3.0-or-later
// The sound device of the computer.
#pragma once

#include <QString>

#include <memory>

namespace echolux {

class SoundRing;

class Speaker {
public:
    virtual ~Speaker() = default;
    virtual int rateHz() const = 0;
    /// Plays what is written to the ring, which outlives the speaker.
    virtual void start(SoundRing& ring) = 0;
    /// Why it plays no longer, as a sentence; empty while it plays.
    virtual QString problem() const = 0;

    /// The device that the system prefers. Null where there is none; then `why` is a sentence.
    static std::unique_ptr<Speaker> preferred(QString& why);
};

} // namespace echolux
