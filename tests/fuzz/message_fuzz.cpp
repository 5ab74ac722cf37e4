// SPDX-License-Identifier: GPL-3.0-or-later
// The parsers take the bytes as they are. Then they come over a connection: messages with a right
// check sum, or nothing behind it would be tried. Before each body stand a byte for kind and
// version, and two for the length.
#include "app/live/igtl_source.hpp"
#include "tests/fuzz/attempt.hpp"

#include <array>
#include <chrono>
#include <thread>
#include <vector>

namespace echolux::fuzz {
namespace {

constexpr std::array<std::string_view, 4> kKinds{"IMAGE", "TRANSFORM", "NDARRAY", "STATUS"};
constexpr std::string_view kRaw = "[samples]\ndtype = \"i16\"\n"
                                  "axes = [\"frame\", \"channel\", \"sample\"]\n"
                                  "shape = [1, 2, 4]\n[acquisition]\nsampling_frequency_hz = 2e7\n";

struct Sent {
    std::vector<std::byte> bytes;
    int images = 0;
    int arrays = 0;
};

void put(std::vector<std::byte>& to, std::uint64_t number, int bytes) {
    for (int i = bytes - 1; i >= 0; --i) to.push_back(static_cast<std::byte>(number >> (8 * i)));
}

void putText(std::vector<std::byte>& to, std::string_view text, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i)
        to.push_back(static_cast<std::byte>(i < text.size() ? text[i] : '\0'));
}

Sent messagesIn(Bytes bytes) {
    constexpr int kMostMessages = 8;
    Sent sent;
    for (int i = 0; i < kMostMessages && bytes.size() >= 3; ++i) {
        const Bytes front = taken(bytes, 3);
        const std::string_view kind = kKinds[front[0] % kKinds.size()];
        const auto body = std::as_bytes(taken(bytes, front[1] * std::size_t{256} + front[2]));
        put(sent.bytes, 1 + front[0] / 4 % 3, 2);
        putText(sent.bytes, kind, 12);
        putText(sent.bytes, "Probe", 20);
        put(sent.bytes, std::uint64_t{1} << 32U, 8);
        put(sent.bytes, body.size(), 8);
        put(sent.bytes, igtlCrc(body), 8);
        sent.bytes.insert(sent.bytes.end(), body.begin(), body.end());
        if (kind == "IMAGE") ++sent.images;
        if (kind == "NDARRAY") ++sent.arrays;
    }
    return sent;
}

/// Connects, and takes as many frames as came.
void receive(TcpListener& listener, const Sent& sent, const std::string& description) {
    constexpr std::chrono::seconds kPatience{5};
    const std::jthread server([&] {
        auto socket = listener.accept(kPatience);
        if (socket) socket->send(sent.bytes, kPatience);
    });
    attempt([&] {
        IgtlSource source(
            {.port = listener.port(), .description = description, .transform = "Probe"}, "igtl:");
        std::vector<std::byte> frame(source.info().frame.bytes());
        FrameStamp stamp;
        const int count = sent.images + (description.empty() ? 0 : sent.arrays);
        for (int i = 0; i < count; ++i) source.next(frame, stamp, {});
    });
}

} // namespace

void message(Bytes bytes) {
    const auto all = std::as_bytes(bytes);
    attempt([&] { readIgtlImage(all); });
    attempt([&] { readIgtlArray(all); });
    attempt([&] { readIgtlTransform(all); });
    attempt([&] { readIgtlString(all); });
    attempt([&] { readIgtlCommand(all); });
    if (all.size() >= kIgtlHeaderBytes)
        attempt([&] {
            const IgtlHeader header = readIgtlHeader(all.first<kIgtlHeaderBytes>());
            igtlContent(header, all.subspan(kIgtlHeaderBytes));
        });
    const Sent sent = messagesIn(bytes);
    if (sent.images + sent.arrays == 0) return;
    static TcpListener listener("127.0.0.1", 0);
    receive(listener, sent, sent.arrays > 0 ? std::string(kRaw) : std::string());
}

} // namespace echolux::fuzz
