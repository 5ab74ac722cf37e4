// SPDX-License-Identifier: GPL-3.0-or-later
// The target ECHOLUX_TARGET for libFuzzer.
#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    echolux::fuzz::ECHOLUX_TARGET({data, size});
    return 0;
}
