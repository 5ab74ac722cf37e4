// SPDX-License-Identifier: GPL-3.0-or-later
// Exports parts through the command line, joins them, and compares bytes with those of one process.
#pragma once

#include "tests/commands/golden.hpp"
#include "tests/commands/refused_command.hpp"
#include "tests/support/command_line.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace echolux::test {

using Words = std::vector<std::string>;

inline const std::string kCine = bundledCine();
inline const std::string kVessel = ECHOLUX_SOURCE_DIR "/testdata/vessel_flow.echolux.h5";
inline const std::string kOct = ECHOLUX_SOURCE_DIR "/testdata/retina_cine.echolux.h5";

/// A coarse grid, for speed.
inline Words coarse(Words more = {}) {
    for (const char* value : {"lateral_min=-8e-3", "lateral_max=8e-3", "depth_min=4e-3",
                              "depth_max=34e-3", "pixel_lateral=1e-3", "pixel_depth=5e-4"}) {
        more.emplace_back("--set");
        more.push_back(std::string("beamform.") + value);
    }
    return more;
}

class JoinTest : public testing::Test {
protected:
    explicit JoinTest(std::string backend) : m_backend(std::move(backend)) {}
    std::string file(const std::string& name) const { return (m_folder / name).string(); }
    std::string bytes(const std::string& name) const {
        std::ifstream stream(file(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(file(name), std::ios::binary) << text;
    }
    CommandResult exports(const std::string& out, const std::string& frames,
                          const Words& more = coarse(),
                          const std::string& recording = kCine) const {
        Words words{"export", recording, "-o", file(out), "--backend", m_backend, "--force"};
        if (!frames.empty()) words.insert(words.end(), {"--frames", frames});
        words.insert(words.end(), more.begin(), more.end());
        return runEcholux(words);
    }
    /// Exports parts of these ranges and returns their paths.
    Words parts(const Words& ranges, const Words& more = coarse(),
                const std::string& recording = kCine) const {
        Words made;
        for (const std::string& range : ranges) {
            made.push_back(file(range + ".part"));
            const auto run = exports(range + ".part", range, more, recording);
            EXPECT_EQ(run.status, 0) << run.err;
        }
        return made;
    }
    Words joining(const Words& parts, const std::string& out, const Words& more = {}) const {
        Words words{"join", "-o", file(out)};
        words.insert(words.end(), parts.begin(), parts.end());
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }
    std::string refusedJoin(const Words& parts, const Words& more = {}) const {
        std::string sentence = refusal(joining(parts, "never.npz", more));
        for (const auto& entry : std::filesystem::directory_iterator(m_folder.path()))
            EXPECT_THAT(entry.path().filename().string(),
                        testing::Not(testing::HasSubstr("never")));
        return sentence;
    }
    void expectSameFile(const std::string& ending, const Words& parts, const std::string& frames,
                        const Words& more = coarse(), const std::string& recording = kCine) const {
        SCOPED_TRACE(ending);
        const auto whole = exports("whole" + ending, frames, more, recording);
        ASSERT_EQ(whole.status, 0) << whole.err;
        Words options{"--force"};
        if (!frames.empty()) options.insert(options.end(), {"--frames", frames});
        const auto joined = runEcholux(joining(parts, "joined" + ending, options));
        ASSERT_EQ(joined.status, 0) << joined.err;
        ASSERT_FALSE(bytes("whole" + ending).empty());
        EXPECT_TRUE(bytes("whole" + ending) == bytes("joined" + ending));
    }

private:
    std::string m_backend;
    TemporaryFolder m_folder;
};

} // namespace echolux::test
