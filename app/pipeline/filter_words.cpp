// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pipeline/filter_words.hpp"

#include <fmt/format.h>

#include <array>

namespace echolux {
namespace {

using Words = std::pair<std::string_view, std::string_view>;

/// Advice in the words of pipeline files in TOML, and in those of the language.
constexpr std::array<Words, 10> kAdvice{{
    {"bypass the stage", "take the filter out"},
    {"move it in the pipeline or take it out", "link it elsewhere or take it out"},
    {"put a converting stage before it", "link a converting filter to it"},
    {", or let one take the frame before, by 'frames_before = 1'", ""},
    {"give it another 'id'", "give it another name"},
    {"give one of them its own 'id'", "give one of them another name"},
    {"'echolux stages' lists them", "'echolux stages' lists their types"},
    {"there is no stage '", "there is no filter or view '"},
    {"The stage '", "The filter '"},
    {"Stage '", "Filter '"},
}};

bool replaceAll(std::string& text, std::string_view from, std::string_view to) {
    bool found = false;
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
        found = true;
    }
    return found;
}

} // namespace

std::span<const BuiltinFilter> builtinFilters() {
    static const std::array kBuiltins{
        BuiltinFilter{"dc_removal", "dc_removal"},
        BuiltinFilter{"filtfilt",
                      "bandpass",
                      false,
                      {{"design", std::string("coefficients")}},
                      {{"coeffs", "coefficients"}}},
        BuiltinFilter{"hilbert", "envelope", false, {{"kind", std::string("fir_hilbert")}}},
        BuiltinFilter{"reconstruction", "beamform"},
        BuiltinFilter{"colormap", "linear_map", true, {{"reference", std::string("fixed")}}},
    };
    return kBuiltins;
}

std::string inFilterWords(std::string sentence) {
    for (const auto& [ours, theirs] : kAdvice) replaceAll(sentence, ours, theirs);
    for (const BuiltinFilter& filter : builtinFilters()) {
        replaceAll(sentence, fmt::format("Filter '{}'", filter.type),
                   fmt::format("{} '{}'", filter.isView ? "View" : "Filter", filter.name));
        for (const auto& [theirs, ours] : filter.keys) {
            replaceAll(sentence, fmt::format("'{}'", ours), fmt::format("'{}'", theirs));
            replaceAll(sentence, fmt::format(" {},", ours), fmt::format(" {},", theirs));
        }
    }
    if (sentence.find("[recording]") != std::string::npos) {
        sentence += " This language has no table [recording]: a filter of type gather, linked "
                    "before, gathers frames; or save the pipeline in the window as TOML, and write "
                    "it there.";
    } else if (sentence.find("set '") != std::string::npos ||
               sentence.find("parameter '") != std::string::npos) {
        sentence += " In this language, parameters are set by 'set param P@NAME value TYPE COUNT "
                    "[...]'.";
    }
    return sentence;
}

} // namespace echolux
