// SPDX-License-Identifier: GPL-3.0-or-later
// Reads one B-scan at a time, in the byte order and sample type of this program.
#include "app/dataset/frames/raw_spectra.hpp"

#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/frames/spectra_check.hpp"
#include "app/dataset/recording/counted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace echolux {

namespace {

constexpr std::string_view kPacked = "packed12";

template <class Out>
void convert(const ElementType& type, std::span<const std::byte> in, Out* out) {
    visitComponent(type, [&](auto zero) {
        using In = decltype(zero);
        const std::size_t count = in.size() / sizeof(In);
        const In* values = reinterpret_cast<const In*>(in.data());
        for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<Out>(values[i]);
    });
}

/// See DType::Packed12.
std::vector<double> unpacked(std::span<const std::byte> bytes, std::size_t count) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = i / 2 * 3;
        const auto low = std::to_integer<unsigned>(bytes[at + i % 2]);
        const auto high = std::to_integer<unsigned>(bytes[at + i % 2 + 1]);
        values[i] = i % 2 == 0 ? low | (high & 0xFU) << 8U : low >> 4U | high << 4U;
    }
    return values;
}

/// True where the stored samples need only this machine's byte order, no conversion.
bool storedAsIs(const SpectrumType& type) {
    return !type.element || isStoredAs(*type.element, type.dtype());
}

class RawSpectraRecording : public Recording {
public:
    RawSpectraRecording(RecordingInfo info, std::shared_ptr<const InputFile> file,
                        const RawSpectra& layout)
        : m_file(std::move(file)), m_layout(layout) {
        m_info = std::move(info);
        checkSpectra(m_info);
        const auto last = static_cast<std::uint64_t>(m_info.frameCount - 1);
        const std::uint64_t needed = layout.type.bytes(static_cast<std::uint64_t>(layout.lines) *
                                                       static_cast<std::uint64_t>(layout.samples));
        const std::uint64_t room = m_file->size() - std::min(m_file->size(), layout.offset);
        if (needed > room || last > (room - needed) / std::max<std::uint64_t>(layout.stride, 1))
            throw fileError(m_info.path,
                            fmt::format("{} of {} bytes from byte {} are more than the "
                                        "file of {} bytes holds; correct what describes it",
                                        counted(m_info.frameCount, "B-scan"), needed, layout.offset,
                                        m_file->size()));
        checkLoadSize(m_info.path, "one B-scan", needed);
        if (!storedAsIs(layout.type)) m_block.resize(needed);
    }

    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        checkFrameRequest(m_info, index, out.size());
        const std::uint64_t at =
            m_layout.offset + static_cast<std::uint64_t>(index) * m_layout.stride;
        const std::span<std::byte> stored = m_block.empty() ? out : std::span(m_block);
        m_file->read(at, stored);
        if (m_layout.type.element) toNativeOrder(*m_layout.type.element, stored);
        if (!m_block.empty()) widen(out);
        if (isReversed(index)) reverseLines(out);
    }

    std::vector<FramePart> partsOf(std::int64_t index) const override {
        if (!m_block.empty() || isReversed(index)) return {};
        return partsOfFile(
            *m_file, m_layout.offset + static_cast<std::uint64_t>(index) * m_layout.stride,
            m_info.frame.bytes(), m_layout.type.element ? turnedBytes(*m_layout.type.element) : 1);
    }

    void foresee(std::int64_t index) const override {
        m_file->foresee(m_layout.offset + static_cast<std::uint64_t>(index) * m_layout.stride,
                        m_layout.stride);
    }

private:
    bool isReversed(std::int64_t index) const {
        return m_layout.mirrored == (index % 2 == 0 ? Mirrored::Even : Mirrored::Odd);
    }

    void widen(std::span<std::byte> out) const {
        if (m_info.frame.dtype == DType::I16)
            convert(*m_layout.type.element, m_block, reinterpret_cast<std::int16_t*>(out.data()));
        else
            convert(*m_layout.type.element, m_block, reinterpret_cast<float*>(out.data()));
    }

    void reverseLines(std::span<std::byte> frame) const {
        const std::size_t line = frame.size() / static_cast<std::size_t>(m_layout.lines);
        for (std::size_t a = 0, b = frame.size() - line; a < b; a += line, b -= line)
            std::swap_ranges(frame.begin() + static_cast<long>(a),
                             frame.begin() + static_cast<long>(a + line),
                             frame.begin() + static_cast<long>(b));
    }

    std::shared_ptr<const InputFile> m_file;
    RawSpectra m_layout;
    std::vector<std::byte> m_block; ///< empty where frames are stored as they are delivered
};

} // namespace

DType SpectrumType::dtype() const {
    return element ? sampleTypeOf(*element, false) : DType::Packed12;
}

std::uint64_t SpectrumType::bytes(std::uint64_t count) const {
    return element ? count * element->size() : (count * 3 + 1) / 2;
}

std::optional<SpectrumType> parseSpectrumType(std::string_view text) {
    if (text == kPacked) return SpectrumType{};
    const auto element = parseElementType(text);
    if (!element || element->components != 1) return std::nullopt;
    return SpectrumType{element};
}

FrameSpec spectraFrame(DType type, std::int64_t lines, std::int64_t samples, double lineSpacingM) {
    const bool known = lineSpacingM > 0.0;
    FrameSpec frame;
    frame.dtype = type;
    frame.axes = {{.name = AxisName::Lateral,
                   .size = lines,
                   .spacing = known ? lineSpacingM : 1.0,
                   .unit = std::string(known ? "m" : "")},
                  {.name = AxisName::Sample, .size = samples, .unit = {}}};
    return frame;
}

std::vector<float> meanSpectrum(const InputFile& file, std::uint64_t offset, SpectrumType type,
                                std::int64_t lines, std::int64_t samples) {
    const auto count = static_cast<std::size_t>(samples);
    const std::uint64_t lineBytes = type.bytes(count);
    checkLoadSize(file.path(), "one line", lineBytes);
    if (offset > file.size() ||
        lineBytes * static_cast<std::uint64_t>(lines) > file.size() - offset)
        throw fileError(file.path(), fmt::format("it ends within its {} background lines; it was "
                                                 "cut off, copy it again",
                                                 lines));
    std::vector<double> sum(count, 0.0);
    std::vector<std::byte> line(lineBytes);
    for (std::int64_t i = 0; i < lines; ++i) {
        file.read(offset + static_cast<std::uint64_t>(i) * lineBytes, line);
        std::vector<double> values;
        if (type.element) {
            toNativeOrder(*type.element, line);
            values = toDoubles(*type.element, line);
        } else {
            values = unpacked(line, count);
        }
        for (std::size_t n = 0; n < count; ++n) sum[n] += values[n];
    }
    std::vector<float> mean(count);
    std::ranges::transform(sum, mean.begin(), [&](double value) {
        return static_cast<float>(value / static_cast<double>(lines));
    });
    return mean;
}

std::unique_ptr<Recording> makeRawSpectra(RecordingInfo info, std::shared_ptr<const InputFile> file,
                                          const RawSpectra& layout) {
    return std::make_unique<RawSpectraRecording>(std::move(info), std::move(file), layout);
}

} // namespace echolux
