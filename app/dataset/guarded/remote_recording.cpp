// SPDX-License-Identifier: GPL-3.0-or-later
// Frames that lie in the file as they are delivered, but for the order of bytes, are read here, by
// their places alone: nothing of them is parsed. Others come through shared memory; while one is
// used, the next ones are read.
#include "app/dataset/guarded/remote_recording.hpp"

#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/frames/fact_check.hpp"
#include "app/dataset/guarded/reader_process.hpp"
#include "app/dataset/recording/file_read.hpp"
#include "app/dataset/recording/printable.hpp"
#include "app/dataset/sidecar/sidecar.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>

namespace echolux {

namespace {

bool isSound(const std::filesystem::path& path, const CarriedFact& fact) {
    fact.layout.check(path, fact.name);
    const auto count = static_cast<std::uint64_t>(fact.layout.count());
    if (fact.perFrame && fact.layout.shape.empty()) return false;
    return fact.texts.empty() ? fact.layout.bytes() == fact.numbers.size()
                              : fact.numbers.empty() && fact.texts.size() == count;
}

class RemoteRecording final : public Recording, public StampedFrames, public CarryingFile {
public:
    RemoteRecording(const std::filesystem::path& path, const OpenOptions& options)
        : m_process(path), m_patience(Patience::forBytes(bytesOf(path))) {
        auto opened = m_process.ask<OpenedFacts>(m_patience, Ask::Open, path, options,
                                                 filesOfSidecar(path, options.sidecar));
        m_info = std::move(opened.info);
        m_stamped = opened.stamped;
        m_info.path = path;
        makePrintable();
        check(options);
        m_patience = Patience::forBytes(m_info.frame.bytes());
    }

    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        checkFrameRequest(m_info, index, out.size());
        const std::scoped_lock lock(m_mutex);
        if (const auto offset = placeOf(index))
            return FileRead{m_data.get(), *offset, m_turned}(out);
        if (m_slots.empty()) makeRoom();
        const bool inOrder = index == m_last + 1;
        m_last = index;
        Slot& slot = request(index);
        if (inOrder)
            for (std::int64_t next = index + 1;
                 next < index + static_cast<std::int64_t>(m_slots.size()) &&
                 next < m_info.frameCount;
                 ++next)
                if (!placeOf(next)) request(next);
        wait(slot);
        copy(slot, out);
    }

    std::vector<FramePart> partsOf(std::int64_t index) const override {
        const std::scoped_lock lock(m_mutex);
        const auto offset = placeOf(index);
        if (!offset) return {};
        return partsOfFile(*m_data, *offset, m_info.frame.bytes(), m_turned);
    }

    void foresee(std::int64_t index) const override {
        const std::scoped_lock lock(m_mutex);
        try {
            if (const auto offset = placeOf(index)) m_data->foresee(*offset, m_info.frame.bytes());
        } catch (const Error&) { // NOLINT: reading it will tell
        }
    }

    std::vector<FrameStamp> stamps(std::int64_t first, std::int64_t count) const override {
        if (!m_stamped) return {};
        const std::scoped_lock lock(m_mutex);
        auto stamps = m_process.ask<std::vector<FrameStamp>>(m_patience, Ask::Stamps, first, count);
        if (std::cmp_not_equal(stamps.size(), count) && !stamps.empty())
            m_process.failWith(ReaderProcess::kNonsense);
        return stamps;
    }

    CarriedFacts carried() const override {
        const std::scoped_lock lock(m_mutex);
        auto carried = m_process.ask<CarriedFacts>(Patience::forBytes(kMostLooked), Ask::Carried);
        for (const CarriedFact& fact : carried.facts)
            if (!isSound(m_info.path, fact)) m_process.failWith(ReaderProcess::kNonsense);
        return carried;
    }

private:
    /// A frame in the shared memory, or on its way there.
    struct Slot {
        std::int64_t frame = -1;
        std::optional<std::uint64_t> ticket = {}; ///< of the answer that has not been looked at
        const std::byte* samples = nullptr;
    };

    static std::uint64_t bytesOf(const std::filesystem::path& path) {
        std::error_code none;
        const auto bytes = std::filesystem::file_size(path, none);
        return none ? 0 : bytes;
    }

    void makePrintable() {
        m_info.format = printable(m_info.format);
        for (auto* texts : {&m_info.warnings, &m_info.tracks})
            for (std::string& text : *texts) text = printable(text);
        for (auto& [name, text] : m_info.notes) {
            name = printable(name);
            text = printable(text);
        }
    }

    /// The process may have been taken over by what it parsed.
    void check(const OpenOptions& options) {
        try {
            const std::size_t warnings = m_info.warnings.size();
            checkFacts(m_info);
            if (m_info.uncalibrated) {
                RecordingInfo before = m_info;
                before.frame.spectrometer = m_info.uncalibrated;
                checkFacts(before);
            }
            m_info.warnings.resize(std::min(warnings, m_info.warnings.size()));
        } catch (const Error&) {
            m_process.failWith(ReaderProcess::kNonsense);
        }
        if (m_info.aberration &&
            (!m_info.frame.acquisition ||
             contradictionIn(*m_info.aberration, m_info.frame.acquisition->probe.elements.size())))
            m_process.failWith(ReaderProcess::kNonsense);
        if (options.track.value_or(m_info.track) != m_info.track)
            m_process.failWith(ReaderProcess::kNonsense);
    }

    void makeRoom() {
        constexpr std::size_t kRoomBytes = std::size_t{64} << 20U;
        constexpr std::size_t kMostSlots = 8;
        const std::size_t bytes = m_info.frame.bytes();
        const std::size_t slots = std::clamp<std::size_t>(kRoomBytes / bytes, 2, kMostSlots);
        const std::byte* room = m_process.share(slots * bytes);
        m_process.answer(m_process.send(wire::encoded(Ask::Room, static_cast<std::uint64_t>(slots),
                                                      static_cast<std::uint64_t>(bytes))));
        m_slots.resize(slots);
        for (Slot& slot : m_slots) {
            slot.samples = room;
            room += bytes;
        }
    }

    /// Frame `index` in its slot, or on its way.
    Slot& request(std::int64_t index) {
        Slot& slot = m_slots[static_cast<std::size_t>(index) % m_slots.size()];
        if (slot.frame == index) return slot;
        if (slot.ticket) ignore(slot);
        slot.frame = index;
        slot.ticket = m_process.send(wire::encoded(
            Ask::Frame, index,
            static_cast<std::uint64_t>(static_cast<std::size_t>(index) % m_slots.size())));
        return slot;
    }

    void wait(Slot& slot) {
        if (!slot.ticket) return;
        const std::uint64_t ticket = *slot.ticket;
        slot.ticket.reset();
        try {
            m_process.answer(ticket, m_patience);
        } catch (...) {
            slot.frame = -1;
            throw;
        }
    }

    void ignore(Slot& slot) {
        try {
            wait(slot);
        } catch (const Error&) { // NOLINT: nobody wants this frame
        }
    }

    void copy(const Slot& slot, std::span<std::byte> out) const {
        constexpr std::size_t kPart = std::size_t{1} << 20U;
        const std::size_t parts = (out.size() + kPart - 1) / kPart;
        tbb::parallel_for(std::size_t{0}, parts, [&](std::size_t i) {
            std::memcpy(out.data() + i * kPart, slot.samples + i * kPart,
                        std::min(kPart, out.size() - i * kPart));
        });
    }

    /// Where the frame lies in m_data; empty where it must be read by the process.
    std::optional<std::uint64_t> placeOf(std::int64_t index) const {
        if (!m_mayBePlaced || index < 0 || index >= m_info.frameCount) return std::nullopt;
        const auto isKnown = [&] {
            return index >= m_firstPlace &&
                   index < m_firstPlace + static_cast<std::int64_t>(m_offsets.size());
        };
        if (!isKnown()) askPlaces(index);
        if (!isKnown()) return std::nullopt;
        const std::uint64_t offset = m_offsets[static_cast<std::size_t>(index - m_firstPlace)];
        return offset == FramePlaces::kElsewhere ? std::nullopt : std::optional(offset);
    }

    /// Learns the places of frames from `index` on. Frames that will be read soon follow those that
    /// are known, which then stay known.
    void askPlaces(std::int64_t index) const {
        constexpr std::size_t kBytesAtOnce = std::size_t{8} << 30U;
        constexpr std::size_t kMostKept = 65536;
        const auto atOnce = static_cast<std::int64_t>(
            std::clamp<std::size_t>(kBytesAtOnce / m_info.frame.bytes(), 16, 4096));
        const std::int64_t count = std::min(atOnce, m_info.frameCount - index);
        const auto places = m_process.ask<FramePlaces>(m_patience, Ask::Places, index, count);
        // NOTE: parts that were handed out refer to m_data.
        m_mayBePlaced = std::cmp_equal(places.offsets.size(), count) && isBeside(places.file) &&
                        (!m_data || (m_data->path() == places.file && m_turned == places.turned));
        if (!m_mayBePlaced) return;
        m_turned = places.turned;
        if (!m_data) m_data = std::make_unique<const InputFile>(places.file);
        if (index != m_firstPlace + static_cast<std::int64_t>(m_offsets.size()) ||
            m_offsets.size() > kMostKept) {
            m_offsets.clear();
            m_firstPlace = index;
        }
        m_offsets.insert(m_offsets.end(), places.offsets.begin(), places.offsets.end());
    }

    /// Only files that belong to the recording are read here.
    bool isBeside(const std::filesystem::path& file) const {
        std::error_code none;
        const auto folder = std::filesystem::weakly_canonical(m_info.path, none).parent_path();
        const auto inFolder = std::filesystem::weakly_canonical(file, none);
        return std::ranges::mismatch(folder, inFolder).in1 == folder.end();
    }

    mutable std::mutex m_mutex;
    mutable ReaderProcess m_process;
    Patience m_patience;
    bool m_stamped = false;
    std::vector<Slot> m_slots;         ///< frame i is in slot i modulo their number
    std::int64_t m_last = -2;          ///< the frame that was read last
    mutable bool m_mayBePlaced = true; ///< frames may be in a file as they are delivered
    mutable std::int64_t m_firstPlace = 0;
    mutable std::vector<std::uint64_t> m_offsets; ///< of m_firstPlace and the frames after it
    mutable std::unique_ptr<const InputFile> m_data;
    mutable std::uint8_t m_turned = 1; ///< see FileRead
};

/// The process and its lock, shared by a container and its arrays.
struct RemoteFile {
    explicit RemoteFile(const std::filesystem::path& path)
        : process(path), patience(Patience::forBytes(kMostLooked)) {}
    template <class Answer, class... Values> Answer ask(Ask kind, Values... values) {
        const std::scoped_lock lock(mutex);
        return process.ask<Answer>(patience, kind, std::move(values)...);
    }
    std::mutex mutex;
    ReaderProcess process;
    Patience patience;
};

class RemoteArray final : public ArraySource {
public:
    RemoteArray(std::shared_ptr<RemoteFile> file, const std::string& name)
        : m_file(std::move(file)), m_facts(m_file->ask<ArrayFacts>(Ask::Array, name)) {
        m_layout = m_facts.layout;
        if (m_facts.slices.size() != m_layout.shape.size())
            m_file->process.failWith(ReaderProcess::kNonsense);
        m_layout.check(m_file->process.file(), name);
    }
    bool canSlice(std::size_t axis) const override { return m_facts.slices.at(axis) == 1; }
    void read(std::span<std::byte> out) override { take(-1, 0, out); }
    void readSlice(std::size_t axis, std::int64_t index, std::span<std::byte> out) override {
        take(static_cast<std::int64_t>(axis), index, out);
    }

private:
    void take(std::int64_t axis, std::int64_t index, std::span<std::byte> out) {
        const auto values =
            m_file->ask<std::vector<std::byte>>(Ask::Values, m_facts.number, axis, index);
        if (values.size() != out.size()) m_file->process.failWith(ReaderProcess::kNonsense);
        std::ranges::copy(values, out.begin());
    }

    std::shared_ptr<RemoteFile> m_file;
    ArrayFacts m_facts;
};

class RemoteContainer final : public ArrayContainer {
public:
    RemoteContainer(std::shared_ptr<RemoteFile> file, ContainerFacts facts)
        : m_file(std::move(file)), m_facts(std::move(facts)) {}
    bool has(const std::string& where) const override { return m_file->ask<bool>(Ask::Has, where); }
    std::unique_ptr<ArraySource> open(const std::string& where) override {
        return std::make_unique<RemoteArray>(m_file, where);
    }
    std::string list() const override { return m_facts.list; }
    std::vector<std::string> names() const override { return m_facts.names; }
    double frameRateHz() const override { return m_facts.frameRateHz; }

private:
    std::shared_ptr<RemoteFile> m_file;
    ContainerFacts m_facts;
};

} // namespace

std::unique_ptr<Recording> openRemotely(const std::filesystem::path& path,
                                        const OpenOptions& options) {
    return std::make_unique<RemoteRecording>(path, options);
}

std::shared_ptr<ArrayContainer> containerRemotely(const std::shared_ptr<const InputFile>& file) {
    auto remote = std::make_shared<RemoteFile>(file->path());
    auto facts = remote->ask<std::optional<ContainerFacts>>(Ask::Container, file->path());
    if (!facts) return nullptr;
    return std::make_shared<RemoteContainer>(std::move(remote), std::move(*facts));
}

} // namespace echolux
