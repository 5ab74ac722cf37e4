// SPDX-License-Identifier: GPL-3.0-or-later
// A stream of bytes, for checking a file before a library parses it.
#pragma once

#include "app/dataset/recording/input_file.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace echolux {

class ByteStream {
public:
    virtual ~ByteStream() = default;
    /// Fills `out`. Throws Error where there are fewer bytes.
    virtual void read(std::span<std::byte> out) = 0;
    virtual void skip(std::uint64_t bytes) = 0; ///< as read(), without keeping the bytes
};

/// The bytes of a file, which must outlive this. Skipping costs nothing and may go beyond the end.
class FileStream : public ByteStream {
public:
    FileStream(const InputFile& file, std::uint64_t at) : m_file(file), m_at(at) {}
    void read(std::span<std::byte> out) override;
    void skip(std::uint64_t bytes) override;

private:
    const InputFile& m_file;
    std::uint64_t m_at;
};

/// Inflates bytes [begin, end) of a file, which must outlive this.
class InflateStream : public ByteStream {
public:
    /// `what` names the stream in messages: "a compressed variable".
    InflateStream(const InputFile& file, std::uint64_t begin, std::uint64_t end, std::string what);
    ~InflateStream() override;
    void read(std::span<std::byte> out) override;
    void skip(std::uint64_t bytes) override;
    /// Throws Error where more bytes follow, or where the checksum is wrong.
    void finish();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace echolux
