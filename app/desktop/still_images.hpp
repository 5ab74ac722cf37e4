// SPDX-License-Identifier: GPL-3.0-or-later
// What a window that stands still shows, as digests: an image of a session.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

class Session;

struct StillImages {
    std::int64_t frame = 0; ///< both from 0
    std::int64_t bscan = 0;
    std::vector<std::pair<std::string, std::string>> digests; ///< per view: its name, digestOf()
    bool operator==(const StillImages&) const = default;
};

/// Waits until the window stands still. Where the frame was reached by playing or stepping, it goes
/// there once more by a jump, so that only frames count which windows of `gather` hold.
class StillWatch {
public:
    explicit StillWatch(Session& session) : m_session(session) {}

    void forget(); ///< another recording, or another engine
    /// To be called again and again. Empty while the window moves or the images are copied.
    std::optional<StillImages> poll();

private:
    struct Shown {
        std::uint64_t image = 0; ///< its number
        std::int64_t bscan = 0;
        bool operator==(const Shown&) const = default;
    };
    bool rests();
    bool jumped(std::int64_t frame);
    bool copied(const Shown& shown);

    Session& m_session;
    std::optional<std::int64_t> m_jumpedTo;
    int m_jumps = 0;                     ///< to m_jumpedTo
    std::uint64_t m_before = 0;          ///< number of the image shown before the latest jump
    std::optional<Shown> m_asked;        ///< what pixels were asked for
    std::optional<StillImages> m_images; ///< of m_asked
};

} // namespace echolux
