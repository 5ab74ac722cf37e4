// SPDX-License-Identifier: GPL-3.0-or-later
// Readers of plugins: which file they get, and what becomes of readers that fail.
#include "app/dataset/plugins/plugin_readers.hpp"
#include "app/dataset/recording/headerless_data.hpp"
#include "app/dataset/recording/recording.hpp"
#include "app/pipeline/plugins.hpp"
#include "gpu/stage/plugin.hpp"
#include "tests/plugins/sonix_sample.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace echolux {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::refusal;

/// NOTE: plugins stay loaded, so each test must bear what the others have loaded.
class PluginReaders : public testing::Test {
protected:
    PluginReaders() {
        setPluginTaker([](const PluginContents& contents, const std::string& plugin) {
            return takeReaders(contents.readers, plugin);
        });
    }
    fs::path saying(const std::string& word) const {
        std::ofstream(m_folder / "a.bin", std::ios::binary) << word << std::string(3, '\1');
        return m_folder / "a.bin";
    }
    static std::vector<std::int16_t> frameOf(Recording& recording, std::int64_t index) {
        std::vector<std::int16_t> samples(recording.info().frame.bytes() / 2);
        recording.readFrame(index, std::as_writable_bytes(std::span(samples)));
        return samples;
    }
    test::TemporaryFolder m_folder;
};

TEST_F(PluginReaders, OpenWhatNoBuiltInReaderKnows) {
    const fs::path path = m_folder / "a.rf";
    test::writeSonix(path, 2);
    EXPECT_THROW(openRecording(path), HeaderlessData);
    const Plugin plugin = allowPlugin(ECHOLUX_SONIX_PLUGIN);
    EXPECT_EQ(plugin.readers, 1U);
    EXPECT_THAT(plugin.stages, IsEmpty());
    const auto recording = openRecording(path);
    const RecordingInfo& info = recording->info();
    EXPECT_EQ(info.format, "Ultrasonix RF");
    EXPECT_EQ(info.path, path);
    EXPECT_EQ(info.frameCount, 2);
    EXPECT_EQ(info.frameRateHz, 25.0);
    EXPECT_EQ(info.frame.describe(), "i16 [depth 16][lateral 3]");
    EXPECT_DOUBLE_EQ(info.frame.axes[0].spacing, 1540.0 / 2.0 / 40e6);
    EXPECT_THAT(info.notes,
                Contains(testing::Pair(
                    "Read by", AllOf(HasSubstr("'sonix_rf'"), HasSubstr(ECHOLUX_SONIX_PLUGIN)))));
    for (int frame : {1, 0}) {
        const std::vector<std::int16_t> samples = frameOf(*recording, frame);
        for (int depth = 0; depth < test::kSonixSamples; ++depth)
            for (int line = 0; line < test::kSonixLines; ++line)
                EXPECT_EQ(samples[static_cast<std::size_t>(depth * test::kSonixLines + line)],
                          test::sonixSample(frame, line, depth));
    }
    EXPECT_THAT(refusal([&] { frameOf(*recording, 2); }), HasSubstr("frames 1 to 2"));
}

TEST_F(PluginReaders, SayWhatIsWrongWithAFile) {
    allowPlugin(ECHOLUX_SONIX_PLUGIN);
    const fs::path path = m_folder / "a.rf";
    test::writeSonix(path, 2);
    fs::resize_file(path, fs::file_size(path) - 1);
    EXPECT_THAT(refusal([&] { openRecording(path); }),
                AllOf(HasSubstr(path.string()), HasSubstr("'sonix_rf'"), HasSubstr("cut off")));
}

TEST_F(PluginReaders, ASidecarAndBuiltInReadersComeFirst) {
    allowPlugin(ECHOLUX_FAULTY_READERS_PLUGIN);
    allowPlugin(ECHOLUX_SONIX_PLUGIN);
    EXPECT_EQ(openRecording(ECHOLUX_SOURCE_DIR "/testdata/phantom_cine.echolux.h5")->info().format,
              "Echolux recording");
    const fs::path path = m_folder / "a.rf";
    test::writeSonix(path, 2);
    std::ofstream(m_folder / "a.rf.toml")
        << "sound_speed = 1500\n[data]\ndtype = \"<i2\"\nshape = [2, 3, 23]\n"
           "axes = [\"transmit\", \"channel\", \"sample\"]\n[probe]\npitch = 0.3e-3\n"
           "[signal]\nsampling_frequency = 20e6\ncentre_frequency = 5e6\n"
           "[transmit]\nangles_deg = [-10, 10]\n";
    EXPECT_EQ(openRecording(path)->info().frame.describe(),
              "i16 [transmit 2][channel 3][sample 23]");
}

TEST_F(PluginReaders, TheOneThatWasLoadedFirstOpensAndNamesTheOther) {
    allowPlugin(ECHOLUX_SONIX_PLUGIN);
    const fs::path path = m_folder / "a.rf";
    test::writeSonix(path, 1);
    allowPlugin(ECHOLUX_RIVAL_READER_PLUGIN);
    const auto recording = openRecording(path);
    EXPECT_EQ(recording->info().format, "Ultrasonix RF");
    EXPECT_THAT(recording->info().warnings,
                Contains(AllOf(HasSubstr("'sonix_rf'"), HasSubstr("'rival'"))));
}

TEST_F(PluginReaders, TwoDoNotShareAName) {
    allowPlugin(ECHOLUX_SONIX_PLUGIN);
    EXPECT_THAT(refusal([] { allowPlugin(ECHOLUX_TWIN_READER_PLUGIN); }),
                AllOf(HasSubstr("'sonix_rf'"), HasSubstr(ECHOLUX_SONIX_PLUGIN)));
    for (const Plugin& each : pluginsInUse()) EXPECT_NE(each.path, ECHOLUX_TWIN_READER_PLUGIN);
}

TEST_F(PluginReaders, AReaderThatFailsIsNamedInOneSentence) {
    allowPlugin(ECHOLUX_FAULTY_READERS_PLUGIN);
    const auto refused = [&](const std::string& word) {
        return refusal([&] { openRecording(saying(word)); });
    };
    EXPECT_THAT(refused("look!"), AllOf(HasSubstr("'throws_at_look'"), HasSubstr("no look"),
                                        HasSubstr(ECHOLUX_FAULTY_READERS_PLUGIN)));
    EXPECT_THAT(refused("open!"), AllOf(HasSubstr("'throws'"), HasSubstr("no exception")));
    EXPECT_THAT(refused("null!"), AllOf(HasSubstr("'null'"), HasSubstr("no recording")));
    EXPECT_THAT(refused("size!"), AllOf(HasSubstr("'sizes'"), HasSubstr("depth axis has -2")));
    EXPECT_THAT(refused("huge!"), AllOf(HasSubstr("'huge'"), HasSubstr("one frame would take")));
    EXPECT_THAT(refused("none!"),
                AllOf(HasSubstr("'no_probe'"), HasSubstr("[transmit][channel][sample]")));
}

TEST_F(PluginReaders, AFrameThatFailsIsAnErrorOfThisFrame) {
    allowPlugin(ECHOLUX_FAULTY_READERS_PLUGIN);
    const auto recording = openRecording(saying("read!"));
    std::vector<std::byte> frame(recording->info().frame.bytes());
    EXPECT_THAT(refusal([&] { recording->readFrame(1, frame); }),
                AllOf(HasSubstr("'frames'"), HasSubstr("no exception")));
    recording->readFrame(0, frame);
    EXPECT_THAT(frame, testing::Each(std::byte{5}));
    EXPECT_THAT(openRecording(saying("part!"))->partsOf(0), IsEmpty());
}

} // namespace
} // namespace echolux
