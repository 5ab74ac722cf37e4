// SPDX-License-Identifier: GPL-3.0-or-later
// Walks Event, and orders the frames of a circular buffer by time.
#include "app/dataset/formats/verasonics_sequence.hpp"

#include "app/dataset/recording/counted.hpp"
#include "app/dataset/recording/track_choice.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace echolux {

namespace {

using Values = VerasonicsValues;

struct Frame {
    std::vector<VerasonicsAcquisition> acquisitions;
    std::map<std::size_t, std::size_t> atRow = {}; ///< index of the acquisition that begins there
    double lastsS = 0.0;                           ///< sum of the times to the next acquisition
    std::size_t timed = 0;                         ///< acquisitions that state such a time
    std::size_t events = 0;                        ///< acquisitions and those that add to others
};

class SequenceReader {
public:
    SequenceReader(const Values& values, const std::vector<std::size_t>& stored,
                   const OpenOptions& options)
        : m_values(values), m_stored(stored), m_options(options),
          m_receive(values.structs("Receive")), m_tx(values.structs("TX")),
          m_control(values.structs("SeqControl")) {
        if (m_receive == nullptr)
            throw values.error("it holds RcvData, but no struct Receive that says what its rows "
                               "are; save the whole workspace after the run");
        if (m_tx == nullptr)
            throw values.error("it holds RcvData, but no struct TX that says what was "
                               "transmitted; save the whole workspace after the run");
    }

    VerasonicsSequence read() {
        if (const MatValue* events = m_values.structs("Event"))
            walkEvents(*events);
        else
            listReceives();
        chooseBuffer();
        chooseFrames();
        orderFrames();
        return std::move(m_sequence);
    }

private:
    Error error(const std::string& what) const { return m_values.error(what); }

    void walkEvents(const MatValue& events) {
        for (std::size_t i = 0; i < events.structs(); ++i) {
            const MatValue& event = events.structAt(i);
            const std::size_t tx = Values::index(event, "tx");
            const std::size_t receive = Values::index(event, "rcv");
            if (tx == 0 || receive == 0) continue;
            if (tx > m_tx->structs() || receive > m_receive->structs())
                throw error(fmt::format("Event({}) names TX({}) and Receive({}), but there are {} "
                                        "and {}; save the whole workspace again",
                                        i + 1, tx, receive, m_tx->structs(), m_receive->structs()));
            add(tx - 1, receive - 1, timeToNext(event));
        }
    }

    /// Without events: receives in their order, and transmits one after the other in each frame.
    void listReceives() {
        m_sequence.warnings.emplace_back("It holds no Event; each Receive is taken to follow the "
                                         "TX of the same number in its frame.");
        std::map<std::pair<std::size_t, std::size_t>, std::size_t> next;
        for (std::size_t i = 0; i < m_receive->structs(); ++i)
            add(next[placeOf(i)]++ % m_tx->structs(), i, 0.0);
    }

    /// Time in s; 0 where the event does not state it.
    double timeToNext(const MatValue& event) const {
        if (m_control == nullptr) return 0.0;
        for (const double number : Values::list(event, "seqControl")) {
            const std::size_t index = Values::indexOf(number);
            if (index == 0 || index > m_control->structs()) continue;
            const MatValue& control = m_control->structAt(index - 1);
            if (Values::text(control, "command") != "timeToNextAcq") continue;
            return std::max(Values::number(control, "argument").value_or(0.0), 0.0) * 1e-6;
        }
        return 0.0;
    }

    /// Buffer and frame, from 1.
    std::pair<std::size_t, std::size_t> placeOf(std::size_t receive) const {
        const MatValue& entry = m_receive->structAt(receive);
        return {std::max<std::size_t>(Values::index(entry, "bufnum"), 1),
                std::max<std::size_t>(Values::index(entry, "framenum"), 1)};
    }

    void add(std::size_t tx, std::size_t receive, double timeToNextS) {
        const MatValue& entry = m_receive->structAt(receive);
        const std::size_t first = Values::index(entry, "startSample");
        const std::size_t last = Values::index(entry, "endSample");
        if (first == 0 || last <= first)
            throw error(fmt::format("Receive({}) has no startSample and endSample, which the "
                                    "system sets: the workspace was saved before the sequence "
                                    "ran; run it with VSX and save again",
                                    receive + 1));
        const auto [buffer, number] = placeOf(receive);
        Frame& frame = m_frames[buffer][number];
        frame.lastsS += timeToNextS;
        frame.timed += timeToNextS > 0.0 ? 1 : 0;
        ++frame.events;
        const VerasonicsAcquisition next{tx, receive, first - 1, last - first + 1};
        const auto [same, fresh] = frame.atRow.emplace(next.firstRow, frame.acquisitions.size());
        if (fresh)
            frame.acquisitions.push_back(next);
        else if (Values::number(entry, "mode").value_or(0.0) == 0.0)
            frame.acquisitions[same->second] = next; // mode 0 replaces samples, mode 1 adds to them
    }

    void chooseBuffer() {
        std::vector<std::size_t> filled;
        for (const auto& [buffer, frames] : m_frames) {
            if (buffer > m_stored.size() || m_stored[buffer - 1] == 0) continue;
            filled.push_back(buffer);
            m_sequence.tracks.push_back(fmt::format("buffer {}", buffer));
        }
        if (filled.empty())
            throw error("none of its acquisitions went to a buffer that RcvData holds; save "
                        "RcvData and the structs of the same run");
        m_sequence.track = chosenTrack(m_values.path(), m_sequence.tracks, m_options);
        m_chosen = filled[m_sequence.track];
        m_sequence.buffer = m_chosen - 1;
    }

    /// The frames with the same acquisitions as the first one, as far as RcvData holds them.
    void chooseFrames() {
        const std::size_t stored = m_stored[m_sequence.buffer];
        const auto& frames = m_frames[m_chosen];
        const Frame& first = frames.begin()->second;
        std::size_t different = 0;
        std::size_t missing = 0;
        for (const auto& [number, frame] : frames) {
            const bool alike =
                std::ranges::equal(frame.acquisitions, first.acquisitions,
                                   [](const auto& a, const auto& b) { return a.sameAs(b); });
            if (!alike)
                ++different;
            else if (number > stored)
                ++missing;
            else
                m_sequence.frames.push_back(number - 1);
        }
        if (m_sequence.frames.empty())
            throw error(fmt::format("its acquisitions belong to frames from {} on, but RcvData "
                                    "holds {}; save RcvData and the structs of the same run",
                                    frames.begin()->first,
                                    counted(static_cast<int>(stored), "frame")));
        if (missing > 0)
            m_sequence.warnings.push_back(
                fmt::format("Receive describes {} that RcvData does not hold.",
                            counted(static_cast<int>(missing), "frame")));
        if (different > 0)
            m_sequence.warnings.push_back(
                fmt::format("{} other acquisitions than the first one and left out.",
                            different == 1 ? std::string("1 frame holds")
                                           : fmt::format("{} frames hold", different)));
        m_sequence.acquisitions = first.acquisitions;
        // The last acquisition may state no time to the next frame.
        if (first.timed == first.events && first.lastsS > 0.0)
            m_sequence.frameRateHz = 1.0 / first.lastsS;
    }

    /// The frame after the one written last is the oldest.
    void orderFrames() {
        const MatValue* resource = m_values.structs("Resource");
        const MatValue* buffers = resource != nullptr ? resource->field("RcvBuffer") : nullptr;
        if (buffers == nullptr || m_sequence.buffer >= buffers->structs()) return;
        const std::size_t last = Values::index(buffers->structAt(m_sequence.buffer), "lastFrame");
        auto& frames = m_sequence.frames;
        std::ranges::rotate(frames, std::ranges::lower_bound(frames, last));
    }

    const Values& m_values;
    const std::vector<std::size_t>& m_stored;
    const OpenOptions& m_options;
    const MatValue* m_receive;
    const MatValue* m_tx;
    const MatValue* m_control;
    std::map<std::size_t, std::map<std::size_t, Frame>> m_frames; ///< by buffer and frame, from 1
    std::size_t m_chosen = 0;                                     ///< buffer, from 1
    VerasonicsSequence m_sequence;
};

} // namespace

VerasonicsSequence readVerasonicsSequence(const VerasonicsValues& values,
                                          const std::vector<std::size_t>& stored,
                                          const OpenOptions& options) {
    return SequenceReader(values, stored, options).read();
}

} // namespace echolux
