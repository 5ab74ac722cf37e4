// SPDX-License-Identifier: GPL-3.0-or-later
// Single frames through a runner.
#include "app/session/offline/offline.hpp"

#include "app/dataset/recording/sample_check.hpp"
#include "app/pipeline/runner.hpp"
#include "gpu/memory/transfer.hpp"

#include <fmt/format.h>

#include <vector>

namespace echolux {

HostFrameData processFrame(Recording& recording, const SnapshotPtr& snapshot, Backend backend,
                           std::int64_t index, const std::optional<std::string>& stage) {
    const RecordingInfo& info = recording.info();
    if (index < 0 || index >= info.frameCount) {
        throw Error(fmt::format("{} has frames 1 to {}, but frame {} was asked for.",
                                info.path.filename().string(), info.frameCount, index + 1));
    }
    const Buffer raw(stagingMemory(backend), info.frame.bytes());
    recording.readFrame(index, {raw.as<std::byte>(), raw.bytes()});

    Runner runner(backend, 1);
    runner.apply(snapshot, stage ? std::vector{*stage} : std::vector<std::string>{});
    const int slot = runner.enqueue({.raw = raw.as<std::byte>(), .frame = index});
    const ConstTensorView result =
        stage ? runner.keptOutput(slot, *stage) : runner.viewOutput(slot, 0);
    HostFrameData out{*result.spec, std::vector<std::byte>(result.spec->bytes())};
    out.warning = frameWarning(info, index, {raw.as<std::byte>(), raw.bytes()});
    download(runner.exec(slot), out.bytes.data(), result.data, out.bytes.size());
    runner.drain();
    return out;
}

} // namespace echolux
