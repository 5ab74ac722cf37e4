// SPDX-License-Identifier: GPL-3.0-or-later
// The first byte chooses what was asked. What is decoded is encoded and decoded again.
#include "app/dataset/frames/fact_check.hpp"
#include "app/dataset/guarded/questions.hpp"
#include "tests/fuzz/attempt.hpp"

#include <optional>
#include <vector>

namespace echolux::fuzz {
namespace {

template <class Answer> std::optional<Answer> decodedAs(std::string_view bytes) {
    try {
        auto answer = wire::decoded<Answer>(bytes);
        if (wire::encoded(answer) != bytes) std::abort();
        return answer;
    } catch (const wire::Garbled&) {
        return std::nullopt;
    }
}

} // namespace

void answer(Bytes bytes) {
    if (bytes.empty()) return;
    const std::uint8_t kind = taken(bytes, 1).front();
    const std::string_view text = textOf(bytes);
    switch (kind % 6) {
    case 0:
        if (auto opened = decodedAs<OpenedFacts>(text)) attempt([&] { checkFacts(opened->info); });
        break;
    case 1: decodedAs<CarriedFacts>(text); break;
    case 2: decodedAs<std::optional<ContainerFacts>>(text); break;
    case 3: decodedAs<FramePlaces>(text); break;
    case 4: decodedAs<std::vector<FrameStamp>>(text); break;
    default:
        if (auto facts = decodedAs<ArrayFacts>(text))
            attempt([&] { facts->layout.check("file", "array"); });
    }
}

} // namespace echolux::fuzz
