// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/session/prepared_engine.hpp"

namespace echolux {

/// prepareEngine() for a window: with the looks of all tools.
PreparedEngine prepareRecording(OpenRequest request, const EnginePlace& place,
                                const std::stop_token& stop = {},
                                const std::weak_ptr<Engine>& open = {});

} // namespace echolux
