// SPDX-License-Identifier: GPL-3.0-or-later
// A reader of .rf files of Ultrasonix systems: beamformed lines of real echoes. And a live source
// that follows such a file while another program writes it.
//
// Layout of .rf files that Ultrasonix systems write, as their MATLAB script RPread reads them. All
// numbers are little-endian. The file begins with 19 numbers of 4 bytes:
//   0 type (16: RF), 4 frames, 8 lines, 12 samples of a line, 16 bits of a sample (16),
//   20 ... 48 four corners of the region in pixels, 52 probe, 56 transmitted frequency in Hz,
//   60 sampling frequency in Hz, 64 frames per second, 68 line density, 72 not used.
// At byte 76 the frames follow. Systems with software 5 write a number of 4 bytes before each
// frame, others do not. A frame is lines x samples of 2 bytes, one line after the other.
#include "app/dataset/recording/file_reader.hpp"
#include "app/live/source_type.hpp"
#include "gpu/stage/plugin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace echolux;

constexpr std::uint64_t kHeaderBytes = 76;
constexpr double kSoundSpeedMps = 1540.0;

struct Header {
    std::array<std::int32_t, kHeaderBytes / 4> words{};

    std::int64_t frames() const { return words[1]; }
    std::int64_t lines() const { return words[2]; }
    std::int64_t samples() const { return words[3]; }
    double transmittedHz() const { return words[14]; }
    double samplingHz() const { return words[15]; }
    double frameRateHz() const { return words[16]; }
    std::uint64_t frameBytes() const {
        return static_cast<std::uint64_t>(lines() * samples()) * sizeof(std::int16_t);
    }
    bool operator==(const Header&) const = default;
};

/// Precondition: the file has kHeaderBytes.
Header headerOf(const InputFile& file) {
    Header header;
    file.read(0, std::as_writable_bytes(std::span(header.words)));
    return header;
}

/// The format has no signature, so all numbers must be possible.
bool isPossible(const Header& header) {
    const auto within = [](double value, double least, double most) {
        return value >= least && value <= most;
    };
    return header.words[0] == 16 && header.words[4] == 16 && within(header.words[1], 0, 1e6) &&
           within(header.words[2], 1, 4096) && within(header.words[3], 16, 65536) &&
           within(header.samplingHz(), 1e6, 200e6) &&
           within(header.transmittedHz(), 0.0, header.samplingHz() / 2.0);
}

/// An image [depth][lateral] of real echoes. The file does not say how far its lines are apart.
FrameSpec frameOf(const Header& header) {
    FrameSpec frame;
    frame.dtype = DType::I16;
    frame.recordedForm = RecordedForm::Beamformed;
    frame.axes = {{.name = AxisName::Depth,
                   .size = header.samples(),
                   .spacing = kSoundSpeedMps / 2.0 / header.samplingHz(),
                   .unit = "m"},
                  {.name = AxisName::Lateral, .size = header.lines(), .unit = {}}};
    frame.centreFrequencyHz = header.transmittedHz();
    return frame;
}

/// Reads the frame at this byte and turns it from [lateral][depth] to [depth][lateral].
void readImage(const InputFile& file, const Header& header, std::uint64_t offset,
               std::span<std::byte> out) {
    std::vector<std::int16_t> stored(out.size() / sizeof(std::int16_t));
    file.read(offset, std::as_writable_bytes(std::span(stored)));
    auto* image = reinterpret_cast<std::int16_t*>(out.data());
    const auto lines = static_cast<std::size_t>(header.lines());
    const auto samples = static_cast<std::size_t>(header.samples());
    for (std::size_t depth = 0; depth < samples; ++depth)
        for (std::size_t line = 0; line < lines; ++line)
            image[depth * lines + line] = stored[line * samples + depth];
}

constexpr std::uint64_t kTagBytes = 4;
const char* const kNoWidth =
    "The file does not say how far its lines are apart, so the width of the image is unknown.";

/// From one frame to the next, or 0 where the file's length fits neither layout.
std::uint64_t strideOf(const Header& header, std::uint64_t fileBytes) {
    const auto frames = static_cast<std::uint64_t>(header.frames());
    for (const std::uint64_t tag : {std::uint64_t{0}, kTagBytes})
        if (kHeaderBytes + frames * (tag + header.frameBytes()) == fileBytes)
            return tag + header.frameBytes();
    return 0;
}

class SonixRecording final : public Recording {
public:
    explicit SonixRecording(std::shared_ptr<const InputFile> file)
        : m_file(std::move(file)), m_header(headerOf(*m_file)),
          m_stride(strideOf(m_header, m_file->size())) {
        if (m_stride == 0)
            throw fileError(m_file->path(),
                            fmt::format("its header describes {} frames of {} bytes, but the file "
                                        "has {} bytes; it was cut off, copy it again",
                                        m_header.frames(), m_header.frameBytes(), m_file->size()));
        m_info.format = "Ultrasonix RF";
        m_info.frame = frameOf(m_header);
        m_info.frameCount = m_header.frames();
        m_info.frameRateHz = m_header.frameRateHz() > 0.0 ? m_header.frameRateHz() : 0.0;
        m_info.notes.emplace_back("Probe number", fmt::format("{}", m_header.words[13]));
        m_info.warnings.emplace_back(kNoWidth);
    }

    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        const auto number = static_cast<std::uint64_t>(index);
        const std::uint64_t tag = m_stride - m_header.frameBytes();
        readImage(*m_file, m_header, kHeaderBytes + number * m_stride + tag, out);
    }

private:
    std::shared_ptr<const InputFile> m_file;
    Header m_header;
    std::uint64_t m_stride;
};

/// Looks for further frames every few milliseconds. A real driver would wait for its device.
class FollowedFile final : public LiveSource {
public:
    FollowedFile(std::filesystem::path path, bool tagged)
        : m_path(std::move(path)), m_tagBytes(tagged ? kTagBytes : 0) {
        const InputFile file(m_path);
        if (file.size() < kHeaderBytes || !isPossible(headerOf(file)))
            throw fileError(m_path, "it has no header of an RF file; wait until its writer has "
                                    "begun, or choose another file");
        m_header = headerOf(file);
        m_next = std::max<std::uint64_t>(framesIn(file), 1) - 1;
        m_info.format = "Ultrasonix RF, followed";
        m_info.frame = frameOf(m_header);
        m_info.frameRateHz = std::max(m_header.frameRateHz(), 0.0);
        m_info.warnings.emplace_back(kNoWidth);
    }

    const RecordingInfo& info() const override { return m_info; }
    std::string reason() const override { return m_reason; }

    Outcome next(std::span<std::byte> out, FrameStamp& stamp,
                 const std::stop_token& stop) override {
        constexpr int kLooks = 20;
        for (int look = 0; look < kLooks && !stop.stop_requested(); ++look) {
            std::unique_ptr<InputFile> file;
            try {
                file = std::make_unique<InputFile>(m_path);
            } catch (const Error& gone) {
                m_reason = gone.what();
                return Outcome::Ended;
            }
            if (file->size() >= kHeaderBytes) {
                const Header header = headerOf(*file);
                if (header.lines() != m_header.lines() || header.samples() != m_header.samples()) {
                    m_reason = m_path.string() + " was begun again with frames of another size.";
                    return Outcome::Changed;
                }
                const std::uint64_t frames = framesIn(*file);
                if (frames < m_next) m_next = 0; // begun again
                if (frames > m_next) {
                    readImage(*file, m_header, kHeaderBytes + m_next * stride() + m_tagBytes, out);
                    stamp.number = static_cast<std::int64_t>(m_next++);
                    return Outcome::Frame;
                }
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return Outcome::Nothing;
    }

private:
    std::uint64_t stride() const { return m_tagBytes + m_header.frameBytes(); }
    std::uint64_t framesIn(const InputFile& file) const {
        return (std::max(file.size(), kHeaderBytes) - kHeaderBytes) / stride();
    }

    std::filesystem::path m_path;
    std::uint64_t m_tagBytes;
    Header m_header;
    std::uint64_t m_next = 0; ///< number of the frame that comes next
    RecordingInfo m_info;
    std::string m_reason;
};

/// "FILE" or "FILE?tags=no".
std::unique_ptr<LiveSource> follow(const std::string& options) {
    constexpr std::string_view kNoTags = "?tags=no";
    const bool tagged = !options.ends_with(kNoTags);
    return std::make_unique<FollowedFile>(
        tagged ? options : options.substr(0, options.size() - kNoTags.size()), tagged);
}

constexpr LiveSourceType kFollower{
    .name = "sonix",
    .options = "FILE?tags=no",
    .help = "an .rf file that another program writes; tags=no: without numbers of frames",
    .open = follow,
};

constexpr FileReader kReader{
    .recognises =
        [](const InputFile& file) {
            return file.size() >= kHeaderBytes && isPossible(headerOf(file));
        },
    .open = [](std::shared_ptr<const InputFile> file, const OpenOptions&)
        -> std::unique_ptr<Recording> { return std::make_unique<SonixRecording>(std::move(file)); },
    .name = "sonix_rf",
};

} // namespace

ECHOLUX_PLUGIN_PARTS("Ultrasonix RF", "1.0", .readers = {&kReader}, .sources = {&kFollower})
