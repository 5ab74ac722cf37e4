// SPDX-License-Identifier: GPL-3.0-or-later
// Reader processes that answer what cannot be: each is ended with a sentence.
#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/container/container.hpp"
#include "app/dataset/guarded/open_here.hpp"
#include "app/dataset/recording/aberration_truth.hpp"
#include "tests/dataset/read_by.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include <sys/socket.h>

namespace echolux::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Answers as echolux-reader does, but for what `other` answers.
using Answers = std::function<std::optional<std::string>(Ask, wire::Reader&)>;

class FakeReader {
public:
    explicit FakeReader(RecordingInfo info, Answers other = {}, bool stamped = false,
                        Reply reply = Reply::Done)
        : m_readBy([=](int socket, int) { serve(socket, info, other, stamped, reply); }) {}

private:
    static bool take(int socket, void* to, std::size_t bytes) {
        return ::recv(socket, to, bytes, MSG_WAITALL) == static_cast<ssize_t>(bytes);
    }
    static void serve(int socket, const RecordingInfo& info, const Answers& other, bool stamped,
                      Reply reply) {
        std::uint64_t bytes = 0;
        while (take(socket, &bytes, sizeof bytes)) {
            std::string question(bytes, '\0');
            take(socket, question.data(), bytes);
            wire::Reader reader(question);
            const auto kind = reader.take<Ask>();
            std::optional<std::string> answer;
            if (other) answer = other(kind, reader);
            if (!answer && kind == Ask::Open) answer = wire::encoded(OpenedFacts{info, stamped});
            if (!answer && kind == Ask::Places) answer = wire::encoded(FramePlaces{});
            if (!answer && kind == Ask::Carried) answer = wire::encoded(CarriedFacts{});
            if (!answer && kind == Ask::Container)
                answer = wire::encoded(
                    std::optional(ContainerFacts{.list = "'a'", .names = {"a"}, .frameRateHz = 0}));
            const std::string sent = wire::encoded(reply) + answer.value_or("");
            const std::uint64_t length = sent.size();
            ::send(socket, &length, sizeof length, MSG_NOSIGNAL);
            ::send(socket, sent.data(), sent.size(), MSG_NOSIGNAL);
        }
    }

    ReadBy m_readBy;
};

constexpr const char* kNonsense = "tells what cannot be";

class FakeReaders : public Processes {};

TEST_F(FakeReaders, FactsThatCannotBeAreRefused) {
    const TemporaryFolder folder;
    const auto path = stamped(folder);
    const RecordingInfo sound = openHere(path, {})->info();
    const auto opened = [&](RecordingInfo info, const OpenOptions& options = {}) {
        const FakeReader fake(std::move(info));
        return saidBy([&] { openRecording(path, options); });
    };
    EXPECT_THAT(opened(sound), IsEmpty());
    RecordingInfo screened = sound;
    screened.aberration = std::make_shared<const AberrationTruth>(AberrationTruth{{0, 0, 0}, {}});
    EXPECT_THAT(opened(screened), IsEmpty());
    screened.aberration = std::make_shared<const AberrationTruth>(AberrationTruth{{0, 0}, {}});
    EXPECT_THAT(opened(screened), HasSubstr(kNonsense));
    screened.frame = spectraSpec(DType::U16, 3, 16);
    EXPECT_THAT(opened(screened), HasSubstr(kNonsense));
    EXPECT_THAT(opened(sound, {.track = 1}), HasSubstr(kNonsense));
    RecordingInfo nothing = sound;
    nothing.frameCount = 0;
    EXPECT_THAT(opened(nothing), HasSubstr(kNonsense));
    const FakeReader full(
        sound,
        [](Ask, wire::Reader&) { return wire::encoded(std::string("It needs more memory.")); },
        false, Reply::NoMemory);
    EXPECT_THROW(openRecording(path), OutOfMemory);
}

TEST_F(FakeReaders, StampsThatAreTooManyAreRefused) {
    const TemporaryFolder folder;
    const auto path = stamped(folder);
    const RecordingInfo info = openHere(path, {})->info();
    for (const std::size_t count : {0, 3, 4}) {
        const FakeReader fake(
            info,
            [=](Ask kind, wire::Reader&) -> std::optional<std::string> {
                if (kind != Ask::Stamps) return std::nullopt;
                return wire::encoded(std::vector<FrameStamp>(count));
            },
            true);
        const auto recording = openRecording(path);
        const std::string said = saidBy([&] { stampsOf(*recording, 0, 3); });
        EXPECT_EQ(said.find(kNonsense) != std::string::npos, count == 4) << said;
        if (count < 4) continue;
        EXPECT_EQ(saidBy([&] { stampsOf(*recording, 0, 3); }), said) << "from then on";
    }
}

TEST_F(FakeReaders, CarriedFactsThatCannotBeAreRefused) {
    const TemporaryFolder folder;
    const auto path = folder / "zea_told.hdf5";
    std::filesystem::copy_file(
        std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors/zea_told.hdf5", path);
    const RecordingInfo info = openHere(path, {})->info();
    const ArrayLayout two{{.kind = ElementType::Kind::Unsigned, .bytes = 1}, {2}, false};
    const ArrayLayout one{two.type, {}, false};
    const std::vector<std::byte> numbers(2);
    const auto carried = [&](const CarriedFact& fact) {
        const FakeReader fake(info, [=](Ask kind, wire::Reader&) -> std::optional<std::string> {
            if (kind != Ask::Carried) return std::nullopt;
            return wire::encoded(CarriedFacts{.family = "zea", .facts = {fact}});
        });
        const auto recording = openRecording(path);
        return saidBy([&] { carriedFacts(*recording); });
    };
    EXPECT_THAT(carried({.name = "n", .layout = two, .numbers = numbers}), IsEmpty());
    EXPECT_THAT(carried({.name = "n", .layout = two, .texts = {"a", "b"}}), IsEmpty());
    for (const CarriedFact& wrong :
         {CarriedFact{.name = "n", .layout = one, .numbers = {std::byte{1}}, .perFrame = true},
          CarriedFact{.name = "n", .layout = one, .numbers = numbers},
          CarriedFact{.name = "n", .layout = two, .texts = {"a"}},
          CarriedFact{.name = "n", .layout = two, .numbers = numbers, .texts = {"a", "b"}}})
        EXPECT_THAT(carried(wrong), HasSubstr(kNonsense));
}

TEST_F(FakeReaders, ArraysThatCannotBeAreRefused) {
    const TemporaryFolder folder;
    const auto path = arrayIn(folder);
    const auto read = [&](std::vector<std::uint8_t> slices, std::size_t bytes) {
        const FakeReader fake({}, [=](Ask kind, wire::Reader&) -> std::optional<std::string> {
            const ArrayLayout layout{{.kind = ElementType::Kind::Unsigned, .bytes = 1}, {3}, false};
            if (kind == Ask::Array) return wire::encoded(ArrayFacts{0, layout, slices});
            if (kind == Ask::Values) return wire::encoded(std::vector<std::byte>(bytes));
            return std::nullopt;
        });
        const auto container = openContainer(std::make_shared<const InputFile>(path));
        return saidBy([&] {
            std::vector<std::byte> all(3);
            container->open("a")->read(all);
        });
    };
    EXPECT_THAT(read({1}, 3), IsEmpty());
    EXPECT_THAT(read({}, 3), HasSubstr(kNonsense));
    EXPECT_THAT(read({1}, 4), HasSubstr(kNonsense));
}

/// A place is believed where it is in one file beside the recording, in one order of bytes.
TEST_F(FakeReaders, PlacesOfFramesAreBelievedBesideTheRecording) {
    const TemporaryFolder folder;
    const auto path = stamped(folder);
    writeFile(folder / "other.raw", "x");
    RecordingInfo info = openHere(path, {})->info();
    info.frameCount = 200'000;
    using Place = std::function<FramePlaces(std::int64_t first, std::size_t count)>;
    const auto partsOf = [&](const Place& place, std::initializer_list<std::int64_t> frames) {
        const FakeReader fake(
            info, [=](Ask kind, wire::Reader& question) -> std::optional<std::string> {
                if (kind != Ask::Places) return std::nullopt;
                const auto first = question.take<std::int64_t>();
                const auto count = question.take<std::int64_t>();
                return wire::encoded(place(first, static_cast<std::size_t>(count)));
            });
        const auto recording = openRecording(path);
        std::string found;
        for (const std::int64_t frame : frames) {
            found += recording->partsOf(frame).empty() ? '-' : '+';
            recording->foresee(frame);
        }
        return found;
    };
    const auto all = [&](std::int64_t, std::size_t count) {
        return FramePlaces{path, std::vector<std::uint64_t>(count), 1};
    };
    EXPECT_EQ(partsOf(all, {0, 1, 5000, 0, 199'999, -1, 200'000}), "+++++--");
    EXPECT_EQ(partsOf(all, {0, 4096, 8192, 12288, 16384, 20480, 24576, 28672, 32768, 36864, 40960,
                            45056, 49152, 53248, 57344, 61440, 65536, 69632, 0}),
              "+++++++++++++++++++");
    EXPECT_EQ(partsOf(
                  [&](std::int64_t, std::size_t count) {
                      return FramePlaces{
                          path, std::vector<std::uint64_t>(count, FramePlaces::kElsewhere), 1};
                  },
                  {0, 1}),
              "--");
    EXPECT_EQ(partsOf(
                  [&](std::int64_t, std::size_t) {
                      return FramePlaces{path, {0}, 1};
                  },
                  {0, 1}),
              "--");
    EXPECT_EQ(partsOf(
                  [&](std::int64_t, std::size_t count) {
                      return FramePlaces{"/etc/passwd", std::vector<std::uint64_t>(count), 1};
                  },
                  {0, 1}),
              "--");
    EXPECT_EQ(partsOf(
                  [&](std::int64_t first, std::size_t count) {
                      return FramePlaces{first == 0 ? path : folder / "other.raw",
                                         std::vector<std::uint64_t>(count), 1};
                  },
                  {0, 5000, 1}),
              "+--");
    EXPECT_EQ(partsOf(
                  [&](std::int64_t first, std::size_t count) {
                      return FramePlaces{path, std::vector<std::uint64_t>(count),
                                         first == 0 ? std::uint8_t{1} : std::uint8_t{2}};
                  },
                  {0, 5000, 1}),
              "+--");
}

TEST_F(FakeReaders, QuestionsOutOfTurnAreRefused) {
    const TemporaryFolder folder;
    const auto path = stamped(folder);
    EXPECT_THAT(saidBy([&] { ReaderProcess(path).ask<bool>({}, Ask::Has, std::string("a")); }),
                HasSubstr("bytes that are no message"));
    EXPECT_THAT(saidBy([&] {
                    ReaderProcess(path).ask<std::vector<FrameStamp>>(
                        {}, Ask::Stamps, std::int64_t{0}, std::int64_t{1});
                }),
                HasSubstr("bytes that are no message"));
}

} // namespace
} // namespace echolux::test
