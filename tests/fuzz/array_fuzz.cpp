// SPDX-License-Identifier: GPL-3.0-or-later
// A line of JSON is the header; the samples that it announces follow. What is left describes them.
#include "app/dataset/guarded/reader_process.hpp"
#include "app/live/zmq_source.hpp"
#include "tests/fuzz/attempt.hpp"

#include <algorithm>
#include <vector>

namespace echolux::fuzz {

void array(Bytes bytes) {
    readHere();
    const auto part = [](Bytes some) {
        const auto view = std::as_bytes(some);
        return ZmqSocket::Part(view.begin(), view.end());
    };
    const auto line = static_cast<std::size_t>(std::ranges::find(bytes, '\n') - bytes.begin());
    attempt([&] {
        std::vector<ZmqSocket::Part> parts{part(taken(bytes, line))};
        taken(bytes, 1);
        constexpr std::size_t kMostBytes = std::size_t{1} << 20U;
        const std::size_t samples = std::min(headerFrom(parts[0]).bytes(), kMostBytes);
        parts.push_back(part(taken(bytes, samples)));
        parts[1].resize(samples);
        if (!bytes.empty()) parts.push_back(part(bytes));
        const ZmqSource::Message message(std::move(parts));
        const ReceivedArray received = message.array();
        const ReceivedFrames frames("zmq:", received, {});
        if (!frames.fits(received)) std::abort();
        std::vector<std::byte> frame(frames.info().frame.bytes());
        frames.convert(received, frame);
    });
}

} // namespace echolux::fuzz
