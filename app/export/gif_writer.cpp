// SPDX-License-Identifier: GPL-3.0-or-later
// GIF 89a: frames with one palette, compressed by LZW (Lempel, Ziv, Welch), repeated without end.
#include "app/export/film.hpp"
#include "render/view/colour_map.hpp"

#include <QImage>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace echolux {
namespace {

constexpr std::size_t kColours = 256;

/// Colours of the maps, and greys for text beside the image. For the grey map alone all entries are
/// greys, except one for values that are not numbers.
class Palette {
public:
    explicit Palette(const std::vector<std::string>& maps) {
        constexpr std::size_t kOfMaps = 220;
        const bool grey = maps.empty() || (maps.size() == 1 && maps.front() == "gray");
        const std::size_t each = grey ? 0 : kOfMaps / maps.size();
        const std::size_t coloured = each * maps.size();
        for (std::size_t i = 0; i < kColours; ++i) {
            if (i < coloured) {
                const ColourMap& map = colourMap(maps[i / each]);
                m_colours[i] = map.colour[i % each * (ColourMap::kEntries - 1) / (each - 1)];
            } else {
                const std::size_t shade = (i - coloured) * 255 / (kColours - coloured - 1);
                m_colours[i] = static_cast<std::uint32_t>(shade) * 0x010101U;
            }
        }
        if (grey) m_colours[1] = kNotANumberColour;
        m_known.fill(kUnknown);
    }
    std::uint8_t nearest(std::uint32_t colour) {
        // Colours whose parts agree in six bits count as the same.
        const std::uint32_t key =
            (colour >> 18 & 0x3fU) << 12 | (colour >> 10 & 0x3fU) << 6 | (colour >> 2 & 0x3fU);
        if (m_known[key] == kUnknown) m_known[key] = search(colour);
        return static_cast<std::uint8_t>(m_known[key]);
    }
    std::string bytes() const {
        std::string text;
        for (const std::uint32_t colour : m_colours)
            for (const unsigned shift : {16U, 8U, 0U})
                text += static_cast<char>(colour >> shift & 0xffU);
        return text;
    }

private:
    static constexpr std::uint16_t kUnknown = 0xffff;

    std::uint16_t search(std::uint32_t colour) const {
        const auto part = [](std::uint32_t c, unsigned shift) {
            return static_cast<int>(c >> shift & 0xffU);
        };
        int least = std::numeric_limits<int>::max();
        std::size_t found = 0;
        for (std::size_t i = 0; i < kColours; ++i) {
            int off = 0;
            for (const unsigned shift : {16U, 8U, 0U}) {
                const int difference = part(colour, shift) - part(m_colours[i], shift);
                off += difference * difference;
            }
            if (off < least) {
                least = off;
                found = i;
            }
        }
        return static_cast<std::uint16_t>(found);
    }

    std::array<std::uint32_t, kColours> m_colours{};
    std::array<std::uint16_t, 1U << 18U> m_known{};
};

/// Codes of 9 to 12 bits, lowest bit first, in blocks of at most 255 bytes.
class LzwCoder {
public:
    std::string coded(std::span<const std::uint8_t> pixels) {
        put(kClear);
        restart();
        int prefix = pixels.front();
        for (const std::uint8_t pixel : pixels.subspan(1)) {
            const std::size_t entry = static_cast<std::size_t>(prefix) * kColours + pixel;
            if (m_next[entry] != 0) {
                prefix = m_next[entry];
                continue;
            }
            put(prefix);
            if (m_count < kMostCodes) {
                m_used.push_back(entry);
                m_next[entry] = static_cast<std::uint16_t>(m_count++);
                if (m_count > 1 << m_bits && m_bits < 12) ++m_bits;
            } else {
                put(kClear);
                restart();
            }
            prefix = pixel;
        }
        put(prefix);
        put(kEnd);
        if (m_filled > 0) m_bytes += static_cast<char>(m_buffer & 0xffU);
        std::string blocks;
        for (std::size_t at = 0; at < m_bytes.size(); at += 255) {
            const std::size_t size = std::min<std::size_t>(255, m_bytes.size() - at);
            blocks += static_cast<char>(size);
            blocks.append(m_bytes, at, size);
        }
        return blocks + '\0';
    }

private:
    static constexpr int kClear = 256;
    static constexpr int kEnd = 257;
    static constexpr int kMostCodes = 4096;

    void restart() {
        for (const std::size_t entry : m_used) m_next[entry] = 0;
        m_used.clear();
        m_count = kEnd + 1;
        m_bits = 9;
    }
    void put(int code) {
        m_buffer |= static_cast<std::uint32_t>(code) << m_filled;
        m_filled += m_bits;
        for (; m_filled >= 8; m_filled -= 8, m_buffer >>= 8U)
            m_bytes += static_cast<char>(m_buffer & 0xffU);
    }

    std::vector<std::uint16_t> m_next = std::vector<std::uint16_t>(kMostCodes * kColours, 0);
    std::vector<std::size_t> m_used;
    int m_count = kEnd + 1;
    int m_bits = 9;
    std::uint32_t m_buffer = 0;
    int m_filled = 0;
    std::string m_bytes;
};

std::string word(unsigned value) {
    return {static_cast<char>(value & 0xffU), static_cast<char>(value >> 8U & 0xffU)};
}

/// Players slow down frames that are shorter than two hundredths of a second.
unsigned hundredths(double framesPerSecond) {
    return static_cast<unsigned>(std::clamp(std::round(100.0 / framesPerSecond), 2.0, 65535.0));
}

class GifFilm : public Film {
public:
    GifFilm(OutputFiles& files, const FilmFacts& facts)
        : m_palette(facts.colourMaps), m_file(files, files.partial()),
          m_delay(hundredths(facts.framesPerSecond)) {}

    void add(const QImage& shown) override {
        const QImage picture = shown.convertToFormat(QImage::Format_RGB32);
        const auto width = static_cast<unsigned>(picture.width());
        const auto height = static_cast<unsigned>(picture.height());
        if (!m_begun) {
            m_file.write("GIF89a" + word(width) + word(height) + std::string("\xf7\x00\x00", 3));
            m_file.write(m_palette.bytes());
            m_file.write(std::string("\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00", 19));
            m_begun = true;
        }
        std::vector<std::uint8_t> pixels;
        pixels.reserve(static_cast<std::size_t>(width) * height);
        for (int row = 0; row < picture.height(); ++row) {
            const auto* line = reinterpret_cast<const QRgb*>(picture.constScanLine(row));
            for (int column = 0; column < picture.width(); ++column)
                pixels.push_back(m_palette.nearest(line[column] & 0xffffffU));
        }
        m_file.write(std::string("\x21\xf9\x04\x04", 4) + word(m_delay) +
                     std::string("\x00\x00", 2));
        m_file.write("," + std::string(4, '\0') + word(width) + word(height) +
                     std::string("\x00\x08", 2));
        m_file.write(LzwCoder().coded(pixels));
    }
    void finish() override {
        m_file.write(";");
        m_file.close();
    }

private:
    Palette m_palette;
    ByteWriter m_file;
    unsigned m_delay;
    bool m_begun = false;
};

} // namespace

double gifRate(double framesPerSecond) { return 100.0 / hundredths(framesPerSecond); }

std::unique_ptr<Film> makeGifFilm(OutputFiles& files, const FilmFacts& facts) {
    return std::make_unique<GifFilm>(files, facts);
}

} // namespace echolux
