// SPDX-License-Identifier: GPL-3.0-or-later
// Parses the dictionary in a .npy header without evaluating it, and never trusts its lengths.
#include "app/dataset/container/npy.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>
#include <utility>

namespace echolux {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeader = std::size_t{1} << 20U;
constexpr std::size_t kMaxRank = 32;

/// Walks the text of the header: a Python dictionary of literals.
class DictParser {
public:
    DictParser(const std::filesystem::path& path, const std::string& where, std::string_view text)
        : m_path(path), m_where(where), m_text(text) {}

    ArrayLayout parse() {
        ArrayLayout layout;
        bool type = false;
        bool order = false;
        bool shape = false;
        expect('{');
        while (!accept('}')) {
            const std::string_view key = quoted();
            expect(':');
            if (key == "descr") {
                layout.type = descr();
                type = true;
            } else if (key == "fortran_order") {
                layout.columnMajor = flag();
                order = true;
            } else if (key == "shape") {
                layout.shape = tuple();
                shape = true;
            } else {
                fail(fmt::format("has the unknown entry '{}'", key));
            }
            if (!accept(',') && peek() != '}') fail("is not a dictionary");
        }
        if (!type || !order || !shape) fail("lacks descr, fortran_order or shape");
        return layout;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw fileError(m_path, fmt::format("the NumPy header of {} {}; save it again with "
                                            "numpy.save",
                                            m_where, what));
    }
    void skipSpace() {
        while (m_at < m_text.size() &&
               std::string_view(" \t\r\n").find(m_text[m_at]) != std::string_view::npos)
            ++m_at;
    }
    char peek() {
        skipSpace();
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }
    bool accept(char wanted) {
        if (peek() != wanted) return false;
        ++m_at;
        return true;
    }
    void expect(char wanted) {
        if (!accept(wanted)) fail(fmt::format("has no '{}' at character {}", wanted, m_at));
    }
    std::string_view quoted() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') fail(fmt::format("has no text at character {}", m_at));
        const std::size_t end = m_text.find(quote, m_at + 1);
        if (end == std::string_view::npos) fail("has text without an end");
        const std::string_view text = m_text.substr(m_at + 1, end - m_at - 1);
        m_at = end + 1;
        return text;
    }
    bool flag() {
        skipSpace();
        for (const bool value : {true, false}) {
            const std::string_view word = value ? "True" : "False";
            if (m_text.substr(m_at, word.size()) != word) continue;
            m_at += word.size();
            return value;
        }
        fail("has a fortran_order that is neither True nor False");
    }
    ElementType descr() {
        if (peek() == '[')
            throw fileError(m_path, fmt::format("{} has named fields (a structured array); save "
                                                "the field with the samples as a plain array",
                                                m_where));
        const std::string_view text = quoted();
        if (text.find('O') != std::string_view::npos)
            throw fileError(m_path, fmt::format("{} holds Python objects ('{}'), which Echolux "
                                                "never unpickles; save a plain numeric array",
                                                m_where, text));
        if (const auto type = parseElementType(text)) return *type;
        throw fileError(m_path, fmt::format("{} has elements of type '{}', which is no supported "
                                            "number; save it as int16 or float32",
                                            m_where, text));
    }
    std::vector<std::int64_t> tuple() {
        std::vector<std::int64_t> shape;
        expect('(');
        while (!accept(')')) {
            skipSpace();
            std::int64_t extent = 0;
            const char* begin = m_text.data() + m_at;
            const auto [end, status] =
                std::from_chars(begin, m_text.data() + m_text.size(), extent);
            if (status != std::errc{}) fail("has a shape that is no tuple of whole numbers");
            m_at += static_cast<std::size_t>(end - begin);
            accept('L'); // Python 2 wrote long integers with an L
            shape.push_back(extent);
            if (shape.size() > kMaxRank) fail(fmt::format("has more than {} axes", kMaxRank));
            if (!accept(',') && peek() != ')') fail("has a shape that is no tuple");
        }
        return shape;
    }

    const std::filesystem::path& m_path;
    const std::string& m_where;
    std::string_view m_text;
    std::size_t m_at = 0;
};

class NpyFile : public ArrayContainer {
public:
    explicit NpyFile(std::shared_ptr<const InputFile> file) : m_file(std::move(file)) {
        m_header = readNpyHeader(
            m_file->path(), "the file", m_file->size(),
            [this](std::uint64_t offset, std::span<std::byte> out) { m_file->read(offset, out); });
    }
    bool has(const std::string& where) const override { return where.empty(); }
    std::unique_ptr<ArraySource> open(const std::string& where) override {
        if (!where.empty())
            throw fileError(m_file->path(), fmt::format("a .npy file holds one array without a "
                                                        "name, so there is no '{}'; write the "
                                                        "numbers into the sidecar",
                                                        where));
        return std::make_unique<FileArray>(m_file, m_header.dataOffset, m_header.layout);
    }
    std::string list() const override { return m_header.layout.describe(); }

private:
    std::shared_ptr<const InputFile> m_file;
    NpyHeader m_header;
};

} // namespace

NpyHeader readNpyHeader(const std::filesystem::path& path, const std::string& where,
                        std::uint64_t totalBytes, const ReadAt& readAt) {
    std::array<std::byte, 12> start{};
    const auto cutOff = [&] {
        return fileError(path, fmt::format("{} ends inside its NumPy header after {} bytes; it was "
                                           "cut off, copy it again",
                                           where, totalBytes));
    };
    if (totalBytes < start.size()) throw cutOff();
    readAt(0, start);
    if (std::memcmp(start.data(), kMagic.data(), kMagic.size()) != 0)
        throw fileError(path, fmt::format("{} does not begin as NumPy data do; save it again with "
                                          "numpy.save",
                                          where));
    const auto byte = [&](std::size_t i) { return std::to_integer<std::uint32_t>(start[i]); };
    const std::uint32_t major = byte(6);
    if (major < 1 || major > 3)
        throw fileError(path, fmt::format("{} has NumPy format version {}, Echolux reads 1 to 3; "
                                          "save it again with numpy.save",
                                          where, major));
    const std::size_t textAt = major == 1 ? 10 : 12;
    std::size_t length = byte(8) | byte(9) << 8U;
    if (major > 1) length |= byte(10) << 16U | byte(11) << 24U;
    if (length > totalBytes - textAt)
        throw fileError(path, fmt::format("the NumPy header of {} claims {} bytes where only {} "
                                          "follow; it is damaged, copy it again",
                                          where, length, totalBytes - textAt));
    if (length > kMaxHeader)
        throw fileError(path, fmt::format("the NumPy header of {} claims {} bytes, more than the "
                                          "{} that are sensible; save it again with numpy.save",
                                          where, length, kMaxHeader));
    std::string text(length, '\0');
    readAt(textAt, std::as_writable_bytes(std::span(text)));
    NpyHeader header;
    header.layout = DictParser(path, where, text).parse();
    header.dataOffset = textAt + length;
    header.layout.check(path, where);
    const std::uint64_t have = totalBytes - header.dataOffset;
    if (header.layout.bytes() > have)
        throw fileError(path,
                        fmt::format("{} should hold {} bytes of samples for {}, but has {}; "
                                    "it was cut off, copy it again",
                                    where, header.layout.bytes(), header.layout.describe(), have));
    return header;
}

std::unique_ptr<ArrayContainer> openNpy(std::shared_ptr<const InputFile> file) {
    return std::make_unique<NpyFile>(std::move(file));
}

} // namespace echolux
