// SPDX-License-Identifier: GPL-3.0-or-later
// USTB's UFF: an HDF5 tree of MATLAB objects, each with its class. Sizes are in reverse order. Real
// numbers are in single precision, complex ones are a group of real and imag.
#include "app/export/channel_export.hpp"
#include "app/export/facts.hpp"
#include "app/export/hdf5_output.hpp"
#include "app/export/pixels.hpp"
#include "app/export/subject.hpp"
#include "gpu/core/sector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace echolux {
namespace {

/// Data of one kind, (frame, ...), real or complex.
class UffData {
public:
    UffData() = default;
    UffData(hid_t at, std::vector<hsize_t> extent, bool complex);
    /// `values` holds pairs for complex data.
    void append(const std::vector<float>& values);
    void close();

private:
    Hdf5Handle m_group;
    hdf5::FrameRows m_real;
    hdf5::FrameRows m_imaginary;
    bool m_complex = false;
};

void describe(hid_t at, const char* kind, const std::string& name, bool complex = false) {
    hdf5::writeFixedText(at, "class", kind);
    hdf5::writeFixedText(at, "name", name);
    hdf5::writeReals(at, "imaginary", std::array{0.0});
    hdf5::writeReals(at, "complex", std::array{complex ? 1.0 : 0.0});
}

void numbers(hid_t at, const std::string& name, std::vector<hsize_t> extent,
             std::span<const double> values) {
    describe(hdf5::writeNumbers(at, name, extent, H5T_IEEE_F32LE, values).get(), "double", name);
}
void number(hid_t at, const std::string& name, double value) {
    numbers(at, name, {1, 1}, std::array{value});
}

void words(hid_t at, const std::string& name, const std::string& text) {
    const std::vector<double> codes(text.begin(), text.end());
    const std::vector<hsize_t> extent{codes.size(), 1};
    const Hdf5Handle made =
        hdf5::writeNumbers(at, name, extent, H5T_IEEE_F32LE, std::span<const double>(codes));
    hdf5::writeFixedText(made.get(), "class", "char");
    hdf5::writeFixedText(made.get(), "name", name);
}

/// With `count` above 0 it is an array of so many objects.
Hdf5Handle object(hid_t at, const char* kind, const std::string& name, std::size_t count = 0) {
    Hdf5Handle group = hdf5::createGroup(at, name);
    hdf5::writeFixedText(group.get(), "class", kind);
    hdf5::writeFixedText(group.get(), "name", name);
    const auto size = static_cast<double>(std::max<std::size_t>(count, 1));
    hdf5::writeReals(group.get(), "size", std::array{1.0, size});
    hdf5::writeReals(group.get(), "array", std::array{count > 0 ? 1.0 : 0.0});
    return group;
}

UffData::UffData(hid_t at, std::vector<hsize_t> extent, bool complex) : m_complex(complex) {
    const auto rows = [&](hid_t place, const char* name) {
        return hdf5::FrameRows(place, name, hdf5::copied(H5T_IEEE_F32LE),
                               hdf5::copied(H5T_NATIVE_FLOAT), extent);
    };
    if (!complex) {
        m_real = rows(at, "data");
        describe(m_real.get(), "single", "data");
        return;
    }
    m_group = hdf5::createGroup(at, "data");
    describe(m_group.get(), "single", "data", true);
    m_real = rows(m_group.get(), "real");
    m_imaginary = rows(m_group.get(), "imag");
    describe(m_real.get(), "single", "real");
    describe(m_imaginary.get(), "single", "imag");
}

void UffData::append(const std::vector<float>& values) {
    if (!m_complex) {
        m_real.append(values.data());
        return;
    }
    std::vector<float> part(values.size() / 2);
    for (const std::size_t which : {0U, 1U}) {
        for (std::size_t i = 0; i < part.size(); ++i) part[i] = values[2 * i + which];
        (which == 0 ? m_real : m_imaginary).append(part.data());
    }
}

void UffData::close() {
    m_real.close();
    m_imaginary.close();
    m_group.close();
}

/// Direction and distance of a point: x = d sin az cos el, y = d sin el, z = d cos az cos el.
void point(hid_t at, const std::string& name, double distanceM, const Point& place) {
    const Hdf5Handle group = object(at, "uff.point", name);
    const double length = std::hypot(place.x, place.y, place.z);
    number(group.get(), "distance", distanceM);
    number(group.get(), "azimuth", length > 0.0 ? std::atan2(place.x, place.z) : 0.0);
    number(group.get(), "elevation", length > 0.0 ? std::asin(place.y / length) : 0.0);
}

void writeProbe(hid_t at, const Probe& probe) {
    const Hdf5Handle group = object(at, "uff.probe", "probe");
    const std::size_t count = probe.elements.size();
    const std::vector<Point> normals = faceNormals(probe);
    std::vector<double> geometry(7 * count, 0.0);
    for (std::size_t e = 0; e < count; ++e) {
        const Point& p = probe.elements[e];
        const Point& n = normals[e];
        double width = probe.elementWidthM;
        double height = probe.elementHeightM;
        if (!probe.longAxes.empty() && probe.longAxes[e] == LongAxis::Lateral)
            std::swap(width, height);
        const std::array<double, 7> row{
            p.x,   p.y,   p.z, std::atan2(n.x, n.z), std::asin(std::clamp(n.y, -1.0, 1.0)),
            width, height};
        for (std::size_t i = 0; i < row.size(); ++i) geometry[i * count + e] = row[i];
    }
    numbers(group.get(), "geometry", {7, count}, geometry);
}

/// The time when the wave passes the origin, on the clock that USTB's formulas use. For a source
/// they count the path as if the wave passed the origin at time 0.
double passageS(const Transmit& transmit, double soundSpeedMps) {
    if (transmit.wave != Wave::Element) return 0.0;
    const Point& s = transmit.source;
    const double way = std::hypot(s.x, s.y, s.z) / soundSpeedMps;
    constexpr double kBehindM = -1e-3;
    return s.z < kBehindM ? -way : way;
}

void writeWave(hid_t at, const std::string& name, const Transmit& transmit,
               const Acquisition& acquisition, double delayS) {
    const Hdf5Handle group = object(at, "uff.wave", name);
    const bool silent = transmit.wave == Wave::None; // a photoacoustic wavefront
    const bool plane = transmit.wave == Wave::Plane || silent;
    const Hdf5Handle front =
        hdf5::writeNumbers(group.get(), "wavefront", std::array<hsize_t, 2>{1, 1}, H5T_IEEE_F32LE,
                           std::array{silent  ? 2.0
                                      : plane ? 0.0
                                              : 1.0});
    hdf5::writeFixedText(front.get(), "class", "uff.wavefront");
    hdf5::writeFixedText(front.get(), "name", "wavefront");
    const Point place = plane ? direction(transmit, acquisition.steering) : transmit.source;
    point(group.get(), "source",
          plane ? std::numeric_limits<double>::infinity() : std::hypot(place.x, place.y, place.z),
          place);
    number(group.get(), "delay", delayS);
    number(group.get(), "sound_speed", acquisition.soundSpeedMps);
    if (transmit.apodization.empty()) return;
    const Hdf5Handle weights = object(group.get(), "uff.apodization", "apodization");
    numbers(weights.get(), "apodization_vector", {1, transmit.apodization.size()},
            std::vector<double>(transmit.apodization.begin(), transmit.apodization.end()));
}

class UffChannels : public FrameWriter {
public:
    UffChannels(const ExportSubject& subject, OutputFiles& files)
        : m_channels(subject), m_file(hdf5::createFile(files.partial())) {
        const FrameSpec& frame = subject.frame;
        const Acquisition& acquisition = *frame.acquisition;
        hdf5::writeFixedText(m_file.get(), "version", "v1.2.0");
        m_object = object(m_file.get(), "uff.channel_data", "channel_data");
        const hid_t at = m_object.get();
        const double c = acquisition.soundSpeedMps;
        const std::vector<Transmit>& transmits = acquisition.transmits;
        // Single precision; the delays take its rounding error.
        const auto onAxis = [&](const Transmit& t) { return t.firstSampleS + passageS(t, c); };
        const double first = static_cast<float>(onAxis(transmits.front()));
        number(at, "initial_time", first);
        number(at, "sampling_frequency", frame.samplingFrequencyHz());
        number(at, "modulation_frequency",
               m_channels.isComplex() ? frame.demodulationFrequencyHz : 0.0);
        number(at, "sound_speed", c);
        if (subject.frameRateHz > 0.0)
            number(at, "PRF", subject.frameRateHz * static_cast<double>(transmits.size()));
        words(at, "name", descriptionOf(subject));
        writeProbe(at, acquisition.probe);
        if (frame.centreFrequencyHz > 0.0) {
            const Hdf5Handle pulse = object(at, "uff.pulse", "pulse");
            number(pulse.get(), "center_frequency", frame.centreFrequencyHz);
        }
        std::vector<double> zeros;
        const bool several = transmits.size() > 1;
        const Hdf5Handle list =
            several ? object(at, "uff.wave", "sequence", transmits.size()) : Hdf5Handle();
        for (std::size_t i = 0; i < transmits.size(); ++i) {
            const double delay = onAxis(transmits[i]) - first;
            writeWave(several ? list.get() : at,
                      several ? fmt::format("sequence_{:04}", i + 1) : "sequence", transmits[i],
                      acquisition, delay);
            zeros.push_back(delay - passageS(transmits[i], c));
        }
        m_channels.setPhaseZero(std::move(zeros));
        m_data = UffData(at,
                         {static_cast<hsize_t>(subject.frames), m_channels.transmits(),
                          m_channels.elements(), m_channels.samples()},
                         m_channels.isComplex());
        if (subject.remarks != nullptr)
            for (const std::string& loss : m_channels.losses()) subject.remarks->push_back(loss);
    }
    void add(std::span<const std::byte> frame) override { m_data.append(m_channels.values(frame)); }
    void finish() override {
        m_data.close();
        m_object.close();
        hdf5::closeFile(m_file);
    }

private:
    ChannelExport m_channels;
    Hdf5Handle m_file;
    Hdf5Handle m_object;
    UffData m_data;
};

/// Amplitudes from levels in dB, 1 at 0 dB.
void toAmplitudes(std::vector<float>& levels) {
    for (float& level : levels) level = std::pow(10.0F, level / 20.0F);
}

/// The factor exp(-2 pi j f 2 d / c) of each depth, because USTB's beamformed IQ data have no
/// carrier. f is their demodulation frequency. d is the pixel's depth, or its range along its line.
std::vector<std::complex<double>> carrierOff(const FrameSpec& image, double soundSpeedMps) {
    const Axis& depth = *image.find(AxisName::Depth);
    std::vector<std::complex<double>> turns;
    for (std::int64_t i = 0; i < depth.size; ++i) {
        const double range = depth.origin + static_cast<double>(i) * depth.spacing;
        const double cycles = 2.0 * range * image.demodulationFrequencyHz / soundSpeedMps;
        turns.push_back(std::polar(1.0, -2.0 * std::numbers::pi * (cycles - std::floor(cycles))));
    }
    return turns;
}

class UffImages : public FrameWriter {
public:
    UffImages(const ExportSubject& subject, OutputFiles& files)
        : m_frame(subject.frame), m_isLevel(subject.form == RecordedForm::Decibels),
          m_file(hdf5::createFile(files.partial())) {
        if (m_isLevel && subject.remarks != nullptr)
            subject.remarks->push_back("USTB knows no levels in dB: they are written as "
                                       "amplitudes, 1 at 0 dB.");
        if (isComplex(m_frame.dtype) && subject.beamformedAtMps > 0.0)
            m_turns = carrierOff(m_frame, subject.beamformedAtMps);
        hdf5::writeFixedText(m_file.get(), "version", "v1.2.0");
        m_object = object(m_file.get(), "uff.beamformed_data", "b_data");
        const hid_t at = m_object.get();
        writeScan(at);
        words(at, "name", descriptionOf(subject));
        if (m_frame.demodulationFrequencyHz > 0.0)
            number(at, "modulation_frequency", m_frame.demodulationFrequencyHz);
        if (subject.frameRateHz > 0.0) number(at, "frame_rate", subject.frameRateHz);
        // In USTB the order is [pixel, channel, wave, frame].
        m_data = UffData(
            at, {static_cast<hsize_t>(subject.frames), 1, 1, static_cast<hsize_t>(m_frame.count())},
            isComplex(m_frame.dtype));
    }
    void add(std::span<const std::byte> frame) override {
        std::vector<float> values = valuesOf(m_frame, frame);
        if (m_isLevel) toAmplitudes(values);
        FrameSpec plain = m_frame;
        plain.dtype = isComplex(m_frame.dtype) ? DType::ComplexF32 : DType::F32;
        const std::vector<std::byte> columns = columnsOf(plain, std::as_bytes(std::span(values)));
        const auto* first = reinterpret_cast<const float*>(columns.data());
        values.assign(first, first + values.size());
        takeCarrierOff(values);
        m_data.append(values);
    }
    void finish() override {
        m_data.close();
        m_object.close();
        hdf5::closeFile(m_file);
    }

private:
    /// Multiplies pairs whose depth is fastest.
    void takeCarrierOff(std::vector<float>& values) const {
        for (std::size_t i = 0; !m_turns.empty() && 2 * i < values.size(); ++i) {
            const std::complex<double> turned =
                m_turns[i % m_turns.size()] *
                std::complex<double>(values[2 * i], values[2 * i + 1]);
            values[2 * i] = static_cast<float>(turned.real());
            values[2 * i + 1] = static_cast<float>(turned.imag());
        }
    }
    static std::vector<double> placesOf(const Axis& axis) {
        std::vector<double> places(static_cast<std::size_t>(axis.size));
        for (std::size_t i = 0; i < places.size(); ++i)
            places[i] = axis.origin + static_cast<double>(i) * axis.spacing;
        return places;
    }
    /// Writes pixels with depth fastest, then lateral, then elevation.
    void writeScan(hid_t at) {
        const Axis& depth = *m_frame.find(AxisName::Depth);
        const Axis& lateral = *m_frame.find(AxisName::Lateral);
        const Axis* elevation = m_frame.find(AxisName::Elevation);
        const std::vector<double> z = placesOf(depth);
        const std::vector<double> x = placesOf(lateral);
        if (m_frame.sector) {
            writeSector(at, z);
        } else if (elevation == nullptr) {
            const Hdf5Handle scan = object(at, "uff.linear_scan", "scan");
            numbers(scan.get(), "x_axis", {x.size()}, x);
            numbers(scan.get(), "z_axis", {z.size()}, z);
        } else {
            const Hdf5Handle scan = object(at, "uff.scan", "scan");
            std::array<std::vector<double>, 3> xyz;
            for (const double y : placesOf(*elevation))
                for (const double across : x)
                    for (const double down : z) {
                        xyz[0].push_back(across);
                        xyz[1].push_back(y);
                        xyz[2].push_back(down);
                    }
            writePixels(scan.get(), xyz);
        }
    }
    void writeSector(hid_t at, const std::vector<double>& ranges) {
        const Sector& sector = *m_frame.sector;
        const Hdf5Handle scan = object(at, "uff.sector_scan", "scan");
        std::vector<double> distances;
        for (const double range : ranges) distances.push_back(sector.radiusM + range);
        numbers(scan.get(), "azimuth_axis", {sector.anglesRad.size()}, sector.anglesRad);
        numbers(scan.get(), "depth_axis", {distances.size()}, distances);
        writeOrigins(scan.get(), sector);
        std::array<std::vector<double>, 3> xyz;
        for (std::size_t line = 0; line < sector.lines(); ++line)
            for (const double range : ranges) {
                const Point p = sector.at(line, range);
                xyz[0].push_back(p.x);
                xyz[1].push_back(0.0);
                xyz[2].push_back(p.z);
            }
        writePixels(scan.get(), xyz);
    }
    /// Writes one origin for all lines, or one for each.
    static void writeOrigins(hid_t scan, const Sector& sector) {
        const auto write = [](hid_t at, const std::string& name, const Point& place) {
            point(at, name, std::hypot(place.x, place.z), place);
        };
        if (sector.hasOneApex()) return write(scan, "origin", {sector.apexXM, 0.0, sector.apexZM});
        const Hdf5Handle list = object(scan, "uff.point", "origin", sector.lines());
        for (std::size_t i = 0; i < sector.lines(); ++i)
            write(list.get(), fmt::format("origin_{:04}", i + 1), sector.startOf(i));
    }
    static void writePixels(hid_t scan, const std::array<std::vector<double>, 3>& xyz) {
        constexpr std::array kNames{"x", "y", "z"};
        for (std::size_t i = 0; i < xyz.size(); ++i)
            numbers(scan, kNames[i], {xyz[i].size()}, xyz[i]);
    }

    FrameSpec m_frame;
    bool m_isLevel = false;                    ///< in dB
    std::vector<std::complex<double>> m_turns; ///< per depth; empty: samples stay as they are
    Hdf5Handle m_file;
    Hdf5Handle m_object;
    UffData m_data;
};

} // namespace

std::unique_ptr<FrameWriter> makeUffWriter(const ExportSubject& subject, OutputFiles& files) {
    if (subject.isChannelData()) return std::make_unique<UffChannels>(subject, files);
    if (!subject.isImage() || subject.frame.find(AxisName::Depth)->unit != "m")
        refuseContent(files, subject, "a UFF file holds channel data, and images in metres");
    if (subject.frame.isOneWay && isComplex(subject.frame.dtype))
        refuseContent(files, subject,
                      "USTB cannot say that sound travelled one way to these complex values");
    return std::make_unique<UffImages>(subject, files);
}

} // namespace echolux
