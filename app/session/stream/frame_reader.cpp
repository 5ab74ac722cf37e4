// SPDX-License-Identifier: GPL-3.0-or-later
// Reads frames and keeps them in memory.
#include "app/session/stream/frame_reader.hpp"

#include "app/dataset/recording/live_frames.hpp"
#include "app/dataset/recording/sample_check.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <limits>
#include <string>

#include <unistd.h>

namespace echolux {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{64} << 20;
constexpr std::size_t kAheadBytes = std::size_t{128} << 20;
/// The part of the machine's memory that may be used. Staging memory is locked, so the rest must
/// suffice for everything else.
constexpr std::size_t kShare = 4;

/// Memory that the system could give without swapping; all of it where the system does not say.
std::size_t freeBytes(std::size_t all) {
    std::ifstream facts("/proc/meminfo");
    std::string key;
    std::size_t kilobytes = 0;
    std::string unit;
    while (facts >> key >> kilobytes) {
        if (key == "MemAvailable:") return kilobytes * 1024;
        std::getline(facts, unit);
    }
    return all;
}

} // namespace

std::size_t mostKeptBytes() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long pageBytes = ::sysconf(_SC_PAGESIZE);
    if (pages <= 0 || pageBytes <= 0) return 0;
    const std::size_t all = static_cast<std::size_t>(pages) * static_cast<std::size_t>(pageBytes);
    return std::min(all / kShare, freeBytes(all) / 2);
}

FrameReader::FrameReader(Recording& recording, MemoryKind memory, std::size_t mostKept,
                         Warned warned, std::int64_t ensemble)
    : m_recording(recording), m_memory(memory), m_warned(std::move(warned)),
      m_frameBytes(recording.info().frame.bytes()), m_ensemble(ensemble) {
    if (recording.live() != nullptr) return;
    const auto frames = static_cast<std::size_t>(recording.info().frameCount);
    if (recording.info().firstFrameSound) m_inspected.assign(frames, false);
    if (m_frameBytes == 0 || frames > mostKept / m_frameBytes) return;
    const std::size_t unit = m_frameBytes * static_cast<std::size_t>(ensemble);
    m_perChunk = ensemble * static_cast<std::int64_t>(
                                std::bit_floor(std::max<std::size_t>(kChunkBytes / unit, 1)));
    const auto perChunk = static_cast<std::size_t>(m_perChunk);
    m_chunks.resize((frames + perChunk - 1) / perChunk);
    m_held.assign(frames, false);
}

std::size_t FrameReader::roomBytes(std::int64_t frames) const {
    return std::max(static_cast<std::size_t>(frames) * m_frameBytes,
                    kRunBytes / m_frameBytes * m_frameBytes);
}

void FrameReader::prepare(std::vector<RawFrame>& slots) const {
    if (m_perChunk > 0) return;
    for (RawFrame& slot : slots) slot.room = Buffer(m_memory, roomBytes(m_ensemble));
}

void FrameReader::read(std::int64_t first, std::int64_t count, RawFrame& to) {
    to.index = first;
    to.count = count;
    to.frameBytes = m_frameBytes;
    if (count == 1 && m_recording.live() != nullptr) return borrow(first, to);
    to.samples = keep(first, count);
    if (to.samples != nullptr) return;
    if (to.room.bytes() < static_cast<std::size_t>(count) * m_frameBytes)
        to.room = Buffer(m_memory, roomBytes(count));
    readTo(first, count, to.room.as<std::byte>());
    to.samples = to.room.as<std::byte>();
}

void FrameReader::borrow(std::int64_t frame, RawFrame& to) {
    to.loan = m_recording.live()->lend(frame);
    if (!to.loan) throw Error(fmt::format("Frame {} is no longer kept.", frame + 1));
    to.samples = to.loan.samples();
    inspect(frame, 1, to.samples);
}

/// Where the frames lie one after the other in memory; null where they are not kept.
std::byte* FrameReader::keep(std::int64_t first, std::int64_t count) {
    if (m_perChunk == 0) return nullptr;
    const std::int64_t at = first % m_perChunk;
    if (at + count > m_perChunk) return nullptr;
    Buffer& chunk = m_chunks[static_cast<std::size_t>(first / m_perChunk)];
    if (chunk.bytes() == 0) {
        const std::int64_t frames =
            std::min(m_perChunk, m_recording.info().frameCount - first + at);
        try {
            chunk = Buffer(m_memory, static_cast<std::size_t>(frames) * m_frameBytes);
        } catch (const Error& error) { // frames that are already kept stay
            spdlog::info("From frame {} on the recording is not kept in memory: {}", first + 1,
                         error.what());
            return nullptr;
        }
    }
    auto* data = chunk.as<std::byte>();
    const auto placeOf = [&](std::int64_t frame) {
        return data + static_cast<std::size_t>(frame % m_perChunk) * m_frameBytes;
    };
    // Other threads may be reading frames that are already there.
    const auto begin = m_held.begin() + first;
    for (auto from = std::find(begin, begin + count, false); from != begin + count;) {
        const auto to = std::find(from, begin + count, true);
        const std::int64_t missing = to - from;
        readTo(from - m_held.begin(), missing, placeOf(from - m_held.begin()));
        m_keptBytes += static_cast<std::size_t>(missing) * m_frameBytes;
        std::fill(from, to, true);
        from = std::find(to, begin + count, false);
    }
    return placeOf(first);
}

void FrameReader::readTo(std::int64_t first, std::int64_t count, std::byte* out) {
    struct PartOf {
        FramePart part;
        std::span<std::byte> to;
    };
    std::vector<PartOf> tasks;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::span frame(out + static_cast<std::size_t>(i) * m_frameBytes, m_frameBytes);
        std::vector<FramePart> parts = m_recording.partsOf(first + i);
        if (parts.empty()) m_recording.readFrame(first + i, frame);
        for (FramePart& part : parts) {
            const std::span to = frame.subspan(part.begin, part.bytes);
            tasks.push_back({std::move(part), to});
        }
    }
    tbb::parallel_for(std::size_t{0}, tasks.size(),
                      [&](std::size_t i) { tasks[i].part.read(tasks[i].to); });
    inspect(first, count, out);
    foresee(first + count);
}

/// Lets the disk read the following frames, up to kAheadBytes of them, while frames are imaged.
void FrameReader::foresee(std::int64_t next) {
    const auto ahead =
        std::max<std::int64_t>(static_cast<std::int64_t>(kAheadBytes / m_frameBytes), 1);
    const std::int64_t end = std::min(next + ahead, m_recording.info().frameCount);
    if (m_foreseen < next || m_foreseen > end) m_foreseen = next; // playback jumped
    for (; m_foreseen < end; ++m_foreseen) m_recording.foresee(m_foreseen);
}

void FrameReader::inspect(std::int64_t first, std::int64_t count, const std::byte* samples) {
    if (m_recording.live() != nullptr) return inspectLive(first, samples);
    for (std::int64_t i = 0; i < count && !m_inspected.empty(); ++i) {
        const auto frame = static_cast<std::size_t>(first + i);
        if (m_inspected[frame]) continue;
        m_inspected[frame] = true;
        const auto warning =
            frameWarning(m_recording.info(), first + i,
                         {samples + static_cast<std::size_t>(i) * m_frameBytes, m_frameBytes});
        if (!warning) continue;
        m_inspected.clear();
        if (m_warned) m_warned(*warning);
    }
}

/// About one live frame per second, until one has a flaw.
void FrameReader::inspectLive(std::int64_t frame, const std::byte* samples) {
    if (frame < m_inspectNext) return;
    const RecordingInfo& info = m_recording.info();
    m_inspectNext = frame + 1 + static_cast<std::int64_t>(info.frameRateHz);
    const auto warning = frameWarning(info, frame, {samples, m_frameBytes});
    if (!warning) return;
    m_inspectNext = std::numeric_limits<std::int64_t>::max();
    if (m_warned) m_warned(*warning);
}

} // namespace echolux
