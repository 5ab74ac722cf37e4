// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/publish/zmq_publisher.hpp"

#include "app/network/array_header.hpp"

#include <array>
#include <span>

namespace echolux {

ZmqPublisher::ZmqPublisher(const HostAndPort& place)
    : m_place(place), m_socket(ZmqSocket::Kind::Publisher, place.text()) {}

void ZmqPublisher::send(const PublishedImage& image) {
    ArrayHeader header = headerOf(*image.spec);
    const bool isLevel = image.spec->valueRange && image.spec->valueRange->unit == "dB";
    header.content = nameOf(isLevel ? RecordedForm::Decibels : RecordedForm::Picture);
    header.number = image.frame;
    header.timeNs = image.timeNs;
    const std::string json = toJson(header);
    const std::array parts{std::as_bytes(std::span(json)), std::as_bytes(image.values)};
    m_socket.send(parts);
    ++m_counters.sent;
}

} // namespace echolux
