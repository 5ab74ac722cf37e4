// SPDX-License-Identifier: GPL-3.0-or-later
// Reads one message after the other. After something that is no message the connection is begun
// anew, because nothing says where the next message starts.
#include "app/live/igtl_source.hpp"

#include "gpu/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

namespace echolux {
namespace {

using Clock = std::chrono::steady_clock;
using Role = PictureAxis::Role;

constexpr std::chrono::milliseconds kCallPatience{100}; ///< of one call

ElementType elementOf(IgtlScalar scalar, bool bigEndian) {
    using Kind = ElementType::Kind;
    const auto kind = [&] {
        switch (scalar) {
        case IgtlScalar::Uint8:
        case IgtlScalar::Uint16:
        case IgtlScalar::Uint32: return Kind::Unsigned;
        case IgtlScalar::Float32:
        case IgtlScalar::Float64: return Kind::Real;
        default: return Kind::Signed;
        }
    };
    const auto bytes = static_cast<int>(bytesOf(scalar));
    return {.kind = kind(), .bytes = bytes, .bigEndian = bigEndian && bytes > 1};
}

/// The place of the first pixel, where the axis points along the axis `along` of space.
std::array<double, 3> firstPixelOf(const IgtlImage& image) {
    std::array<double, 3> first = image.centre;
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t i = 0; i < 3; ++i)
            first[i] -= image.step[axis][i] * static_cast<double>(image.size[axis] - 1) / 2;
    return first;
}

/// Lateral is centred, and depth begins at 0, unless the image lies along the axes of space.
std::vector<PictureAxis> axesOf(const IgtlImage& image) {
    constexpr double kMetres = 1e-3;
    constexpr std::array kRoles{Role::Lateral, Role::Depth, Role::Elevation};
    const std::array<double, 3> first = firstPixelOf(image);
    std::vector<PictureAxis> axes;
    if (image.components > 1) axes.push_back({.role = Role::Colours, .size = image.components});
    bool straight = true;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            straight = straight && (i == j ? image.step[i][j] > 0.0 : image.step[i][j] == 0.0);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& step = image.step[i];
        const double spacing = std::hypot(step[0], step[1], step[2]);
        PictureAxis axis{.role = kRoles[i], .size = image.size[i]};
        if (std::isfinite(spacing) && spacing > 0.0) axis.spacingM = spacing * kMetres;
        const double middle = kRoles[i] == Role::Depth
                                  ? 0.0
                                  : -axis.spacingM * static_cast<double>(axis.size - 1) / 2;
        axis.originM = straight && std::isfinite(first[i]) ? first[i] * kMetres : middle;
        axes.push_back(axis);
    }
    return axes;
}

/// The same but for the place, and for the rounding of a matrix that turns. The spacing of a single
/// entry means nothing.
bool areAlike(const PictureAxis& a, const PictureAxis& b) {
    constexpr double kRounding = 5e-3; // trackers send matrices with few digits
    return a.role == b.role && a.size == b.size &&
           (a.size == 1 || std::abs(a.spacingM - b.spacingM) <= kRounding * a.spacingM);
}

Point metres(const std::array<double, 3>& place) {
    return {place[0] * 1e-3, place[1] * 1e-3, place[2] * 1e-3};
}

Point scaled(const Point& p, double by) { return {p.x * by, p.y * by, p.z * by}; }

/// Null where the image lies along no axes.
std::optional<Pose> poseOf(const IgtlImage& image, const std::vector<PictureAxis>& axes) {
    Pose pose;
    std::array<double, 3> length{};
    for (std::size_t i = 0; i < 3; ++i)
        length[i] = std::hypot(image.step[i][0], image.step[i][1], image.step[i][2]);
    if (!(length[0] > 0.0) || !(length[1] > 0.0)) return std::nullopt;
    const auto along = [&](std::size_t i) {
        const auto& step = image.step[i];
        return Point{step[0] / length[i], step[1] / length[i], step[2] / length[i]};
    };
    const Point x = along(0); // lateral
    const Point z = along(1); // depth
    pose.along = {x,
                  length[2] > 0.0
                      ? along(2)
                      : Point{z.y * x.z - z.z * x.y, z.z * x.x - z.x * x.z, z.x * x.y - z.y * x.x},
                  z};
    pose.origin = metres(firstPixelOf(image));
    for (const PictureAxis& axis : axes) {
        if (axis.role == Role::Colours) continue;
        const std::size_t i = axis.role == Role::Lateral ? 0 : axis.role == Role::Depth ? 2 : 1;
        const Point back = scaled(pose.along[i], -axis.originM);
        pose.origin = {pose.origin.x + back.x, pose.origin.y + back.y, pose.origin.z + back.z};
    }
    pose.space = image.isLps ? "OpenIGTLink, LPS" : "OpenIGTLink, RAS";
    return pose;
}

} // namespace

IgtlSource::IgtlSource(Setup setup, const std::string& address)
    : m_setup(std::move(setup)), m_address(address), m_lastTry(Clock::now()) {
    m_socket = TcpSocket::connect(m_setup.host, m_setup.port, m_setup.patience);
    auto until = Clock::now() + m_setup.patience;
    while (!m_frames && m_socket && Clock::now() < until && !m_setup.stop.stop_requested()) {
        const std::size_t had = m_have;
        m_first = receive(std::min(until, Clock::now() + kCallPatience));
        if (m_first)
            begin();
        else if (m_have > had) // a large image is on its way
            until = Clock::now() + m_setup.patience;
    }
    if (m_frames) return;
    if (m_refused > 0) m_reason = fmt::format("{} came without an image ({})", m_refused, m_reason);
    throw Error(fmt::format("'{}': {}; start what sends {}, then open it again.", address,
                            m_reason.empty() ? "no image came" : m_reason,
                            m_setup.description.empty() ? "images" : "arrays"));
}

/// Makes the frames by m_first, and drops it where it holds none. What is malformed is refused, as
/// it is later on.
void IgtlSource::begin() {
    try {
        if (const auto array = arrayIn(*m_first)) {
            m_frames = std::make_unique<ReceivedFrames>(m_address, *array, m_setup.description);
            m_axes = array->axes;
            return;
        }
    } catch (const Error& error) {
        m_reason = error.what();
        ++m_refused;
    }
    m_first.reset();
}

/// Null where no whole message has come by then, or the connection ended: m_reason says why. What
/// has come of a message waits for the next call.
std::optional<IgtlSource::Message> IgtlSource::receive(Clock::time_point until) {
    if (!fill(kIgtlHeaderBytes, until)) return std::nullopt;
    Message message;
    try {
        message.header = readIgtlHeader(
            std::span<const std::byte, kIgtlHeaderBytes>(m_received.data(), kIgtlHeaderBytes));
        if (message.header.bodyBytes > kMostMessageBytes)
            throw Error(fmt::format("A message of {} bytes came; at most {} are taken.",
                                    message.header.bodyBytes, kMostMessageBytes));
    } catch (const Error& error) {
        m_reason = error.what();
        m_socket.reset();
        return std::nullopt;
    }
    if (!fill(kIgtlHeaderBytes + message.header.bodyBytes, until)) return std::nullopt;
    message.body = std::span(m_received).subspan(kIgtlHeaderBytes, message.header.bodyBytes);
    m_have = 0;
    return message;
}

/// False where fewer bytes of this message have come.
bool IgtlSource::fill(std::size_t bytes, Clock::time_point until) {
    // Grows as bytes come, so that a header that lies about its size costs no memory.
    constexpr std::size_t kAtOnce = std::size_t{4} << 20;
    while (m_have < bytes) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
        if (!m_socket || left.count() < 0) return false;
        const std::size_t room = std::min(bytes - m_have, kAtOnce);
        if (m_received.size() < m_have + room) m_received.resize(m_have + room);
        const auto got = m_socket->receive(std::span(m_received).subspan(m_have, room), left);
        if (!got) {
            m_socket.reset();
            m_reason = "its server has closed the connection";
            return false;
        }
        m_have += *got;
    }
    return true;
}

/// Null where the message holds no array that is wanted. Throws Error where it is malformed.
std::optional<ReceivedArray> IgtlSource::arrayIn(const Message& message) {
    const IgtlHeader& header = message.header;
    const bool wanted = m_setup.device.empty() || m_setup.device == header.device;
    if (header.type == "TRANSFORM") {
        const IgtlTransform transform = readIgtlTransform(igtlContent(header, message.body));
        keepTransform(header, transform);
        const auto& [x, y, z, place] = transform;
        if (header.device == m_setup.transform)
            keepPose({.along = {{{x[0], x[1], x[2]}, {y[0], y[1], y[2]}, {z[0], z[1], z[2]}}},
                      .origin = metres(place),
                      .space = header.device});
        return std::nullopt;
    }
    if (!wanted) return std::nullopt;
    if (header.type == "IMAGE") {
        const IgtlImage image = readIgtlImage(igtlContent(header, message.body));
        if (m_setup.device.empty()) m_setup.device = header.device;
        std::vector<PictureAxis> axes = axesOf(image);
        // An image that moves keeps its axes, and its pose says where it lies.
        if (std::ranges::equal(axes, m_axes, areAlike)) axes = m_axes;
        if (m_setup.transform.empty())
            if (auto pose = poseOf(image, axes)) keepPose(std::move(*pose));
        return ReceivedArray{.type = elementOf(image.scalar, image.bigEndian),
                             .axes = axes,
                             .form = m_setup.form,
                             .samples = image.pixels,
                             .description = {}};
    }
    if (header.type == "NDARRAY" && !m_setup.description.empty()) {
        const IgtlArray array = readIgtlArray(igtlContent(header, message.body));
        return ReceivedArray{.type = elementOf(array.scalar, true),
                             .axes = {},
                             .form = {},
                             .samples = array.samples,
                             .description = {}};
    }
    return std::nullopt;
}

LiveSource::Outcome IgtlSource::next(std::span<std::byte> out, FrameStamp& stamp,
                                     const std::stop_token& stop) {
    if (m_refused > 0) {
        --m_refused;
        return Outcome::Malformed;
    }
    const auto until = Clock::now() + kCallPatience;
    if (!m_socket && !m_first) connectAgain();
    while (!stop.stop_requested() && Clock::now() < until) {
        if (!m_socket && !m_first) {
            std::this_thread::sleep_until(until);
            return Outcome::Nothing;
        }
        const std::optional<Message> message =
            m_first ? std::exchange(m_first, std::nullopt) : receive(until);
        if (!message) continue;
        try {
            const auto array = arrayIn(*message);
            if (!array) continue;
            if (!m_frames->fits(*array)) {
                m_reason = "Its images have another size or scale now.";
                return Outcome::Changed;
            }
            m_frames->convert(*array, out);
        } catch (const Error& error) {
            m_reason = error.what();
            return Outcome::Malformed;
        }
        stamp = {.number = -1,
                 .deviceNs = message->header.timeNs > 0 ? message->header.timeNs : -1,
                 .pose = m_pose};
        return Outcome::Frame;
    }
    return Outcome::Nothing;
}

void IgtlSource::connectAgain() {
    constexpr std::chrono::seconds kPause{1};
    if (Clock::now() - m_lastTry < kPause) return;
    m_lastTry = Clock::now();
    m_have = 0;
    try {
        m_socket = TcpSocket::connect(m_setup.host, m_setup.port, std::chrono::milliseconds(200));
    } catch (const Error& error) { // the next try follows
        m_reason = error.what();
    }
}

/// Frames that lie at one place share their pose.
void IgtlSource::keepPose(Pose pose) {
    if (!m_pose || *m_pose != pose) m_pose = std::make_shared<const Pose>(std::move(pose));
}

void IgtlSource::keepTransform(const IgtlHeader& header, const IgtlTransform& transform) {
    const auto& [x, y, z, place] = transform;
    const std::string text =
        fmt::format("{:.2f}, {:.2f}, {:.2f} mm; x along {:.3f}, {:.3f}, {:.3f}", place[0], place[1],
                    place[2], x[0], x[1], x[2]);
    constexpr std::size_t kMostSenders = 16;
    const std::scoped_lock lock(m_mutex);
    if (m_transforms.size() < kMostSenders || m_transforms.contains(header.device))
        m_transforms[header.device] = text;
}

std::vector<std::pair<std::string, std::string>> IgtlSource::readouts() const {
    const std::scoped_lock lock(m_mutex);
    return {m_transforms.begin(), m_transforms.end()};
}

} // namespace echolux
