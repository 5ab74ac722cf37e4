// SPDX-License-Identifier: GPL-3.0-or-later
// Brings arrays of any axis order and element type into [transmit][channel][sample].
#include "app/dataset/frames/array_recording.hpp"

#include "app/dataset/frames/acquisition_check.hpp"
#include "app/dataset/frames/image_check.hpp"
#include "app/dataset/frames/reciprocity.hpp"
#include "app/dataset/frames/spectra_check.hpp"
#include "gpu/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace echolux {

namespace {

/// Images [elevation][depth][lateral] use the axes of [transmit][channel][sample].
constexpr ArrayAxis placeOf(ArrayAxis axis) {
    switch (axis) {
    case ArrayAxis::Elevation: return ArrayAxis::Transmit;
    case ArrayAxis::Depth: return ArrayAxis::Channel;
    case ArrayAxis::Lateral: return ArrayAxis::Sample;
    default: return axis;
    }
}

bool isOfImages(ArrayAxis axis) { return placeOf(axis) != axis; }

/// Distances between neighbours of one frame, in components.
struct FrameSteps {
    std::int64_t transmit = 0;
    std::int64_t channel = 0;
    std::int64_t sample = 0;
    std::int64_t part = 0; ///< from I to Q
};

FrameSteps stepsOf(const ArrayLayout& layout, const ArrayMapping& mapping) {
    FrameSteps steps;
    if (layout.type.components == 2) steps.part = 1;
    const std::vector<std::int64_t> strides = layout.strides();
    for (std::size_t i = 0; i < mapping.axes.size(); ++i) {
        const std::int64_t step = strides[i] * layout.type.components;
        switch (placeOf(mapping.axes[i])) {
        case ArrayAxis::Transmit: steps.transmit = step; break;
        case ArrayAxis::Channel: steps.channel = step; break;
        case ArrayAxis::Sample: steps.sample = step; break;
        case ArrayAxis::Iq: steps.part = step; break;
        default: break; // the frame axis
        }
    }
    return steps;
}

template <class Out> Out negated(Out value) {
    if constexpr (std::is_same_v<Out, std::int16_t>) {
        constexpr std::int16_t kLeast = std::numeric_limits<std::int16_t>::min();
        if (value == kLeast) return std::numeric_limits<std::int16_t>::max();
    }
    return static_cast<Out>(-value);
}

template <class In, class Out> struct Gather {
    const In* block;
    FrameSteps steps;
    ArrayExtents extents;
    bool conjugate;
    double pairOffset;

    void operator()(std::span<std::byte> bytes) const {
        Out* out = reinterpret_cast<Out*>(bytes.data());
        const std::int64_t line = extents.samples * (extents.pairs ? 2 : 1);
        for (std::int64_t t = 0; t < extents.transmits; ++t)
            for (std::int64_t c = 0; c < extents.channels; ++c, out += line)
                copyLine(block + t * steps.transmit + c * steps.channel, out);
    }

    void copyLine(const In* in, Out* out) const {
        if (extents.pairs) {
            for (std::int64_t n = 0; n < extents.samples; ++n, in += steps.sample) {
                out[2 * n] = part(in[0]);
                const Out imaginary = part(in[steps.part]);
                out[2 * n + 1] = conjugate ? negated(imaginary) : imaginary;
            }
            return;
        }
        if constexpr (std::is_same_v<In, Out>) {
            if (steps.sample == 1) {
                std::memcpy(out, in, static_cast<std::size_t>(extents.samples) * sizeof(Out));
                return;
            }
        }
        for (std::int64_t n = 0; n < extents.samples; ++n, in += steps.sample)
            out[n] = static_cast<Out>(*in);
    }

    Out part(In value) const {
        if constexpr (std::is_same_v<Out, float>)
            return static_cast<float>(static_cast<double>(value) - pairOffset);
        else
            return static_cast<Out>(value);
    }
};

class ArrayRecording : public Recording {
public:
    ArrayRecording(RecordingInfo info, std::unique_ptr<ArraySource> source, ArrayMapping mapping)
        : m_source(std::move(source)), m_mapping(std::move(mapping)) {
        m_info = std::move(info);
        if (m_info.frame.spectrometer)
            checkSpectra(m_info);
        else if (m_info.frame.recordedForm != RecordedForm::Signals)
            checkImages(m_info);
        else
            checkRecording(m_info);
        m_layout = m_source->layout();
        m_extents = extentsOf(m_info.path, m_layout, m_mapping);
        const auto frameAxis = std::ranges::find(m_mapping.axes, ArrayAxis::Frame);
        m_frameAxis = static_cast<std::size_t>(frameAxis - m_mapping.axes.begin());
        const bool slices = frameAxis != m_mapping.axes.end() && m_source->canSlice(m_frameAxis);
        if (slices) {
            m_layout.shape.erase(m_layout.shape.begin() + static_cast<long>(m_frameAxis));
            m_mapping.axes.erase(frameAxis);
            checkLoadSize(m_info.path, "one frame", m_layout.bytes());
            m_block.resize(m_layout.bytes());
        } else {
            checkLoadSize(m_info.path, fmt::format("its array {}", m_layout.describe()),
                          m_layout.bytes());
            m_block.resize(m_layout.bytes());
            m_source->read(m_block);
            m_source.reset();
            if (frameAxis != m_mapping.axes.end())
                m_frameStep = m_layout.strides()[m_frameAxis] * m_layout.type.components;
        }
        m_steps = stepsOf(m_layout, m_mapping);
        m_fill = ReciprocalFill(m_info, [this](std::span<std::byte> out) { readStored(0, out); });
    }

    void readFrame(std::int64_t index, std::span<std::byte> out) override {
        checkFrameRequest(m_info, index, out.size());
        readStored(index, out);
        m_fill.apply(out);
    }

    std::vector<FramePart> partsOf(std::int64_t index) const override {
        if (!m_source || m_fill.fills() || !isStoredAsDelivered()) return {};
        return m_source->partsOfSlice(index, m_layout.bytes());
    }

    void foresee(std::int64_t index) const override {
        if (m_source) m_source->foreseeSlice(index, m_layout.bytes());
    }

private:
    /// True where gather() would copy a slice unchanged.
    bool isStoredAsDelivered() const {
        const std::int64_t parts = m_extents.pairs ? 2 : 1;
        const std::int64_t line = m_extents.samples * parts;
        const auto step = [](std::int64_t extent, std::int64_t is, std::int64_t wanted) {
            return extent == 1 || is == wanted;
        };
        const bool inOrder = step(m_extents.samples, m_steps.sample, parts) &&
                             step(parts, m_steps.part, 1) &&
                             step(m_extents.channels, m_steps.channel, line); // and so transmits
        const bool sameValues = !m_mapping.conjugate && m_mapping.pairOffset == 0.0 &&
                                isStoredAs(m_layout.type, m_info.frame.dtype);
        return inOrder && sameValues;
    }

    void readStored(std::int64_t index, std::span<std::byte> out) {
        if (m_source) m_source->readSlice(m_frameAxis, index, m_block);
        gather(m_source ? 0 : index * m_frameStep, out);
    }

    void gather(std::int64_t offset, std::span<std::byte> out) const {
        visitComponent(m_layout.type, [&](auto zero) {
            using In = decltype(zero);
            const In* block = reinterpret_cast<const In*>(m_block.data()) + offset;
            const auto run = [&](auto outZero) {
                Gather<In, decltype(outZero)>{block, m_steps, m_extents, m_mapping.conjugate,
                                              m_mapping.pairOffset}(out);
            };
            switch (m_info.frame.dtype) {
            case DType::U8: return run(std::uint8_t{});
            case DType::U16: return run(std::uint16_t{});
            case DType::I16:
            case DType::ComplexI16: return run(std::int16_t{});
            default: return run(float{});
            }
        });
    }

    std::unique_ptr<ArraySource> m_source; ///< null once the whole array is in m_block
    ArrayMapping m_mapping;
    ArrayLayout m_layout; ///< of m_block
    ArrayExtents m_extents;
    FrameSteps m_steps;
    std::size_t m_frameAxis = 0;
    std::int64_t m_frameStep = 0;
    std::vector<std::byte> m_block;
    ReciprocalFill m_fill;
};

bool finite(const Point& p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}

} // namespace

std::string_view nameOf(ArrayAxis axis) {
    constexpr std::array<std::string_view, kArrayAxes> kNames{
        "frame", "transmit", "channel", "sample", "iq", "elevation", "depth", "lateral"};
    return kNames[static_cast<std::size_t>(axis)];
}

ArrayExtents extentsOf(const std::filesystem::path& path, const ArrayLayout& layout,
                       const ArrayMapping& mapping) {
    std::vector<std::string_view> names;
    for (const ArrayAxis axis : mapping.axes) names.push_back(nameOf(axis));
    if (mapping.axes.size() != layout.shape.size())
        throw fileError(path, fmt::format("{} axes ({}) are named for an array with {} axes ({}); "
                                          "name each axis once",
                                          mapping.axes.size(), fmt::join(names, ", "),
                                          layout.shape.size(), layout.describe()));
    std::array<std::int64_t, kArrayAxes> extents{};
    for (std::size_t i = 0; i < mapping.axes.size(); ++i) {
        std::int64_t& extent = extents[static_cast<std::size_t>(placeOf(mapping.axes[i]))];
        if (extent != 0)
            throw fileError(
                path, fmt::format("the axis '{}' is named twice; name each axis once", names[i]));
        extent = layout.shape[i];
    }
    const bool image = std::ranges::any_of(mapping.axes, isOfImages);
    for (const ArrayAxis axis : image ? std::array{ArrayAxis::Depth, ArrayAxis::Lateral}
                                      : std::array{ArrayAxis::Channel, ArrayAxis::Sample})
        if (extents[static_cast<std::size_t>(placeOf(axis))] == 0)
            throw fileError(path,
                            fmt::format("no axis is named '{}'; say which of the {} axes of "
                                        "{} it is",
                                        nameOf(axis), layout.shape.size(), layout.describe()));
    const std::int64_t parts = extents[static_cast<std::size_t>(ArrayAxis::Iq)];
    if (parts != 0 && parts != 2)
        throw fileError(path, fmt::format("the axis 'iq' has {} entries, but I and Q are 2; name "
                                          "another axis",
                                          parts));
    if (parts == 2 && layout.type.components == 2)
        throw fileError(path, "its elements are complex and an axis is named 'iq' too; drop one");
    return {std::max<std::int64_t>(extents[0], 1), std::max<std::int64_t>(extents[1], 1),
            extents[2], extents[3], parts == 2 || layout.type.components == 2};
}

FrameSpec imageSpecOf(const ArrayLayout& layout, const ArrayExtents& extents, RecordedForm form) {
    FrameSpec spec;
    spec.dtype = sampleTypeOf(layout.type, extents.pairs);
    spec.recordedForm = form;
    if (extents.transmits > 1)
        spec.axes.push_back({.name = AxisName::Elevation, .size = extents.transmits, .unit = {}});
    spec.axes.push_back({.name = AxisName::Depth, .size = extents.channels, .unit = {}});
    spec.axes.push_back({.name = AxisName::Lateral, .size = extents.samples, .unit = {}});
    return spec;
}

FrameSpec frameSpecOf(const ArrayLayout& layout, const ArrayExtents& extents,
                      double samplingFrequencyHz) {
    FrameSpec spec;
    spec.dtype = sampleTypeOf(layout.type, extents.pairs);
    spec.axes = {
        {.name = AxisName::Transmit, .size = extents.transmits, .unit = {}},
        {.name = AxisName::Channel, .size = extents.channels, .unit = {}},
        {.name = AxisName::Sample,
         .size = extents.samples,
         .spacing = 1.0 / samplingFrequencyHz,
         .unit = "s"},
    };
    return spec;
}

void checkFrameRequest(const RecordingInfo& info, std::int64_t index, std::size_t bytes) {
    if (index < 0 || index >= info.frameCount)
        throw fileError(info.path, fmt::format("frame {} was asked for, but the recording has "
                                               "frames 1 to {}; choose one of these",
                                               index + 1, info.frameCount));
    if (bytes != info.frame.bytes())
        throw fileError(info.path, fmt::format("a frame has {} bytes, but the buffer {}; plan the "
                                               "pipeline for this recording",
                                               info.frame.bytes(), bytes));
}

void checkRecording(const RecordingInfo& info) {
    const auto refuse = [&](const std::string& what) { throw fileError(info.path, what); };
    const FrameSpec& frame = info.frame;
    if (info.frameCount < 1) refuse("it holds no frame; record it again");
    for (const Axis& axis : frame.axes)
        if (axis.size < 1) refuse(fmt::format("its {} axis is empty", nameOf(axis.name)));
    const double fs = frame.samplingFrequencyHz();
    if (!std::isfinite(fs) || fs <= 0.0)
        refuse("its sampling frequency is no positive number; correct it in Hz");
    const Acquisition* acquisition = frame.acquisition.get();
    if (acquisition == nullptr) refuse("nothing says where its elements are");
    const auto& elements = acquisition->probe.elements;
    const auto channels = frame.sizeOf(AxisName::Channel);
    if (elements.empty()) refuse("it has no elements; give their positions or the pitch");
    if (acquisition->receiveElements.empty() &&
        static_cast<std::int64_t>(elements.size()) != channels)
        refuse(
            fmt::format("the geometry has {} elements, but the data {} channels; correct the one "
                        "that is wrong",
                        elements.size(), channels));
    for (std::size_t k = 0; k < elements.size(); ++k)
        if (!finite(elements[k]))
            refuse(fmt::format("the position of element {} is no finite number; correct it", k));
    const auto transmits = frame.sizeOf(AxisName::Transmit);
    if (static_cast<std::int64_t>(acquisition->transmits.size()) != transmits)
        refuse(fmt::format("{} transmits are described, but the data hold {}; correct the one that "
                           "is wrong",
                           acquisition->transmits.size(), transmits));
    for (std::size_t i = 0; i < acquisition->transmits.size(); ++i) {
        const Transmit& transmit = acquisition->transmits[i];
        if (!std::isfinite(transmit.firstSampleS) || !std::isfinite(transmit.iqPhaseZeroS))
            refuse(fmt::format("the time of the first sample of transmit {} is no finite number; "
                               "correct it",
                               i + 1));
        if (!std::isfinite(transmit.angleRad) || !finite(transmit.source))
            refuse(fmt::format("the angle or source of transmit {} is no finite number; correct it",
                               i + 1));
    }
    if (!std::isfinite(acquisition->soundSpeedMps) || acquisition->soundSpeedMps <= 0.0)
        refuse("its speed of sound is no positive number; correct it in m/s");
    for (const double frequency : {frame.centreFrequencyHz, frame.demodulationFrequencyHz})
        if (!std::isfinite(frequency) || frequency < 0.0)
            refuse("its centre or demodulation frequency is negative or no number; correct it");
    if (const auto wrong = contradictionInAcquisition(frame)) refuse(*wrong + "; correct it");
}

std::unique_ptr<Recording>
makeArrayRecording(RecordingInfo info, std::unique_ptr<ArraySource> source, ArrayMapping mapping) {
    return std::make_unique<ArrayRecording>(std::move(info), std::move(source), std::move(mapping));
}

} // namespace echolux
