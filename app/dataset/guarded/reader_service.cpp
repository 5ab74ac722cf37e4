// SPDX-License-Identifier: GPL-3.0-or-later
// Parses one file, without rights.
#include "app/dataset/guarded/reader_service.hpp"

#include "app/dataset/container/container.hpp"
#include "app/dataset/guarded/at_work.hpp"
#include "app/dataset/guarded/confinement.hpp"
#include "app/dataset/guarded/open_here.hpp"
#include "app/dataset/guarded/questions.hpp"
#include "app/dataset/guarded/reader_process.hpp"
#include "app/dataset/recording/file_read.hpp"
#include "app/dataset/recording/headerless_data.hpp"
#include "app/dataset/sidecar/sidecar.hpp"
#include "gpu/core/failure_text.hpp"

#include <fmt/format.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace echolux {

namespace {

/// False where the other end has closed.
bool readAll(int from, void* to, std::size_t bytes) {
    auto* at = static_cast<char*>(to);
    while (bytes > 0) {
        const ssize_t got = ::read(from, at, bytes);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        bytes -= static_cast<std::size_t>(got);
    }
    return true;
}

void writeAll(int to, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::write(to, bytes.data(), bytes.size());
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) ::_exit(0); // nobody asks any more
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

/// Ends this process where the other one has ended, also in the middle of work.
void watch(int socket) {
    std::thread([socket] {
        pollfd end{.fd = socket, .events = POLLRDHUP, .revents = 0};
        while (::poll(&end, 1, -1) < 1) {
        }
        ::_exit(0);
    }).detach();
}

/// Where a file holds the frame as it is delivered, but for the order of bytes.
std::optional<FileRead> placeOf(const std::vector<FramePart>& parts) {
    std::optional<FileRead> place;
    for (const FramePart& part : parts) {
        const FileRead* read = part.read.target<FileRead>();
        if (read == nullptr) return std::nullopt;
        if (!place) place = *read;
        if (read->file != place->file || read->offset != place->offset + part.begin ||
            read->turned != place->turned)
            return std::nullopt;
    }
    return place;
}

class ReaderService {
public:
    ReaderService(int socket, int memory)
        : m_socket(socket), m_memory(memory), m_atWork(AtWork::in(memory, true)) {
        if (m_atWork == nullptr) ::_exit(1);
        noteParsersAt(m_atWork->parser);
    }

    /// The answer to a question.
    std::string reply(std::string_view question) {
        try {
            wire::Reader reader(question);
            const auto kind = reader.take<Ask>();
            m_atWork->ask = static_cast<std::uint8_t>(kind);
            return wire::encoded(Reply::Done) + done(kind, reader);
        } catch (const HeaderlessData& error) {
            return wire::encoded(Reply::Headerless, std::string(error.what()));
        } catch (const UndescribedData& error) {
            return wire::encoded(Reply::Undescribed, std::string(error.what()), error.reason());
        } catch (const OutOfMemory& error) {
            return wire::encoded(Reply::NoMemory, std::string(error.what()));
        } catch (const std::bad_alloc&) {
            return refused(fileError(
                m_path, fmt::format("{} needs more than {} of memory, the limit for a file of its "
                                    "size, while {}; split the file, or save it again uncompressed",
                                    whoWorks(*m_atWork), memoryInWords(), doingOf(*m_atWork))));
        } catch (const Error& error) {
            return refused(error);
        } catch (const std::exception& error) {
            return refused(fileError(
                m_path, fmt::format("{} failed with '{}' while {}; {}", whoWorks(*m_atWork),
                                    reasonOf(error), doingOf(*m_atWork), ReaderProcess::kMadeSo)));
        }
    }

private:
    static std::string refused(const Error& error) {
        return wire::encoded(Reply::Refused, std::string(error.what()));
    }

    std::string done(Ask kind, wire::Reader& reader) {
        switch (kind) {
        case Ask::Open: return open(reader);
        case Ask::Carried: return wire::encoded(carriedFactsHere(recording().info()));
        case Ask::Container: return openContainerOf(reader.take<std::filesystem::path>());
        case Ask::Room: return makeRoom(reader);
        case Ask::Frame: return readToSlot(reader);
        case Ask::Places: return wire::encoded(places(reader));
        case Ask::Stamps: {
            const auto first = reader.take<std::int64_t>();
            return wire::encoded(stampsOf(recording(), first, reader.take<std::int64_t>()));
        }
        case Ask::Has: return wire::encoded(container().has(reader.take<std::string>()));
        case Ask::Array: return wire::encoded(openArray(reader.take<std::string>()));
        case Ask::Values: return wire::encoded(values(reader));
        }
        throw wire::Garbled();
    }

    /// Before anything of the file is parsed.
    void giveUpRights(const std::filesystem::path& path, const OpenOptions& options,
                      std::vector<std::filesystem::path> readable) {
        m_path = path;
        std::error_code none;
        std::vector<std::filesystem::path> files{path};
        for (const auto& each : {options.sidecar, options.calibration})
            if (each) files.push_back(*each);
        struct stat facts {};
        const bool known = ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
        const auto bytes = known ? static_cast<std::uint64_t>(facts.st_size) : 0;
        if (const auto kept = keptSidecarPath(path, bytes)) files.push_back(*kept);
        for (const std::filesystem::path& file : files)
            for (const auto& each : {std::filesystem::absolute(file, none),
                                     std::filesystem::weakly_canonical(file, none)})
                readable.push_back(each.parent_path());
        readable.emplace_back("/usr"); // dictionaries of libraries
        confine(readable, bytes);
        watch(m_socket);
    }

    std::string open(wire::Reader& reader) {
        const auto path = reader.take<std::filesystem::path>();
        const auto options = reader.take<OpenOptions>();
        giveUpRights(path, options, reader.take<std::vector<std::filesystem::path>>());
        m_recording = openHere(path, options);
        allowMemoryOfFrames();
        return wire::encoded(
            OpenedFacts{.info = m_recording->info(),
                        .stamped = dynamic_cast<StampedFrames*>(m_recording.get()) != nullptr});
    }

    std::string openContainerOf(const std::filesystem::path& path) {
        giveUpRights(path, {}, {});
        m_container = openContainerHere(std::make_shared<const InputFile>(path));
        allowMemoryOfFrames();
        std::optional<ContainerFacts> facts;
        if (m_container)
            facts = ContainerFacts{.list = m_container->list(),
                                   .names = m_container->names(),
                                   .frameRateHz = m_container->frameRateHz()};
        return wire::encoded(facts);
    }

    Recording& recording() const {
        if (!m_recording) throw wire::Garbled();
        return *m_recording;
    }
    ArrayContainer& container() const {
        if (!m_container) throw wire::Garbled();
        return *m_container;
    }

    std::string makeRoom(wire::Reader& reader) {
        const auto slots = reader.take<std::uint64_t>();
        m_slotBytes = reader.take<std::uint64_t>();
        void* at = ::mmap(nullptr, slots * m_slotBytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                          m_memory, AtWork::kBytes);
        if (at == MAP_FAILED) throw std::bad_alloc();
        m_slots = static_cast<std::byte*>(at);
        return {};
    }

    std::string readToSlot(wire::Reader& reader) {
        const auto index = reader.take<std::int64_t>();
        m_atWork->frame = index;
        const auto slot = reader.take<std::uint64_t>();
        const std::span frame(m_slots + slot * m_slotBytes, recording().info().frame.bytes());
        const std::vector<FramePart> parts = recording().partsOf(index);
        if (parts.empty()) recording().readFrame(index, frame);
        tbb::parallel_for(std::size_t{0}, parts.size(), [&](std::size_t i) {
            parts[i].read(frame.subspan(parts[i].begin, parts[i].bytes));
        });
        return {};
    }

    FramePlaces places(wire::Reader& reader) const {
        const auto first = reader.take<std::int64_t>();
        const auto count = reader.take<std::int64_t>();
        FramePlaces places;
        for (std::int64_t i = 0; i < count; ++i) {
            const auto place = placeOf(recording().partsOf(first + i));
            const bool elsewhere =
                !place || (!places.file.empty() &&
                           (place->file->path() != places.file || place->turned != places.turned));
            if (place && !elsewhere) {
                places.file = place->file->path();
                places.turned = place->turned;
            }
            places.offsets.push_back(elsewhere ? FramePlaces::kElsewhere : place->offset);
            // Every second frame may be: backward B-scans are turned.
            constexpr std::int64_t kTried = 2;
            if (i + 1 == kTried && places.file.empty()) return {};
        }
        if (places.file.empty()) return {};
        return places;
    }

    ArrayFacts openArray(const std::string& name) {
        m_arrays.push_back(container().open(name));
        const ArraySource& array = *m_arrays.back();
        ArrayFacts facts{.number = m_arrays.size() - 1, .layout = array.layout(), .slices = {}};
        for (std::size_t axis = 0; axis < array.layout().shape.size(); ++axis)
            facts.slices.push_back(array.canSlice(axis) ? 1 : 0);
        return facts;
    }

    std::vector<std::byte> values(wire::Reader& reader) {
        const auto number = reader.take<std::uint64_t>();
        const auto axis = reader.take<std::int64_t>();
        const auto index = reader.take<std::int64_t>();
        ArraySource& array = *m_arrays.at(number);
        std::uint64_t bytes = array.layout().bytes();
        if (axis >= 0)
            bytes /=
                static_cast<std::uint64_t>(array.layout().shape.at(static_cast<std::size_t>(axis)));
        checkLoadSize(m_path, "an array", bytes);
        std::vector<std::byte> values(bytes);
        if (axis < 0)
            array.read(values);
        else
            array.readSlice(static_cast<std::size_t>(axis), index, values);
        return values;
    }

    int m_socket;
    int m_memory;
    AtWork* m_atWork;
    std::filesystem::path m_path;
    std::unique_ptr<Recording> m_recording;
    std::shared_ptr<ArrayContainer> m_container;
    std::vector<std::unique_ptr<ArraySource>> m_arrays;
    std::byte* m_slots = nullptr;
    std::uint64_t m_slotBytes = 0;
};

} // namespace

int serveReader(int socket, int memory) {
    readHere();
    ::close_range(static_cast<unsigned>(std::max(socket, memory)) + 1, ~0U, 0);
    ReaderService service(socket, memory);
    std::uint64_t bytes = 0;
    while (readAll(socket, &bytes, sizeof bytes)) {
        std::string question(bytes, '\0');
        if (!readAll(socket, question.data(), bytes)) break;
        const std::string answer = service.reply(question);
        const std::uint64_t length = answer.size();
        writeAll(socket, {reinterpret_cast<const char*>(&length), sizeof length});
        writeAll(socket, answer);
    }
    ::_exit(0);
}

} // namespace echolux
