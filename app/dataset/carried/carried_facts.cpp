// SPDX-License-Identifier: GPL-3.0-or-later
// The families of files that carry facts.
#include "app/dataset/carried/carried_facts.hpp"

#include "app/dataset/carried/native_carried.hpp"
#include "app/dataset/carried/npz_carried.hpp"
#include "app/dataset/carried/zea_carried.hpp"
#include "app/dataset/recording/opening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace echolux {

namespace {

struct Family {
    std::string_view format; ///< RecordingInfo::format of its recordings
    CarriedFacts (*read)(const RecordingInfo& info);
};
constexpr std::array kFamilies{Family{"zea HDF5", zeaCarried}, Family{"NumPy .npz", npzCarried},
                               Family{"Echolux recording", nativeCarried}};

std::string unitAfter(const std::string& unit) {
    return unit.empty() || unit == "\xe2\x80\x93" ? "" : " " + unit;
}

} // namespace

std::string CarriedFact::inWords() const {
    if (texts.size() == 1) return fmt::format("'{}'", texts.front());
    if (!texts.empty()) return fmt::format("{} texts, '{}', ...", texts.size(), texts.front());
    const std::vector<double> values = toDoubles(layout.type, numbers);
    if (values.empty()) return "no values";
    if (layout.type.components == 1 && values.size() == 1)
        return fmt::format("{:g}{}", values.front(), unitAfter(unit));
    if (layout.type.components != 1) return fmt::format("{} complex values", layout.count());
    const auto [low, high] = std::ranges::minmax(values);
    return fmt::format("{} values from {:g} to {:g}{}", values.size(), low, high, unitAfter(unit));
}

const CarriedFact* CarriedFacts::find(std::string_view name) const {
    const auto at = std::ranges::find(facts, name, &CarriedFact::name);
    return at == facts.end() ? nullptr : &*at;
}

std::string CarriedFacts::text(std::string_view name) const {
    const CarriedFact* fact = find(name);
    return fact != nullptr && fact->texts.size() == 1 ? fact->texts.front() : "";
}

bool mayCarryFacts(const RecordingInfo& info) {
    return !info.live &&
           std::ranges::find(kFamilies, info.format, &Family::format) != kFamilies.end();
}

CarriedFacts carriedFactsHere(const RecordingInfo& info) {
    const auto family = std::ranges::find(kFamilies, info.format, &Family::format);
    if (family == kFamilies.end()) return {};
    const Opening opening(info.path);
    return family->read(info);
}

CarriedFacts ofFrames(CarriedFacts facts, std::int64_t first, std::int64_t count) {
    for (CarriedFact& fact : facts.facts) {
        if (!fact.perFrame) continue;
        const auto all = static_cast<std::size_t>(fact.layout.shape.front());
        const auto from = std::min(static_cast<std::size_t>(first), all);
        const auto to = std::min(static_cast<std::size_t>(first + count), all);
        const auto part = [&](auto& values) {
            const auto each =
                static_cast<std::ptrdiff_t>(values.size() / std::max<std::size_t>(all, 1));
            values.erase(values.begin() + static_cast<std::ptrdiff_t>(to) * each, values.end());
            values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(from) * each);
        };
        part(fact.numbers);
        part(fact.texts);
        fact.layout.shape.front() = static_cast<std::int64_t>(to - from);
    }
    return facts;
}

} // namespace echolux
