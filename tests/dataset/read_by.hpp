// SPDX-License-Identifier: GPL-3.0-or-later
// Stand-ins for echolux-reader that run in a child of the test program.
#pragma once

#include "app/dataset/guarded/reader_process.hpp"
#include "gpu/core/error.hpp"
#include "tests/dataset/damage_attempts.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>

namespace echolux::test {

/// What runs in place of echolux-reader, with the numbers of its socket and of its memory. Empty:
/// the real one runs. failing_processes_test.cpp defines posix_spawn() so.
extern std::function<void(int socket, int memory)> inItsPlace;

/// While it lives, `reader` runs in place of echolux-reader.
class ReadBy {
public:
    explicit ReadBy(std::function<void(int socket, int memory)> reader) {
        inItsPlace = std::move(reader);
    }
    ReadBy(const ReadBy&) = delete;
    ReadBy& operator=(const ReadBy&) = delete;
    ~ReadBy() { inItsPlace = nullptr; }
};

/// The sentence of an error; empty: there is none.
inline std::string saidBy(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

class Processes : public testing::Test {
protected:
    static FrameSpec spec() { return sampleSpec(DType::I16, 2, 3, 20); }
    /// 20 frames that a process must decode, with stamps.
    static std::filesystem::path stamped(const TemporaryFolder& folder) {
        const auto path = folder / "stamped.echolux.h5";
        NativeWriter writer(path, spec(), 25.0, {}, {.stamped = true});
        for (int i = 0; i < 20; ++i) writer.append(sampleFrame(spec(), i), FrameStamp{.number = i});
        writer.close();
        return path;
    }
    /// 3 x 4 numbers, counted from 0.
    static std::filesystem::path arrayIn(const TemporaryFolder& folder) {
        const auto path = folder / "array.npy";
        writeFile(path, npyBytes(npyDictionary("<i2", "(3, 4)"),
                                 bytesOfValues(countedUp<std::int16_t>(12))));
        return path;
    }

private:
    const ReadsThroughAProcess m_apart;
};

} // namespace echolux::test
