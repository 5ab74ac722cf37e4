// SPDX-License-Identifier: GPL-3.0-or-later
// Follows a writer through its memory, and through its end and restart.
#include "app/live/shared_source.hpp"

#include "app/live/client/echolux_live.h"
#include "app/live/frame_description.hpp"
#include "app/live/frame_place.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace echolux {
namespace {

constexpr std::uint64_t kMostDescription = std::uint64_t{64} << 20;
constexpr std::uint64_t kMostFrame = std::uint64_t{4}
                                     << 30; ///< pages that nobody wrote cost a writer nothing
constexpr std::size_t kCopyPart = std::size_t{1}
                                  << 20; ///< larger frames are copied by several threads

constexpr std::chrono::milliseconds kPause{2};

std::string sharedName(const std::string& name) { return "/echolux-" + name; }

echolux_live_header& headerOf(const MappedMemory& memory) {
    return *static_cast<echolux_live_header*>(memory.start());
}

Error layoutError(const std::string& name, const std::string& what) {
    return Error(
        fmt::format("Shared memory '{}': {}; correct its writer (echolux help live).", name, what));
}

/// Throws where a place lies outside. All sums are checked for overflow by dividing.
void checkLayout(const std::string& name, const echolux_live_header& header, std::uint64_t bytes) {
    if (std::memcmp(header.magic, ECHOLUX_LIVE_MAGIC, sizeof header.magic) != 0)
        throw layoutError(name, "it does not begin with ECHOLIVE");
    if (header.version != ECHOLUX_LIVE_VERSION)
        throw layoutError(name, fmt::format("its version is {}, and this program knows {}",
                                            header.version, ECHOLUX_LIVE_VERSION));
    if (header.total_bytes > bytes)
        throw layoutError(name, fmt::format("it says that it has {} bytes, and it has {}",
                                            header.total_bytes, bytes));
    const auto isInside = [&](std::uint64_t at, std::uint64_t length) {
        return at >= ECHOLUX_LIVE_PAGE && at <= bytes && length <= bytes - at;
    };
    if (!isInside(header.description_at, header.description_bytes) ||
        header.description_bytes > kMostDescription)
        throw layoutError(name, "its description lies outside");
    if (header.slot_count < 2) throw layoutError(name, "it has fewer than two slots");
    const bool slotFits = header.slot_bytes % 64 == 0 && header.slots_at % 64 == 0 &&
                          header.slot_bytes >= ECHOLUX_LIVE_SLOT_HEADER && header.frame_bytes > 0 &&
                          header.frame_bytes <= header.slot_bytes - ECHOLUX_LIVE_SLOT_HEADER;
    if (!slotFits) throw layoutError(name, "a frame does not fit into a slot");
    if (header.frame_bytes > kMostFrame) throw layoutError(name, "a frame has more than 4 GiB");
    const bool allFit = header.slots_at >= ECHOLUX_LIVE_PAGE && header.slots_at <= bytes &&
                        header.slot_count <= (bytes - header.slots_at) / header.slot_bytes;
    if (!allFit) throw layoutError(name, "its slots lie outside");
}

/// Throws where the description does not fit a frame.
RecordingInfo checkedDescription(std::span<const std::byte> description,
                                 std::span<const std::byte> frame, const std::string& name) {
    RecordingInfo info;
    try {
        info = describedFrame(description, frame);
    } catch (const Error& error) {
        throw layoutError(name,
                          fmt::format("its description does not fit a frame ({})", error.what()));
    }
    if (info.frame.bytes() != frame.size())
        throw layoutError(name, fmt::format("a frame has {} bytes, and its description says {}",
                                            frame.size(), info.frame.bytes()));
    return info;
}

std::shared_ptr<const Pose> poseIn(const echolux_live_slot& slot) {
    FramePlace place;
    std::ranges::copy(slot.position, place.position.begin());
    std::ranges::copy(slot.rotation, place.rotation.begin());
    return poseAt(place, "tracker");
}

} // namespace

std::unique_ptr<SharedFrames> SharedFrames::attach(const std::string& name) {
    const int file = ::shm_open(sharedName(name).c_str(), O_RDWR | O_CLOEXEC, 0);
    if (file < 0) {
        if (errno == ENOENT) return nullptr;
        throw layoutError(name, std::strerror(errno));
    }
    struct stat facts {};
    ::fstat(file, &facts);
    const auto bytes = static_cast<std::size_t>(facts.st_size);
    if (bytes < ECHOLUX_LIVE_PAGE) { // the writer may be about to make it
        ::close(file);
        return nullptr;
    }
    std::unique_ptr<SharedFrames> frames(new SharedFrames(file, bytes));
    if (frames->m_memory.start() == nullptr) return nullptr;
    frames->m_generation = frames->generation();
    const echolux_live_header header =
        headerOf(frames->m_memory); // a copy that the writer cannot change
    if (header.generation == 0 || header.generation % 2 == 1 || frames->isLaidOutAnew() ||
        !frames->isWhole())
        return nullptr;
    checkLayout(name, header, bytes);
    const auto* description =
        static_cast<const std::byte*>(frames->m_memory.start()) + header.description_at;
    frames->m_layout = {header.slots_at,
                        header.slot_count,
                        header.slot_bytes,
                        header.frame_bytes,
                        {description, description + header.description_bytes}};
    if (frames->isLaidOutAnew() || !frames->isWhole()) return nullptr; // while it was read
    return frames;
}

std::uint64_t SharedFrames::generation() const {
    return __atomic_load_n(&headerOf(m_memory).generation, __ATOMIC_ACQUIRE);
}

bool SharedFrames::isLaidOutAnew() const {
    __atomic_thread_fence(__ATOMIC_SEQ_CST); // what was read before belongs to the generation
    return isWhole() && generation() != m_generation;
}

SharedFrames::~SharedFrames() {
    if (isWhole())
        __atomic_store_n(&headerOf(m_memory).reader_time_ns, std::uint64_t{0}, __ATOMIC_RELAXED);
    ::close(m_file);
}

bool SharedFrames::isWhole() const {
    struct stat facts {};
    return m_memory.start() != nullptr && !m_memory.isTorn() && ::fstat(m_file, &facts) == 0 &&
           static_cast<std::size_t>(facts.st_size) >= m_memory.bytes();
}

std::uint64_t SharedFrames::published() const {
    return isWhole() ? __atomic_load_n(&headerOf(m_memory).published, __ATOMIC_ACQUIRE) : 0;
}

bool SharedFrames::hasEnded() const {
    return !isWhole() ||
           __atomic_load_n(&headerOf(m_memory).state, __ATOMIC_ACQUIRE) == ECHOLUX_LIVE_ENDED;
}

bool SharedFrames::isReplaced(const std::string& name) const {
    if (m_memory.isTorn()) return true;
    struct stat own {};
    struct stat named {};
    const int file = ::shm_open(sharedName(name).c_str(), O_RDONLY | O_CLOEXEC, 0);
    if (file < 0) return false;
    const bool differ = ::fstat(m_file, &own) == 0 && ::fstat(file, &named) == 0 &&
                        (own.st_ino != named.st_ino || own.st_dev != named.st_dev);
    ::close(file);
    return differ;
}

std::uint64_t SharedFrames::writerPid() const {
    return isWhole() ? headerOf(m_memory).writer_pid : 0;
}

bool SharedFrames::awaitChange(std::uint64_t known, int milliseconds) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    const std::uint32_t& word = headerOf(m_memory).signal;
    while (isWhole()) {
        const std::uint32_t signal = __atomic_load_n(&word, __ATOMIC_ACQUIRE);
        const std::uint64_t now = published(); // fewer: the writer counts anew
        if ((now != known && now > 0) || isLaidOutAnew()) return true;
        if (hasEnded() || std::chrono::steady_clock::now() >= end) return false;
        // Writers without futex are noticed within this time.
        const timespec most{0, 2'000'000};
        ::syscall(SYS_futex, &word, FUTEX_WAIT, signal, &most, nullptr, 0);
    }
    return false;
}

SharedFrames::Taken SharedFrames::take(std::uint64_t number, std::span<std::byte> out,
                                       FrameStamp& stamp) const {
    if (!isWhole()) return Taken::Nothing;
    const std::size_t at = m_layout.slotsAt + number % m_layout.slotCount * m_layout.slotBytes;
    const auto* start = static_cast<const std::byte*>(m_memory.start()) + at;
    const auto& slot = *reinterpret_cast<const echolux_live_slot*>(start);
    const std::uint64_t complete = 2 * number + 2;
    if (__atomic_load_n(&slot.sequence, __ATOMIC_ACQUIRE) != complete)
        return isLaidOutAnew() ? Taken::LaidOutAnew : Taken::Overwritten;
    stamp.number = slot.number;
    stamp.deviceNs = slot.time_ns;
    stamp.pose = slot.placed == 1 ? poseIn(slot) : nullptr;
    const std::uint64_t bytes = slot.bytes;
    if (bytes == out.size()) {
        const std::byte* samples = start + ECHOLUX_LIVE_SLOT_HEADER;
        const std::size_t parts = (out.size() + kCopyPart - 1) / kCopyPart;
        tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t part) {
            const std::size_t from = part * kCopyPart;
            std::memcpy(out.data() + from, samples + from, std::min(kCopyPart, out.size() - from));
        });
    }
    __atomic_thread_fence(__ATOMIC_SEQ_CST); // the samples were read before this
    if (!isWhole()) return Taken::Nothing;   // zeros may have been copied
    if (isLaidOutAnew()) return Taken::LaidOutAnew;
    if (__atomic_load_n(&slot.sequence, __ATOMIC_RELAXED) != complete) return Taken::Overwritten;
    return bytes == out.size() ? Taken::Frame : Taken::Malformed;
}

void SharedFrames::tell(std::uint64_t number) const {
    if (!isWhole()) return;
    echolux_live_header& to = headerOf(m_memory);
    to.reader_pid = static_cast<std::uint64_t>(::getpid());
    __atomic_store_n(&to.reader_time_ns, echolux_live_now(), __ATOMIC_RELAXED);
    __atomic_store_n(&to.taken, number, __ATOMIC_RELEASE);
}

SharedSource::SharedSource(const std::string& name, const std::string& address, double patienceS,
                           const std::stop_token& stop)
    : m_name(name) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(patienceS);
    std::vector<std::byte> frame;
    FrameStamp stamp;
    for (;;) {
        if (m_frames && m_frames->isLaidOutAnew()) m_frames = nullptr;
        if (!m_frames) m_frames = SharedFrames::attach(name);
        if (m_frames && m_frames->awaitChange(0, 100)) {
            frame.resize(m_frames->layout().frameBytes);
            const std::uint64_t newest = m_frames->published() - 1;
            m_frames->tell(newest); // a writer that waits for its reader waits from here on
            const auto taken = m_frames->take(newest, frame, stamp);
            if (taken == SharedFrames::Taken::Frame) {
                m_next = newest;
                break;
            }
        } else if (m_frames && m_frames->isReplaced(name)) {
            m_frames = nullptr;
        }
        const bool over =
            stop.stop_possible() ? stop.stop_requested() : std::chrono::steady_clock::now() >= end;
        if (over)
            throw Error(fmt::format(
                "Shared memory '{}': {} within {:.3g} s; start the program that writes it, then "
                "open it again.",
                name, m_frames ? "no frame came" : "nobody made it", patienceS));
        if (!m_frames) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    m_info = checkedDescription(m_frames->layout().description, frame, name);
    m_info.path = address;
    m_info.format = fmt::format("Shared memory of process {}", m_frames->writerPid());
}

LiveSource::Outcome SharedSource::next(std::span<std::byte> out, FrameStamp& stamp,
                                       const std::stop_token& /*stop*/) {
    m_frames->tell(m_next);
    if (m_frames->awaitChange(m_next, 100)) return copy(out, stamp);
    if (m_frames->isReplaced(m_name)) return attachAgain();
    if (m_frames->hasEnded()) std::this_thread::sleep_for(kPause); // it was not waited for
    return Outcome::Nothing;
}

LiveSource::Outcome SharedSource::copy(std::span<std::byte> out, FrameStamp& stamp) {
    for (;;) {
        const std::uint64_t published = m_frames->published();
        const std::uint64_t slots = m_frames->layout().slotCount;
        const std::uint64_t next = published < m_next ? 0 : m_next; // 0: its writer counts anew
        const std::uint64_t gone = published > next + slots ? published - slots - next : 0;
        if (m_frames->isLaidOutAnew()) return attachAgain(); // the numbers mean nothing
        m_next = next + gone;
        m_gone += gone;
        if (m_next >= published) return Outcome::Nothing;
        const auto taken = m_frames->take(m_next++, out, stamp);
        m_frames->tell(m_next);
        switch (taken) {
        case SharedFrames::Taken::Frame:
            stamp.lostBefore = static_cast<std::int64_t>(m_gone);
            m_gone = 0;
            return Outcome::Frame;
        case SharedFrames::Taken::Malformed:
            m_reason = fmt::format("A frame came whose size is not {} bytes.", out.size());
            return Outcome::Malformed;
        case SharedFrames::Taken::LaidOutAnew: return attachAgain();
        case SharedFrames::Taken::Nothing: return Outcome::Nothing;
        case SharedFrames::Taken::Overwritten: ++m_gone; break;
        }
    }
}

/// Its writer has started again, or has laid its memory out anew.
LiveSource::Outcome SharedSource::attachAgain() {
    auto fresh = SharedFrames::attach(m_name);
    if (!fresh) { // not yet ready
        std::this_thread::sleep_for(kPause);
        return Outcome::Nothing;
    }
    if (fresh->layout() != m_frames->layout()) {
        m_reason = "Its writer has started again with another layout of frames.";
        return Outcome::Changed;
    }
    m_next = 0;
    m_frames = std::move(fresh); // the former one says that its reader has gone
    m_frames->tell(m_next);
    return Outcome::Nothing;
}

} // namespace echolux
