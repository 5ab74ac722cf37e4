// SPDX-License-Identifier: GPL-3.0-or-later
// What is read is written and read again.
#include "app/measure/measurement_file.hpp"
#include "tests/fuzz/attempt.hpp"

#include <vector>

namespace echolux::fuzz {

void measurements(Bytes bytes) {
    std::vector<measure::Measurement> read;
    attempt([&] { read = measure::parseMeasurements(textOf(bytes), "some.toml"); });
    if (measure::parseMeasurements(measure::toToml(read), "written.toml").size() != read.size())
        std::abort();
}

} // namespace echolux::fuzz
