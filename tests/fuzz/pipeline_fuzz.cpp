// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pipeline/pipeline_config.hpp"
#include "tests/fuzz/attempt.hpp"

namespace echolux::fuzz {

void pipeline(Bytes bytes) {
    attempt([&] { parsePipeline(textOf(bytes), "some.toml", "/nowhere"); });
}

} // namespace echolux::fuzz
