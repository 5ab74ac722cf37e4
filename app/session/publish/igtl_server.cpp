// SPDX-License-Identifier: GPL-3.0-or-later
// In a message, lateral is the fastest axis, then depth, then elevation.
#include "app/session/publish/igtl_server.hpp"

#include "app/network/igtl_message.hpp"
#include "gpu/core/error.hpp"
#include "render/view/colour_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

namespace echolux {
namespace {

constexpr std::array kOrder{AxisName::Lateral, AxisName::Depth, AxisName::Elevation};
constexpr double kMillimetres = 1e3;

/// The values in the order of the message.
std::vector<float> inOrder(const PublishedImage& image) {
    const std::vector<Axis>& axes = image.spec->axes;
    std::vector<float> values(image.values.begin(), image.values.end());
    const bool linesFirst = axes.size() == 2 && axes.front().name == AxisName::Lateral;
    if (!linesFirst) return values;
    const auto lines = static_cast<std::size_t>(axes[0].size);
    const auto depths = static_cast<std::size_t>(axes[1].size);
    for (std::size_t line = 0; line < lines; ++line)
        for (std::size_t depth = 0; depth < depths; ++depth)
            values[depth * lines + line] = image.values[line * depths + depth];
    return values;
}

/// Steps and centre along the axes become those of the pose. NOTE: receivers count coordinates of
/// patients towards right, front and head.
void turn(IgtlImage& message, const Pose& pose) {
    const double sign = pose.isPatient() ? -1.0 : 1.0;
    const auto vectorOf = [&](const Point& p, double by) {
        return std::array{sign * p.x * by, sign * p.y * by, p.z * by};
    };
    const std::array along{&pose.along[0], &pose.along[2], &pose.along[1]}; // as kOrder
    std::array<double, 3> centre = vectorOf(pose.origin, kMillimetres);
    for (std::size_t i = 0; i < along.size(); ++i) {
        const std::array<double, 3> away = vectorOf(*along[i], message.centre[i]);
        for (std::size_t j = 0; j < centre.size(); ++j) centre[j] += away[j];
        message.step[i] = vectorOf(*along[i], message.step[i][i]);
    }
    message.centre = centre;
}

std::vector<std::uint8_t> coloured(std::span<const float> values, const FrameSpec& spec,
                                   const ColourMap& map) {
    const ValueRange range = spec.valueRange.value_or(ValueRange{});
    const double scale = (ColourMap::kEntries - 1) / std::max(range.max - range.min, 1e-30);
    std::vector<std::uint8_t> colours;
    colours.reserve(3 * values.size());
    for (const float value : values) {
        std::uint32_t colour = spec.hasGaps ? 0 : kNotANumberColour;
        if (!std::isnan(value)) {
            const double entry = (static_cast<double>(value) - range.min) * scale;
            colour = map.colour[static_cast<std::size_t>(
                std::clamp(std::round(entry), 0.0, ColourMap::kEntries - 1.0))];
        }
        for (const unsigned shift : {16U, 8U, 0U})
            colours.push_back(static_cast<std::uint8_t>(colour >> shift));
    }
    return colours;
}

} // namespace

IgtlServer::IgtlServer(const Setup& setup)
    : m_setup(setup), m_colours(setup.colours.empty() ? nullptr : &colourMap(setup.colours)),
      m_listener(setup.place.host, setup.place.port) {
    m_setup.place.port = m_listener.port();
}

std::string IgtlServer::address() const { return "igtl:" + m_setup.place.text(); }

bool IgtlServer::isWanted() {
    constexpr std::size_t kMostReceivers = 16;
    std::erase_if(m_receivers, [](TcpSocket& each) { return each.isClosed(); });
    while (auto fresh = m_listener.accept(TcpSocket::Patience(0)))
        if (m_receivers.size() < kMostReceivers) m_receivers.push_back(std::move(*fresh));
    m_counters.receivers = static_cast<int>(m_receivers.size());
    return !m_receivers.empty();
}

/// Throws Error where the image has no axes of space, or is too large.
std::vector<std::byte> IgtlServer::messageOf(const PublishedImage& image) {
    IgtlImage message;
    for (const Axis& axis : image.spec->axes) {
        const auto at = std::ranges::find(kOrder, axis.name);
        constexpr std::int64_t kMost = 65535;
        if (at == kOrder.end() || axis.size > kMost)
            throw Error(fmt::format("OpenIGTLink has no images {}.", image.spec->describe()));
        const auto i = static_cast<std::size_t>(at - kOrder.begin());
        const double unit = axis.unit == "m" ? kMillimetres : 1.0;
        message.size[i] = axis.size;
        message.step[i][i] = axis.spacing * unit;
        message.centre[i] =
            (axis.origin + axis.spacing * static_cast<double>(axis.size - 1) / 2) * unit;
    }
    for (std::size_t i = 0; i < message.step.size(); ++i)
        if (message.step[i][i] == 0.0) message.step[i][i] = 1.0; // an axis that the image lacks
    if (image.spec->pose) turn(message, *image.spec->pose);
    const std::vector<float> values = inOrder(image);
    std::vector<std::uint8_t> colours;
    if (m_colours != nullptr) {
        colours = coloured(values, *image.spec, *m_colours);
        message.scalar = IgtlScalar::Uint8;
        message.components = 3;
        message.pixels = std::as_bytes(std::span(colours));
    } else {
        message.scalar = IgtlScalar::Float32;
        message.pixels = std::as_bytes(std::span(values));
    }
    return writeIgtlImage(message, m_setup.device, image.timeNs);
}

void IgtlServer::send(const PublishedImage& image) {
    // A receiver that does not take a whole message in this time is let go: it could not tell
    // where the next message begins.
    constexpr TcpSocket::Patience kPatience{500};
    try {
        const std::vector<std::byte> message = messageOf(image);
        std::erase_if(m_receivers, [&](TcpSocket& each) { return !each.send(message, kPatience); });
        m_counters.receivers = static_cast<int>(m_receivers.size());
        ++m_counters.sent;
    } catch (const Error& error) {
        ++m_counters.refused;
        m_counters.reason = error.what();
    }
}

PublishCounters IgtlServer::counters() const { return m_counters; }

} // namespace echolux
