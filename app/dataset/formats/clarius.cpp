// SPDX-License-Identifier: GPL-3.0-or-later
// Layout, little-endian: u32 id, frames, lines, samples per line, bytes per sample. Then each frame
// has a time in ns (u64) and its lines, one after another (github.com/clariusdev/raw). Samples of 1
// byte are log-compressed amplitudes, of 2 bytes RF, of 4 bytes I and Q. Lines of colour packets
// are [line][sample][pulse], the pulse fastest; each pulse is delivered as a frame.
#include "app/dataset/formats/clarius.hpp"

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/formats/clarius_facts.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/frames/shown_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace echolux {

namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::uint64_t kTimeBytes = 8;
constexpr std::string_view kLzop("\x89LZO\0", 5);
/// Time of the samples before depth 0: 16 at 15 MHz, 62 at 60 MHz. NOTE: it comes from pictures
/// that a scanner made of the same data, not from a document.
constexpr double kDepthZeroS = 1.05e-6;
constexpr double kSoundSpeedMps = 1540.0; ///< the speed that scanners use

struct ClariusHeader {
    std::uint32_t id = 0;
    std::uint32_t frames = 0;
    std::uint32_t lines = 0;
    std::uint32_t samples = 0;
    std::uint32_t sampleBytes = 0;

    std::uint64_t blockBytes() const { return std::uint64_t{lines} * samples * sampleBytes; }
    std::uint64_t blockAt(std::uint64_t frame) const {
        return sizeof(ClariusHeader) + frame * (kTimeBytes + blockBytes()) + kTimeBytes;
    }
};
static_assert(sizeof(ClariusHeader) == 20);

std::optional<ClariusHeader> clariusHeader(const InputFile& file) {
    constexpr std::uint32_t kMost = 1 << 20;
    ClariusHeader header;
    if (file.size() <= sizeof header + kTimeBytes) return std::nullopt;
    file.read(0, std::as_writable_bytes(std::span(&header, 1)));
    const bool plausible =
        header.id < 64 && header.frames >= 1 && header.frames <= kMost && header.lines >= 2 &&
        header.lines <= kMost && header.samples >= 2 && header.samples <= kMost &&
        (header.sampleBytes == 1 || header.sampleBytes == 2 || header.sampleBytes == 4);
    const std::uint64_t rest = file.size() - sizeof header;
    const bool fits = plausible && rest % header.frames == 0 &&
                      rest / header.frames == kTimeBytes + header.blockBytes();
    return fits ? std::optional(header) : std::nullopt;
}

bool isLzop(const InputFile& file) {
    std::string head(kLzop.size(), '\0');
    if (file.size() < head.size()) return false;
    file.read(0, std::as_writable_bytes(std::span(head)));
    return head == kLzop;
}

ElementType clariusType(const ClariusHeader& header) {
    using Kind = ElementType::Kind;
    if (header.sampleBytes == 1) return {.kind = Kind::Unsigned, .bytes = 1};
    return {.kind = Kind::Signed, .bytes = 2, .components = header.sampleBytes == 4 ? 2 : 1};
}

/// [frame][line][sample]. The pulses of a packet are frames.
class ClariusArray : public ArraySource {
public:
    ClariusArray(std::shared_ptr<const InputFile> file, const ClariusHeader& header,
                 std::int64_t packet)
        : m_file(std::move(file)), m_header(header), m_packet(packet) {
        m_layout.type = clariusType(header);
        m_layout.shape = {header.frames * packet, header.lines / packet, header.samples};
        m_layout.check(m_file->path(), "its samples");
    }
    bool canSlice(std::size_t axis) const override { return axis == 0; }
    void read(std::span<std::byte> out) override {
        const auto frames = static_cast<std::size_t>(m_layout.shape[0]);
        const std::size_t bytes = out.size() / frames;
        for (std::size_t i = 0; i < frames; ++i)
            readSlice(0, static_cast<std::int64_t>(i), out.subspan(i * bytes, bytes));
    }
    void readSlice(std::size_t, std::int64_t index, std::span<std::byte> out) override {
        const auto block = static_cast<std::uint64_t>(index / m_packet);
        if (m_packet == 1) {
            m_file->read(m_header.blockAt(block), out);
            return;
        }
        if (m_held != block || m_block.empty()) {
            m_block.resize(m_header.blockBytes());
            m_held = block;
            m_file->read(m_header.blockAt(block), m_block);
        }
        const std::size_t bytes = m_layout.type.size();
        const auto pulse = static_cast<std::size_t>(index % m_packet);
        const auto apart = static_cast<std::size_t>(m_packet) * bytes;
        for (std::size_t i = 0; i < out.size() / bytes; ++i)
            std::memcpy(out.data() + i * bytes, m_block.data() + i * apart + pulse * bytes, bytes);
    }

private:
    std::shared_ptr<const InputFile> m_file;
    ClariusHeader m_header;
    std::int64_t m_packet;
    std::vector<std::byte> m_block; ///< a whole packet
    std::uint64_t m_held = 0;
};

std::int64_t packetOf(const InputFile& file, const ClariusHeader& header,
                      const ClariusFacts& facts) {
    if (header.sampleBytes != 4) return 1;
    const auto lines = static_cast<std::int64_t>(header.lines);
    if (facts.linesPerElement > 0)
        return lines % facts.linesPerElement == 0 ? facts.linesPerElement : 1;
    constexpr std::uint64_t kEnough = std::uint64_t{4} << 20U; // bytes
    std::vector<std::int16_t> samples(std::min(header.blockBytes(), kEnough) / 2);
    file.read(header.blockAt(0), std::as_writable_bytes(std::span(samples)));
    return packetSize(samples, lines);
}

/// The frame rate, from the times of the frames, at least two. 0 where they do not increase.
double rateOf(const InputFile& file, const ClariusHeader& header) {
    std::array<std::uint64_t, 2> times{};
    file.read(header.blockAt(0) - kTimeBytes, std::as_writable_bytes(std::span(&times[0], 1)));
    file.read(header.blockAt(header.frames - 1) - kTimeBytes,
              std::as_writable_bytes(std::span(&times[1], 1)));
    if (times[1] <= times[0]) return 0.0;
    const double rate = (header.frames - 1) / (1e-9 * static_cast<double>(times[1] - times[0]));
    return rate < 1e5 ? rate : 0.0;
}

void takePlaces(const ClariusFacts& facts, RecordingInfo& info) {
    Axis& depth = info.frame.axes[0];
    if (facts.samplingFrequencyHz > 0.0) {
        depth.spacing = 0.5 * kSoundSpeedMps / facts.samplingFrequencyHz;
        const double first =
            0.5 * kSoundSpeedMps * (facts.delaySamples / facts.samplingFrequencyHz - kDepthZeroS);
        depth.origin = std::abs(first) < depth.spacing ? 0.0 : first;
        depth.unit = "m";
        info.warnings.emplace_back("Nothing says how far its lines are apart, so their scale is "
                                   "unknown.");
    } else {
        info.warnings.emplace_back("Without the .yml file that Clarius writes beside it, and with "
                                   "it the sampling frequency, the scale of depths and lines is "
                                   "unknown.");
    }
    if (facts.steeringDeg != 0.0)
        info.warnings.push_back(fmt::format("Its lines are steered by {:g} degrees and shown side "
                                            "by side.",
                                            facts.steeringDeg));
}

} // namespace

bool isClarius(const InputFile& file) { return isLzop(file) || clariusHeader(file).has_value(); }

std::unique_ptr<Recording> openClarius(std::shared_ptr<const InputFile> file,
                                       const OpenOptions& /*options*/) {
    const auto header = clariusHeader(*file);
    if (!header)
        throw fileError(file->path(), "it is compressed with lzop, as Clarius' raw data come; "
                                      "decompress it with 'lzop -d' first");
    const ClariusFacts facts = clariusFacts(file->path());
    checkLoadSize(file->path(), "one packet", header->blockBytes());
    const std::int64_t packet = packetOf(*file, *header, facts);
    auto source = std::make_unique<ClariusArray>(file, *header, packet);
    const ArrayMapping mapping{.axes = {ArrayAxis::Frame, ArrayAxis::Lateral, ArrayAxis::Depth}};
    RecordingInfo info;
    info.path = file->path();
    info.format = "Clarius raw";
    const ArrayExtents extents = extentsOf(info.path, source->layout(), mapping);
    info.frameCount = extents.frames;
    info.frame =
        imageSpecOf(source->layout(), extents,
                    header->sampleBytes == 1 ? RecordedForm::Picture : RecordedForm::Beamformed);
    takePlaces(facts, info);
    info.frame.centreFrequencyHz = facts.transmitFrequencyHz;
    if (header->sampleBytes == 4) {
        info.frame.demodulationFrequencyHz = facts.transmitFrequencyHz;
        if (facts.transmitFrequencyHz > 0.0)
            info.warnings.emplace_back("The demodulation frequency is not recorded; it is taken to "
                                       "be that of the transmit.");
    }
    if (packet > 1)
        info.notes.emplace_back("Colour packet", fmt::format("{} frames of one place", packet));
    else
        info.frameRateHz = header->frames > 1 ? rateOf(*file, *header) : facts.frameRateHz;
    info.frame.valueRange = shownRangeOf(info.path, *source, mapping, info.frame);
    return makeArrayRecording(std::move(info), std::move(source), mapping);
}

} // namespace echolux
