// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/look/looks.hpp"

#include <algorithm>

namespace echolux {

RunningLooks::RunningLooks(LookPlace place, const LookTypes& types) : m_place(std::move(place)) {
    for (const LookType* type : types) of(*type);
}

std::shared_ptr<const RunningLooks::Entries> RunningLooks::all() const {
    const std::lock_guard lock(m_mutex);
    return m_all;
}

std::pair<Look&, bool> RunningLooks::of(const LookType& type) {
    const std::lock_guard lock(m_mutex);
    for (const auto& each : *m_all)
        if (each->type == &type) return {*each->look, false};
    Entries more = *m_all;
    more.push_back(std::make_shared<const Entry>(Entry{&type, type.make(m_place)}));
    Look& made = *more.back()->look;
    m_all = std::make_shared<const Entries>(std::move(more));
    return {made, true};
}

std::vector<std::string> RunningLooks::outputs(const Snapshot& snapshot) const {
    std::vector<std::string> names;
    const auto looks = all();
    for (const auto& each : *looks)
        for (std::string& name : each->type->outputs(snapshot)) names.push_back(std::move(name));
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

void RunningLooks::imageCame(std::int64_t newFrames) {
    const auto looks = all();
    for (const auto& each : *looks) each->look->imageCame(newFrames);
}

std::optional<Clock::time_point> RunningLooks::due() const {
    std::optional<Clock::time_point> first;
    const auto looks = all();
    for (const auto& each : *looks)
        if (const auto at = each->look->due(); at && (!first || *at < *first)) first = at;
    return first;
}

bool RunningLooks::areDue() const {
    const auto first = due();
    return first && Clock::now() >= *first;
}

bool RunningLooks::run(const LookFrame& frame) {
    bool told = false;
    const auto looks = all();
    for (const auto& each : *looks) {
        const auto at = each->look->due();
        if (at && Clock::now() >= *at && each->look->run(frame)) told = true;
    }
    return told;
}

} // namespace echolux
