// SPDX-License-Identifier: GPL-3.0-or-later
// Images and arrays that a server of OpenIGTLink sends: Plus, 3D Slicer, a scanner.
#pragma once

#include "app/dataset/formats/pictures/picture_file.hpp"
#include "app/live/live_source.hpp"
#include "app/live/received_frames.hpp"
#include "app/network/igtl_message.hpp"
#include "app/network/tcp.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

class IgtlSource final : public LiveSource {
public:
    struct Setup {
        std::string host = "127.0.0.1";
        int port = kIgtlPort;
        std::string device = {}; ///< takes the images of this sender alone; empty: of the first one
        std::string description = {};          ///< of raw samples: text of a sidecar; empty: images
        std::optional<RecordedForm> form = {}; ///< of images; null: a picture
        /// The transform of this sender places the frames; empty: the matrix of an image does.
        std::string transform = {};
        std::chrono::milliseconds patience{5000}; ///< without a byte of an image
        std::stop_token stop = {};                ///< ends the opening
    };
    /// Larger messages end the connection.
    static constexpr std::uint64_t kMostMessageBytes = std::uint64_t{1} << 30;

    /// Connects and waits for the first image that makes a frame. Throws Error where nobody answers
    /// or where none comes.
    IgtlSource(Setup setup, const std::string& address);

    const RecordingInfo& info() const override { return m_frames->info(); }
    /// Connects again where the server has closed the connection.
    Outcome next(std::span<std::byte> out, FrameStamp& stamp, const std::stop_token& stop) override;
    std::string reason() const override { return m_reason; }
    /// The latest transform of each sender: its position in mm.
    std::vector<std::pair<std::string, std::string>> readouts() const override;

private:
    struct Message {
        IgtlHeader header;
        std::span<const std::byte> body; ///< until the next receive()
    };
    void begin();
    std::optional<Message> receive(std::chrono::steady_clock::time_point until);
    bool fill(std::size_t bytes, std::chrono::steady_clock::time_point until);
    std::optional<ReceivedArray> arrayIn(const Message& message);
    void keepPose(Pose pose);
    void keepTransform(const IgtlHeader& header, const IgtlTransform& transform);
    void connectAgain();

    Setup m_setup;
    std::string m_address;
    std::optional<TcpSocket> m_socket;
    std::chrono::steady_clock::time_point m_lastTry;
    std::vector<std::byte> m_received; ///< of the message that is coming, or has come
    std::size_t m_have = 0;            ///< bytes of the one that is coming
    std::optional<Message> m_first;    ///< the image that told what frames are; it is the first one
    std::size_t m_refused = 0;         ///< messages before it that have not been counted
    std::unique_ptr<ReceivedFrames> m_frames;
    std::string m_reason;
    mutable std::mutex m_mutex; ///< guards what follows
    std::map<std::string, std::string> m_transforms;
    std::vector<PictureAxis> m_axes;    ///< of the frames; the thread of next() alone
    std::shared_ptr<const Pose> m_pose; ///< of the latest frame; the thread of next() alone
};

} // namespace echolux
