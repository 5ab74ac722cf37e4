// SPDX-License-Identifier: GPL-3.0-or-later
// binary_time_series_data is [detector][sample][wavelength][frame]; older files lack one of the
// last two, or both. Sample 0 is when the light flashes, so t = 0 on the common clock. Detectors
// are groups, counted by the number at the end of their names ("0000000010",
// "detection_element_10"). What is unknown is missing, or the text "None".
#include "app/dataset/formats/ipasc.hpp"

#include "app/dataset/container/hdf5_values.hpp"
#include "app/dataset/formats/ipasc_detectors.hpp"
#include "app/dataset/frames/array_recording.hpp"
#include "app/dataset/recording/track_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

namespace echolux {

namespace {

constexpr const char* kTimeSeries = "binary_time_series_data";
constexpr const char* kAcquired = "meta_data";
constexpr const char* kDevice = "meta_data_device";
constexpr const char* kDetectors = "meta_data_device/detectors";
constexpr std::size_t kWavelengthAxis = 2;
constexpr std::size_t kMostDetectors = 65536;
constexpr std::int64_t kMostWavelengths = 4096;

/// [detector][sample][wavelength][frame], or the same without frames, at one wavelength.
class OneWavelength : public ArraySource {
public:
    OneWavelength(std::unique_ptr<ArraySource> source, std::size_t wavelength)
        : m_source(std::move(source)), m_wavelength(wavelength) {
        m_layout = m_source->layout();
        m_layout.shape.erase(m_layout.shape.begin() + kWavelengthAxis);
    }
    bool canSlice(std::size_t /*axis*/) const override { return false; }
    void read(std::span<std::byte> out) override {
        const auto at = static_cast<std::int64_t>(m_wavelength);
        if (m_source->canSlice(kWavelengthAxis))
            return m_source->readSlice(kWavelengthAxis, at, out);
        std::vector<std::byte> all(m_source->layout().bytes());
        m_source->read(all);
        const auto& shape = m_source->layout().shape;
        const std::size_t frames = shape.size() > kWavelengthAxis + 1
                                       ? static_cast<std::size_t>(shape.back())
                                       : std::size_t{1};
        const std::size_t run = frames * m_layout.type.size();
        const std::size_t step = run * static_cast<std::size_t>(shape[kWavelengthAxis]);
        const std::byte* from = all.data() + m_wavelength * run;
        for (std::size_t to = 0; to < out.size(); to += run, from += step)
            std::memcpy(out.data() + to, from, run);
    }
    void readSlice(std::size_t, std::int64_t, std::span<std::byte>) override {}

private:
    std::unique_ptr<ArraySource> m_source;
    std::size_t m_wavelength = 0;
};

/// The number at the end of a name; -1: there is none.
std::int64_t detectorNumber(const std::string& name) {
    const std::size_t letters = name.find_last_not_of("0123456789") + 1;
    const std::string digits = name.substr(letters);
    return digits.empty() || digits.size() > 18 ? -1 : std::stoll(digits);
}

bool areFinite(std::span<const double> values) {
    return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

/// `size` finite numbers; empty where there are none.
template <std::size_t size>
std::optional<std::array<double, size>> finiteNumbers(const Hdf5Values& group, const char* name) {
    const auto values = group.numbers(name);
    if (!values || values->size() != size || !areFinite(*values)) return std::nullopt;
    std::array<double, size> list{};
    std::ranges::copy(*values, list.begin());
    return list;
}

class IpascReader {
public:
    IpascReader(std::shared_ptr<Hdf5File> tree, const OpenOptions& options)
        : m_tree(std::move(tree)), m_acquired(m_tree, kAcquired), m_options(options) {
        m_info.path = m_tree->path();
        m_info.format = "IPASC photoacoustic time series";
    }

    std::unique_ptr<Recording> build() {
        if (m_acquired.text("dimensionality") == "space")
            throw m_acquired.error("its dimensionality is 'space', which are images and no time "
                                   "series; save the time series");
        auto source = readWavelength(m_tree->open(kTimeSeries));
        const std::size_t dimensions = source->layout().shape.size();
        ArrayMapping mapping{.axes = {ArrayAxis::Channel, ArrayAxis::Sample}};
        if (dimensions == 3) mapping.axes.push_back(ArrayAxis::Frame);
        const ArrayExtents extents = extentsOf(m_info.path, source->layout(), mapping);
        if (extents.pairs)
            throw m_acquired.error(
                fmt::format("'{}' holds complex numbers, but time series are real", kTimeSeries));
        const double fs = readSamplingRate();
        m_info.frame = frameSpecOf(source->layout(), extents, fs);
        m_info.frameCount = extents.frames;
        readFrameRate();
        Acquisition acquisition;
        acquisition.probe = readProbe(extents.channels);
        acquisition.soundSpeedMps = readSoundSpeed(acquisition.soundSpeedMps);
        acquisition.transmits.resize(1);
        acquisition.transmits.front().wave = Wave::None;
        readBand(acquisition.probe, fs);
        m_info.frame.acquisition = std::make_shared<const Acquisition>(std::move(acquisition));
        return makeArrayRecording(std::move(m_info), std::move(source), mapping);
    }

private:
    /// The samples at the chosen wavelength, without its axis.
    std::unique_ptr<ArraySource> readWavelength(std::unique_ptr<ArraySource> source) {
        const std::vector<std::int64_t> shape = source->layout().shape;
        if (shape.size() < 2 || shape.size() > 4)
            throw m_acquired.error(
                fmt::format("'{}' is {}, but time series are [detector][sample][wavelength]"
                            "[frame]; save it so",
                            kTimeSeries, source->layout().describe()));
        const std::vector<double> light = numbersOf("acquisition_wavelengths");
        const bool separate =
            shape.size() == 4 || (shape.size() == 3 && std::ssize(light) == shape[kWavelengthAxis]);
        if (!separate || shape[kWavelengthAxis] == 1) {
            if (light.size() == 1) m_info.notes.emplace_back("Light", inNm(light.front()));
            if (!separate) return source;
            return withoutAxes(m_info.path, std::move(source), {kWavelengthAxis});
        }
        if (shape[kWavelengthAxis] > kMostWavelengths)
            throw m_acquired.error(
                fmt::format("'{}' has {} wavelengths of light, but {} are the most; save fewer",
                            kTimeSeries, shape[kWavelengthAxis], kMostWavelengths));
        for (std::int64_t i = 0; i < shape[kWavelengthAxis]; ++i)
            m_info.tracks.push_back(std::ssize(light) == shape[kWavelengthAxis]
                                        ? inNm(light[static_cast<std::size_t>(i)])
                                        : fmt::format("wavelength {}", i + 1));
        m_info.track = chosenTrack(m_info.path, m_info.tracks, m_options);
        m_info.notes.emplace_back("Light", m_info.tracks[m_info.track]);
        return std::make_unique<OneWavelength>(std::move(source), m_info.track);
    }

    /// Empty where there are none.
    std::vector<double> numbersOf(const char* name) const {
        return m_acquired.numbers(name).value_or(std::vector<double>{});
    }

    /// Some devices write nanometres.
    static std::string inNm(double wavelength) {
        return fmt::format("{:.5g} nm", wavelength < 1e-3 ? 1e9 * wavelength : wavelength);
    }

    double readSamplingRate() const {
        const auto rate = finiteNumbers<1>(m_acquired, "ad_sampling_rate");
        if (!rate || !(rate->front() > 0.0))
            throw m_acquired.error("its meta_data/ad_sampling_rate is missing or no positive "
                                   "number of Hz; add it");
        return rate->front();
    }

    /// From times of the frames in s.
    void readFrameRate() {
        const std::vector<double> times = numbersOf("measurement_timestamps");
        if (std::ssize(times) != m_info.frameCount || times.size() < 2) return;
        const double rate = static_cast<double>(times.size() - 1) / (times.back() - times.front());
        if (rate > 0.0 && std::isfinite(rate)) m_info.frameRateHz = rate;
    }

    double readSoundSpeed(double usual) {
        const std::vector<double> speeds = numbersOf("speed_of_sound");
        double sum = 0.0;
        for (const double speed : speeds) sum += speed;
        const double mean = sum / static_cast<double>(speeds.size());
        if (!(mean > 0.0) || !std::isfinite(mean)) {
            m_info.warnings.push_back(fmt::format(
                "It gives no speed of sound; {:g} m/s is assumed, set the speed of sound.", usual));
            return usual;
        }
        if (speeds.size() > 1)
            m_info.warnings.push_back(fmt::format("It gives a map of the speed of sound; its mean, "
                                                  "{:.5g} m/s, is taken everywhere.",
                                                  mean));
        return mean;
    }

    Probe readProbe(std::int64_t channels) {
        std::vector<std::string> names;
        for (const std::string& name : m_tree->children(kDetectors, kMostDetectors))
            if (m_tree->isGroup(std::string(kDetectors) + "/" + name)) names.push_back(name);
        std::ranges::stable_sort(names, {}, detectorNumber);
        if (names.empty() || std::ssize(names) != channels)
            throw m_acquired.error(fmt::format("'{}' lists {} detectors, but '{}' has {} channels; "
                                               "correct the one that is wrong",
                                               kDetectors, names.size(), kTimeSeries, channels));
        std::vector<IpascDetector> detectors;
        for (const std::string& name : names) detectors.push_back(readDetector(name));
        IpascArray array = arrayOf(
            detectors, finiteNumbers<6>(Hdf5Values(m_tree, kDevice), "general/field_of_view"));
        m_info.notes.emplace_back("Coordinates", array.coordinates);
        if (const auto name = m_acquired.text("photoacoustic_imaging_device_reference");
            name && name != "None")
            array.probe.name = *name;
        m_firstDetector = names.front();
        return std::move(array.probe);
    }

    IpascDetector readDetector(const std::string& name) const {
        const Hdf5Values group(m_tree, std::string(kDetectors) + "/" + name);
        const auto place = finiteNumbers<3>(group, "detector_position");
        if (!place)
            throw group.error(fmt::format("'{}' is missing or no three finite numbers; add the "
                                          "detector's place in m",
                                          group.at("detector_position")));
        using Three = std::array<double, 3>;
        IpascDetector detector{
            *place, finiteNumbers<3>(group, "detector_orientation").value_or(Three{}), {}};
        if (const auto kind = group.text("detector_geometry_type"); !kind || kind == "CUBOID")
            detector.extent = finiteNumbers<3>(group, "detector_geometry").value_or(Three{});
        return detector;
    }

    /// The band in which the first detector hears at least half as well as at its best.
    void readBand(Probe& probe, double fs) {
        const Hdf5Values group(m_tree, std::string(kDetectors) + "/" + m_firstDetector);
        const auto shape = group.shape("frequency_response");
        if (shape.size() != 2 || shape[0] != 2 || shape[1] < 3) return;
        const auto values = group.numbers("frequency_response");
        if (!areFinite(*values)) return;
        const auto count = static_cast<std::size_t>(shape[1]);
        const std::span<const double> hertz(values->data(), count);
        const std::span<const double> heard(values->data() + count, count);
        const double half = 0.5 * std::ranges::max(heard);
        double low = fs;
        double high = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
            if (heard[i] < half) continue;
            low = std::min(low, hertz[i]);
            high = std::max(high, hertz[i]);
        }
        constexpr double kLeastBandHz = 1e4; // lower ones are wavelengths of light in nm
        const bool isBand = low > kLeastBandHz && high > low && high < 0.5 * fs;
        if (!isBand) return;
        probe.centreFrequencyHz = 0.5 * (low + high);
        probe.fractionalBandwidth = (high - low) / probe.centreFrequencyHz;
        m_info.frame.centreFrequencyHz = probe.centreFrequencyHz;
    }

    std::shared_ptr<Hdf5File> m_tree;
    Hdf5Values m_acquired;
    const OpenOptions& m_options;
    RecordingInfo m_info;
    std::string m_firstDetector;
};

} // namespace

bool looksLikeIpasc(const Hdf5File& tree) {
    return tree.isNumeric(kTimeSeries) && tree.isGroup(kAcquired) && tree.isGroup(kDetectors);
}

std::unique_ptr<Recording> openIpasc(std::shared_ptr<Hdf5File> tree, const OpenOptions& options) {
    return IpascReader(std::move(tree), options).build();
}

} // namespace echolux
