// SPDX-License-Identifier: GPL-3.0-or-later
// Reader processes: what comes through one is what a reader in this process gives, and neither a
// crash nor nonsense of one reaches this process.
#include "app/dataset/carried/carried_facts.hpp"
#include "app/dataset/container/container.hpp"
#include "app/dataset/guarded/open_here.hpp"
#include "app/dataset/guarded/reader_process.hpp"
#include "app/dataset/recording/headerless_data.hpp"
#include "tests/dataset/damage_attempts.hpp"
#include "tests/dataset/sample_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace echolux::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<std::filesystem::path> recordingsBelow(const char* folder) {
    std::vector<std::filesystem::path> files;
    const std::set<std::string> kinds{".h5",   ".hdf5", ".mat", ".uff", ".dcm",  ".nii",
                                      ".nrrd", ".mha",  ".tif", ".npz", ".tiff", ".gz"};
    for (const auto& each : std::filesystem::recursive_directory_iterator(
             std::filesystem::path(ECHOLUX_SOURCE_DIR) / folder))
        if (kinds.contains(each.path().extension().string())) files.push_back(each.path());
    std::ranges::sort(files);
    return files;
}

std::unique_ptr<Recording> openedHere(const std::filesystem::path& path) {
    try {
        return openHere(path, {});
    } catch (const Error&) {
        return nullptr;
    }
}

/// The last, the first and all between, which is in order.
std::vector<std::int64_t> framesOf(const Recording& recording) {
    const std::int64_t count = std::min<std::int64_t>(recording.info().frameCount, 12);
    std::vector<std::int64_t> frames{recording.info().frameCount - 1};
    for (std::int64_t i = 0; i < count; ++i) frames.push_back(i);
    return frames;
}

/// As FrameReader reads it.
std::vector<std::byte> samplesOf(Recording& recording, std::int64_t frame) {
    std::vector<std::byte> samples(recording.info().frame.bytes());
    const auto parts = recording.partsOf(frame);
    for (const FramePart& part : parts)
        part.read(std::span(samples).subspan(part.begin, part.bytes));
    if (parts.empty()) recording.readFrame(frame, samples);
    return samples;
}

class Guarded : public testing::Test {
    const ReadsThroughAProcess m_apart;
};

TEST_F(Guarded, RecordingsAreTheSameThroughAProcess) {
    int compared = 0;
    for (const char* folder : {"testdata", "tests/dataset/vectors"})
        for (const std::filesystem::path& path : recordingsBelow(folder)) {
            SCOPED_TRACE(path);
            const auto here = openedHere(path);
            if (!here) continue;
            const auto there = openRecording(path);
            EXPECT_EQ(wire::encoded(there->info()), wire::encoded(here->info()));
            for (const std::int64_t frame : framesOf(*here))
                ASSERT_EQ(samplesOf(*there, frame), samplesOf(*here, frame)) << frame;
            const auto stamps = stampsOf(*here, 0, here->info().frameCount);
            EXPECT_EQ(wire::encoded(stampsOf(*there, 0, here->info().frameCount)),
                      wire::encoded(stamps));
            ++compared;
        }
    EXPECT_GE(compared, 30);
}

/// In either byte order.
TEST_F(Guarded, PlainFilesAreReadAtTheirPlaces) {
    const TemporaryFolder folder;
    const std::vector<std::int16_t> values = countedUp<std::int16_t>(40 * 4 * 32);
    writeFile(folder / "plain.raw", bytesOfValues(values));
    writeFile(folder / "swapped.raw", bytesOfValues(values, true));
    for (const auto& [name, type] :
         {std::pair("plain.raw", "<i2"), std::pair("swapped.raw", ">i2")}) {
        SCOPED_TRACE(name);
        writeFile(folder / (std::string(name) + ".toml"),
                  std::string("probe.pitch = 0.3e-3\ntransmit.angles_deg = [0]\n"
                              "signal = { sampling_frequency = 20e6, centre_frequency = 5e6 }\n"
                              "[data]\ndtype = \"") +
                      type +
                      "\"\nshape = [-1, 1, 4, 32]\naxes = [\"frame\", \"transmit\", \"channel\", "
                      "\"sample\"]\n");
        const auto recording = openRecording(folder / name);
        ASSERT_EQ(recording->info().frameCount, 40);
        EXPECT_FALSE(recording->partsOf(7).empty());
        for (const std::int64_t frame : {0, 1, 2, 39, 5, 6, 38}) {
            const auto samples = samplesOf(*recording, frame);
            EXPECT_EQ(std::memcmp(samples.data(), values.data() + frame * 128, 256), 0) << frame;
        }
    }
}

TEST_F(Guarded, RefusalsAndArraysComeThrough) {
    const TemporaryFolder folder;
    EXPECT_THAT(refusalOf(folder / "missing.mat"), HasSubstr("no such file"));
    writeFile(folder / "noise.bin", std::string(4096, '\3'));
    EXPECT_THROW(openRecording(folder / "noise.bin"), HeaderlessData);
    writeFile(folder / "array.npy",
              npyBytes(npyDictionary("<i2", "(3, 4)"), bytesOfValues(countedUp<std::int16_t>(12))));
    try {
        openRecording(folder / "array.npy");
        ADD_FAILURE() << "it opened";
    } catch (const UndescribedData& error) {
        EXPECT_THAT(error.reason(), HasSubstr("3 x 4"));
        EXPECT_THAT(error.what(), HasSubstr("array.npy.toml"));
    }
    const auto container = openContainer(std::make_shared<const InputFile>(folder / "array.npy"));
    ASSERT_NE(container, nullptr);
    EXPECT_THAT(container->list(), HasSubstr("3 x 4"));
    const auto array = container->open("");
    EXPECT_EQ(array->layout().shape, (std::vector<std::int64_t>{3, 4}));
    EXPECT_TRUE(array->canSlice(0));
    std::vector<std::byte> row(8);
    array->readSlice(0, 2, row);
    const std::vector<std::int16_t> expected{8, 9, 10, 11};
    EXPECT_EQ(std::memcmp(row.data(), expected.data(), row.size()), 0);
    EXPECT_EQ(readNumbers(folder / "array.npy", *array, "it"), countedUp<double>(12));
    EXPECT_EQ(openContainer(std::make_shared<const InputFile>(folder / "noise.bin")), nullptr);
}

std::string spectraNaming(const std::string& background) {
    return "[data]\ndtype = \"<u2\"\nshape = [-1, 3, 4]\naxes = [\"bscan\", \"lateral\", "
           "\"sample\"]\n[spectrometer]\nbackground = { file = \"" +
           background + "\" }\n";
}

TEST_F(Guarded, ASidecarMayNameFilesOneFolderUp) {
    const TemporaryFolder folder;
    for (const char* each : {"around/scans", "around/dark", "outside"})
        std::filesystem::create_directories(folder / each);
    const std::filesystem::path scan = folder / "around/scans/scan.raw";
    writeFile(scan, bytesOfValues(countedUp<std::uint16_t>(24)));
    for (const char* each : {"around/scans/dark.txt", "around/dark/dark.txt", "outside/dark.txt"})
        writeFile(folder / each, "1\n2\n3\n4\n");
    for (const char* named : {"dark.txt", "../dark/dark.txt"}) {
        writeFile(folder / "around/scans/scan.raw.toml", spectraNaming(named));
        const auto recording = openRecording(scan);
        EXPECT_EQ(recording->info().frame.spectrometer->background,
                  (std::vector<float>{1, 2, 3, 4}));
    }
    if (kSanitized || !hasLandlock()) GTEST_SKIP() << "nothing keeps a reader from other files";
    writeFile(folder / "around/scans/scan.raw.toml", spectraNaming("../../outside/dark.txt"));
    EXPECT_THAT(refusalOf(scan), AllOf(HasSubstr("dark.txt'"), HasSubstr("outside the folder")));
    // A link to there is a file elsewhere, too.
    std::filesystem::create_symlink(folder / "outside/dark.txt", folder / "around/dark/link.txt");
    writeFile(folder / "around/scans/scan.raw.toml", spectraNaming("../dark/link.txt"));
    EXPECT_THAT(refusalOf(scan), HasSubstr("outside the folder"));
}

/// Carried facts come from the process that has the recording open.
TEST_F(Guarded, CarriedFactsNeedNoOtherProcess) {
    const auto path =
        std::filesystem::path(ECHOLUX_SOURCE_DIR) / "tests/dataset/vectors" / "zea_told.hdf5";
    const auto recording = openRecording(path);
    const CarriedFacts expected = carriedFactsHere(recording->info());
    EXPECT_FALSE(expected.facts.empty());
    ::setenv("ECHOLUX_READER", "/nowhere", 1);
    const CarriedFacts carried = carriedFacts(*recording);
    ::unsetenv("ECHOLUX_READER");
    EXPECT_EQ(wire::encoded(carried), wire::encoded(expected));
}

/// Stands in for echolux-reader.
class OtherReader {
public:
    explicit OtherReader(const std::string& script) {
        const std::filesystem::path program = m_folder / "reader";
        writeFile(program, "#!/bin/sh\n" + script + "\n");
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        ::setenv("ECHOLUX_READER", program.c_str(), 1);
    }
    ~OtherReader() { ::unsetenv("ECHOLUX_READER"); }

private:
    TemporaryFolder m_folder;
};

std::string sentenceWith(const std::string& script, const Patience& patience = {}) {
    const OtherReader reader(script);
    try {
        ReaderProcess process("x.h5");
        process.ask<OpenedFacts>(patience, Ask::Open, std::filesystem::path("x.h5"), OpenOptions{});
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST_F(Guarded, CrashesHangsAndNonsenseAreSentences) {
    EXPECT_THAT(sentenceWith("kill -SEGV $$"),
                AllOf(HasSubstr("'x.h5': its reader crashed (Segmentation fault) while"),
                      HasSubstr("damaged, or made to do harm")));
    EXPECT_THAT(sentenceWith("kill -KILL $$"),
                AllOf(HasSubstr("its reader was killed"), HasSubstr("memory is exhausted")));
    EXPECT_THAT(sentenceWith("exit 3"), HasSubstr("ended too early"));
    EXPECT_THAT(sentenceWith("sleep 100", {.processorSeconds = 60.0, .seconds = 0.1}),
                HasSubstr("its reader took more than 0 s while"));
    EXPECT_THAT(sentenceWith("while :; do :; done", {.processorSeconds = 0.1, .seconds = 60.0}),
                HasSubstr("took more than 0 s of processor time"));
    // Who did what, as the process told.
    EXPECT_THAT(
        sentenceWith("printf '\\001\\004\\0\\0\\0\\0\\0\\0\\013' >/proc/self/fd/4; kill -ABRT $$"),
        HasSubstr("HDF5 crashed (Aborted) while reading frame 12 of it"));
    EXPECT_THAT(sentenceWith("head -c 99 /dev/zero | tr '\\0' '\\377' >/proc/self/fd/4; exit 1"),
                HasSubstr("its reader ended too early while opening it"));
    // An answer of no bytes, one that is announced to be huge, and a wrong one.
    EXPECT_THAT(sentenceWith("head -c 8 /dev/zero >&3; sleep 100"), HasSubstr("cannot be"));
    EXPECT_THAT(sentenceWith("head -c 8 /dev/zero | tr '\\0' '\\377' >&3; sleep 100"),
                HasSubstr("cannot be"));
    EXPECT_THAT(sentenceWith("printf '\\020\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0AAAAAAAAAAAA' >&3; "
                             "sleep 100"),
                HasSubstr("cannot be"));
}

TEST_F(Guarded, FactsThatAreCutOrChangedAreGarbledOrFacts) {
    const auto path = std::filesystem::path(ECHOLUX_SOURCE_DIR) / "testdata/sector.h5";
    const std::string whole = wire::encoded(openHere(path, {})->info());
    const std::size_t step = std::max<std::size_t>(whole.size() / 500, 1);
    for (std::size_t bytes = 0; bytes < whole.size(); bytes += step)
        EXPECT_THROW(wire::decoded<RecordingInfo>(std::string_view(whole).substr(0, bytes)),
                     wire::Garbled);
    EXPECT_THROW(wire::decoded<RecordingInfo>(whole + "x"), wire::Garbled);
    std::mt19937 random(7);
    int garbled = 0;
    for (int i = 0; i < 2000; ++i) {
        std::string changed = whole;
        for (int flips = 0; flips < 3; ++flips)
            changed[random() % changed.size()] = static_cast<char>(random());
        try {
            wire::decoded<RecordingInfo>(changed);
        } catch (const wire::Garbled&) {
            ++garbled;
        }
    }
    EXPECT_GT(garbled, 0);
}

/// HDF5 files of known flaws of its library, and fuzzed ones: they opened by a signal.
TEST_F(Guarded, PublicHostileHdf5FilesEndNoProcess) {
    const std::filesystem::path folder =
        std::filesystem::path(ECHOLUX_SHARED_DATA) / "formats/hdf5_cve";
    if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << "no hostile files in " << folder;
    int files = 0;
    int crashes = 0;
    for (const auto& each : std::filesystem::directory_iterator(folder)) {
        SCOPED_TRACE(each.path());
        if (!each.is_regular_file()) continue;
        ++files;
        const std::string said = refusalOf(each.path());
        crashes += said.find(" crashed (") != std::string::npos ? 1 : 0;
        EXPECT_FALSE(ourReaderEnded(said)) << said;
        try {
            const auto container = openContainer(std::make_shared<const InputFile>(each.path()));
            for (const std::string& name :
                 container ? container->names() : std::vector<std::string>()) {
                const auto array = container->open(name);
                if (array->layout().bytes() > kMostLooked) continue;
                std::vector<std::byte> values(array->layout().bytes());
                array->read(values);
            }
        } catch (const Error&) { // NOLINT: a sentence is right
        }
    }
    EXPECT_GE(files, 100);
    std::printf("%d of %d files made HDF5 crash\n", crashes, files);
}

} // namespace
} // namespace echolux::test
