// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/prediction/device_file.hpp"
#include "tests/fuzz/attempt.hpp"

namespace echolux::fuzz {

void device(Bytes bytes) {
    attempt([&] { parseDevice(textOf(bytes), "some.toml"); });
}

} // namespace echolux::fuzz
