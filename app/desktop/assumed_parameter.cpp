// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the key of a parameter from the words of a reader's warning.
#include "app/desktop/assumed_parameter.hpp"

#include <QRegularExpression>

#include <algorithm>

namespace echolux {
namespace {

struct Assumed {
    const char* words; ///< a regular expression
    const char* key;
};

// NOTE: the first row that fits counts. Sentences about frequencies and phases fit none.
constexpr Assumed kAssumed[] = {
    {"\\bm/s\\b.*\\bassumed\\b", "speed_of_sound"},
    {"\\bfirst sample\\b.*\\bassumed\\b", "t0_offset"},
};

} // namespace

std::optional<StageParameter> assumedParameter(const QString& sentence, const Snapshot& snapshot) {
    for (const Assumed& each : kAssumed) {
        if (!QRegularExpression(each.words).match(sentence).hasMatch()) continue;
        const auto at = std::ranges::find_if(snapshot.stages, [&](const StageState& stage) {
            return !stage.bypass && stage.type->table.find(each.key) != nullptr;
        });
        if (at == snapshot.stages.end()) return std::nullopt;
        return StageParameter{QString::fromStdString(at->id), each.key};
    }
    return std::nullopt;
}

} // namespace echolux
