// SPDX-License-Identifier: GPL-3.0-or-later
// Files made on purpose to crash, to hang or to fill the memory of a reader, and the opening of one
// in a process of its own.
#pragma once

#include "tests/dataset/damage_attempts.hpp"
#include "tests/dataset/sample_files.hpp"

#include <zlib.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace echolux::test {

/// One file: what it is called, what the sentence that refuses it must say (nothing: it may also
/// open), and how it is written.
struct Crafted {
    std::string name;
    std::string says;
    std::function<void(const std::filesystem::path&)> write;
};

inline Crafted ofBytes(std::string name, std::string says, std::function<std::string()> bytes) {
    return {std::move(name), std::move(says),
            [bytes = std::move(bytes)](const std::filesystem::path& path) {
                writeFile(path, bytes());
            }};
}

/// A stream that gives `bytes` zeros behind `head`; `bits` as zlib's deflateInit2() takes them.
inline std::string deflatedZeros(const std::string& head, std::size_t bytes, int bits = MAX_WBITS) {
    z_stream zlib{};
    deflateInit2(&zlib, 1, Z_DEFLATED, bits, 9, Z_DEFAULT_STRATEGY);
    std::string out;
    const auto put = [&](const char* data, std::size_t size, int flush) {
        zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data));
        zlib.avail_in = static_cast<uInt>(size);
        std::string part(std::size_t{1} << 16U, '\0');
        do {
            zlib.next_out = reinterpret_cast<Bytef*>(part.data());
            zlib.avail_out = static_cast<uInt>(part.size());
            deflate(&zlib, flush);
            out.append(part, 0, part.size() - zlib.avail_out);
        } while (zlib.avail_out == 0);
    };
    put(head.data(), head.size(), Z_NO_FLUSH);
    const std::string zeros(std::size_t{1} << 20U, '\0');
    for (std::size_t left = bytes; left > 0;) {
        const std::size_t now = std::min(left, zeros.size());
        put(zeros.data(), now, Z_NO_FLUSH);
        left -= now;
    }
    put(nullptr, 0, Z_FINISH);
    deflateEnd(&zlib);
    return out;
}

inline std::string deflated(const std::string& bytes, int bits = MAX_WBITS) {
    return deflatedZeros(bytes, 0, bits);
}

inline std::string repeated(const std::string& part, std::size_t times) {
    std::string all;
    all.reserve(part.size() * times);
    for (std::size_t i = 0; i < times; ++i) all += part;
    return all;
}

/// More than any file may keep of it, and less than a test should wait for. [bytes]
inline constexpr std::size_t kTooMuch = std::size_t{200} << 20U;

/// How opening ended: with a sentence, with none, or with the end of the process.
struct Ending {
    bool whole = false; ///< the process came to its end
    std::string said;
    long kilobytes = 0; ///< of the largest reader process
};

/// Opens in a process through a reader process. It ends by itself in any case: the limit of
/// processor time stops only what would not end.
inline Ending openApart(const std::filesystem::path& path) {
    constexpr rlim_t kSeconds = 120;
    const ReadsThroughAProcess apart;
    const std::filesystem::path answer = path.string() + ".said";
    std::filesystem::remove(answer);
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit seconds{kSeconds, kSeconds};
        ::setrlimit(RLIMIT_CPU, &seconds);
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        try {
            writeFile(answer, refusalOf(path));
        } catch (const std::exception& error) {
            writeFile(answer, std::string("not a sentence: ") + error.what());
        }
        ::_exit(0);
    }
    int status = 0;
    rusage used{}; // of its children too, which it has waited for
    ::wait4(child, &status, 0, &used);
    Ending ending{.whole = WIFEXITED(status) && WEXITSTATUS(status) == 0,
                  .said = {},
                  .kilobytes = used.ru_maxrss};
    if (ending.whole) ending.said = readFile(answer);
    return ending;
}

} // namespace echolux::test
