// SPDX-License-Identifier: GPL-3.0-or-later
// The looks of an engine.
#pragma once

#include "app/session/look/look.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

class RunningLooks {
public:
    RunningLooks(LookPlace place, const LookTypes& types);

    // Any thread.
    /// The look of that type, and whether it was made by this call.
    std::pair<Look&, bool> of(const LookType& type);
    /// What they want to be kept of each frame, each name once.
    std::vector<std::string> outputs(const Snapshot& snapshot) const;

    // Pipeline thread.
    void imageCame(std::int64_t newFrames);
    /// Of the look that is due first; null: none has anything to do.
    std::optional<Clock::time_point> due() const;
    bool areDue() const;
    /// Runs those that are due. True where an asker must be told.
    bool run(const LookFrame& frame);

private:
    struct Entry {
        const LookType* type;
        std::unique_ptr<Look> look;
    };
    using Entries = std::vector<std::shared_ptr<const Entry>>;
    std::shared_ptr<const Entries> all() const;

    LookPlace m_place;
    mutable std::mutex m_mutex; ///< guards what follows
    std::shared_ptr<const Entries> m_all =
        std::make_shared<const Entries>(); ///< never changed in place
};

} // namespace echolux
