// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a device file.
#include "app/prediction/device_file.hpp"
#include "gpu/core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace echolux;
    try {
        parseDevice({reinterpret_cast<const char*>(data), size}, "some.toml");
    } catch (const Error&) { // a sentence
    }
    return 0;
}
