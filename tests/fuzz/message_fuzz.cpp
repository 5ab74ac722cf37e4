// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as what a network sends: an OpenIGTLink message of each kind (with a right check sum,
// or nothing behind it would be tried), and the header of an array.
#include "app/network/array_header.hpp"
#include "app/network/igtl_message.hpp"
#include "gpu/core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace {

template <class Read> void tried(const Read& read) {
    try {
        read();
    } catch (const echolux::Error&) { // a sentence
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace echolux;
    const std::span all = std::as_bytes(std::span(data, size));
    tried([&] { headerFrom(all); });
    tried([&] { readIgtlImage(all); });
    tried([&] { readIgtlArray(all); });
    tried([&] { readIgtlTransform(all); });
    if (size < kIgtlHeaderBytes) return 0;
    tried([&] {
        IgtlHeader header = readIgtlHeader(all.first<kIgtlHeaderBytes>());
        const auto body = all.subspan(kIgtlHeaderBytes);
        header.bodyBytes = body.size();
        header.crc = igtlCrc(body);
        const auto content = igtlContent(header, body);
        tried([&] { readIgtlImage(content); });
        tried([&] { readIgtlArray(content); });
        tried([&] { readIgtlTransform(content); });
    });
    return 0;
}
