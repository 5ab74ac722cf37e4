// SPDX-License-Identifier: GPL-3.0-or-later
// One word per kind of value.
#include "app/pipeline/parameter_words.hpp"

namespace echolux {

std::string_view nameOf(ParamType type) {
    switch (type) {
    case ParamType::Flag: return "flag";
    case ParamType::Integer: return "integer";
    case ParamType::Real: return "real";
    case ParamType::Choice: return "choice";
    case ParamType::Text: return "text";
    case ParamType::RealList: return "list of reals";
    case ParamType::Mask: return "mask";
    }
    return "unknown";
}

} // namespace echolux
