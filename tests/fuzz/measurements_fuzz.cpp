// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a file of measurements; what is read is written and read again.
#include "app/measure/measurement_file.hpp"
#include "gpu/core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace echolux;
    std::vector<measure::Measurement> read;
    try {
        read = measure::parseMeasurements({reinterpret_cast<const char*>(data), size}, "some.toml");
    } catch (const Error&) { // a sentence
        return 0;
    }
    if (measure::parseMeasurements(measure::toToml(read), "written.toml").size() != read.size())
        std::abort();
    return 0;
}
