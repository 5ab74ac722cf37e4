// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a pipeline, in TOML or in the filter language.
#include "app/pipeline/pipeline_config.hpp"
#include "gpu/core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace echolux;
    try {
        parsePipeline({reinterpret_cast<const char*>(data), size}, "some.toml", "/nowhere");
    } catch (const Error&) { // a sentence
    }
    return 0;
}
