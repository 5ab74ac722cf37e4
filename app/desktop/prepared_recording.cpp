// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/prepared_recording.hpp"

#include "app/desktop/workbench/tool_type.hpp"

namespace echolux {

PreparedEngine prepareRecording(OpenRequest request, const EnginePlace& place,
                                const std::stop_token& stop, const std::weak_ptr<Engine>& open) {
    request.looks = toolLooks();
    return prepareEngine(request, place, stop, open);
}

} // namespace echolux
