// SPDX-License-Identifier: GPL-3.0-or-later
// Guesses the axes of an array of channel data from its shape, its values, and the arrays beside
// it.
#include "app/dataset/frames/channel_import.hpp"

#include "app/dataset/frames/line_statistics.hpp"
#include "app/dataset/frames/raw_import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace echolux {

namespace {

constexpr std::size_t kMostArrays = 512;
constexpr std::int64_t kMostNumbers = 4096;

/// The largest array of two axes or more; empty where there is none.
std::string largestArray(ArrayContainer& container, const std::vector<std::string>& names) {
    std::string found;
    std::int64_t most = 63;
    for (const std::string& name : names) {
        try {
            const auto source = container.open(name);
            const std::int64_t count = source->layout().count();
            if (source->layout().shape.size() < 2 || count <= most) continue;
            most = count;
            found = name;
        } catch (const Error&) { // text, references and the like
        }
    }
    return found;
}

/// Some values of the array, with their own layout.
struct Looked {
    std::vector<double> values;
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> strides;
    std::size_t firstAxis = 0; ///< axis of the array that shape[0] belongs to
};

Looked lookAt(ArraySource& source) {
    ArrayLayout layout = source.layout();
    Looked looked;
    std::vector<std::byte> bytes;
    if (layout.bytes() <= kMostLooked) {
        bytes.resize(static_cast<std::size_t>(layout.bytes()));
        source.read(bytes);
    } else if (source.canSlice(0)) {
        const std::int64_t middle = layout.shape.front() / 2;
        layout.shape.erase(layout.shape.begin());
        looked.firstAxis = 1;
        if (layout.bytes() > kMostLooked) return looked;
        bytes.resize(static_cast<std::size_t>(layout.bytes()));
        source.readSlice(0, middle, bytes);
    } else {
        return looked;
    }
    looked.values = toDoubles(layout.type, bytes);
    for (double& value : looked.values)
        if (!std::isfinite(value)) value = 0.0;
    looked.shape = layout.shape;
    looked.strides = layout.strides();
    if (layout.type.components == 2) { // real parts suffice
        for (std::size_t i = 0; i < looked.values.size() / 2; ++i)
            looked.values[i] = looked.values[2 * i];
        looked.values.resize(looked.values.size() / 2);
    }
    return looked;
}

/// Lines along `axis` of the values that were read, at most 64 of them.
LineGrid linesAlong(const Looked& looked, std::size_t axis) {
    LineGrid grid{static_cast<std::size_t>(looked.shape[axis]),
                  static_cast<std::size_t>(looked.strides[axis]),
                  {}};
    const auto length = static_cast<std::int64_t>(grid.length);
    const std::int64_t lines = std::ssize(looked.values) / std::max<std::int64_t>(length, 1);
    const std::int64_t step = std::max<std::int64_t>(1, lines / 64);
    for (std::int64_t line = 0; line < lines; line += step) {
        std::int64_t rest = line;
        std::int64_t start = 0;
        for (std::size_t i = looked.shape.size(); i-- > 0;) {
            if (i == axis) continue;
            start += rest % looked.shape[i] * looked.strides[i];
            rest /= looked.shape[i];
        }
        grid.starts.push_back(static_cast<std::size_t>(start));
    }
    return grid;
}

class Roles {
public:
    Roles(const ArrayLayout& layout, Looked looked)
        : m_layout(layout), m_looked(std::move(looked)), m_roles(layout.shape.size()) {}

    std::vector<ImportAxis> find() {
        takePairs();
        const std::size_t samples = samplesAxis();
        m_roles[samples] = ArrayAxis::Sample;
        std::vector<std::size_t> rest; // from slowest to fastest
        for (std::size_t i = 0; i < m_roles.size(); ++i) {
            const std::size_t axis = m_layout.columnMajor ? m_roles.size() - 1 - i : i;
            if (!m_roles[axis] && m_layout.shape[axis] != 1) rest.push_back(axis);
        }
        if (!rest.empty()) {
            const auto channels = std::ranges::max_element(
                rest, {}, [&](std::size_t axis) { return channelScore(axis, samples); });
            m_roles[*channels] = ArrayAxis::Channel;
            rest.erase(channels);
        }
        if (rest.size() > 1) {
            m_roles[rest[0]] = ArrayAxis::Frame;
            m_roles[rest[1]] = ArrayAxis::Transmit;
        } else if (rest.size() == 1) {
            m_roles[rest[0]] = repeats(rest[0]) ? ArrayAxis::Frame : ArrayAxis::Transmit;
        }
        std::vector<ImportAxis> axes;
        for (std::size_t i = 0; i < m_roles.size(); ++i)
            axes.push_back({m_roles[i], m_layout.shape[i]});
        return axes;
    }

    LineGrid lines(std::size_t axis) const { return linesAlong(m_looked, axis - first()); }
    const std::vector<double>& values() const { return m_looked.values; }
    bool seen(std::size_t axis) const { return !m_looked.values.empty() && axis >= first(); }

private:
    std::size_t first() const { return m_looked.firstAxis; }

    /// An axis of two values that lie side by side counts I and Q.
    void takePairs() {
        if (m_layout.type.components == 2 || m_layout.shape.size() < 3) return;
        const std::size_t axis = m_layout.columnMajor ? 0 : m_layout.shape.size() - 1;
        if (m_layout.shape[axis] == 2) m_roles[axis] = ArrayAxis::Iq;
    }

    /// The axis that is long and along which earlier values predict the next one.
    std::size_t samplesAxis() const {
        constexpr double kMostGainDb = 20.0;
        std::size_t found = 0;
        double best = -1.0;
        for (std::size_t axis = 0; axis < m_roles.size(); ++axis) {
            if (m_roles[axis] || m_layout.shape[axis] < 2) continue;
            double score = 2.0 * std::log2(static_cast<double>(m_layout.shape[axis]));
            if (seen(axis) && m_layout.shape[axis] >= 32)
                score += 0.5 * std::clamp(predictionGainDb(m_looked.values, lines(axis)), 0.0,
                                          kMostGainDb);
            if (score > best) {
                best = score;
                found = axis;
            }
        }
        return found;
    }

    double channelScore(std::size_t axis, std::size_t samples) const {
        constexpr std::array<std::int64_t, 12> kUsual{128, 64,  256, 192, 96,   32,
                                                      80,  512, 160, 48,  1024, 16};
        const std::int64_t size = m_layout.shape[axis];
        double score = std::min(std::log2(static_cast<double>(size)), 8.0);
        if (std::ranges::count(kUsual, size) > 0) score += 4.0;
        if (axis + 1 == samples || samples + 1 == axis) score += 1.5;
        return score;
    }

    /// True where neighbours along the axis resemble each other sample by sample. Frames of one
    /// scene do; transmits do not.
    bool repeats(std::size_t axis) const {
        if (!seen(axis) || m_layout.shape[axis] < 2) return false;
        const auto stride = static_cast<std::size_t>(m_looked.strides[axis - first()]);
        return selfLikeness(m_looked.values, stride) > 0.5;
    }

    const ArrayLayout& m_layout;
    Looked m_looked;
    std::vector<std::optional<ArrayAxis>> m_roles;
};

/// The last part of a path, in small letters and without the unit, with the factor to SI units.
struct Key {
    std::string word;
    double unit = 1.0;
    bool degrees = false;
};
Key keyOf(const std::string& path) {
    Key key;
    const std::size_t last = path.find_last_of("/.");
    for (const char each : path.substr(last == std::string::npos ? 0 : last + 1))
        key.word += static_cast<char>(std::tolower(static_cast<unsigned char>(each)));
    constexpr std::array<std::pair<std::string_view, double>, 9> kUnits{{{"_mhz", 1e6},
                                                                         {"_khz", 1e3},
                                                                         {"_hz", 1.0},
                                                                         {"_mps", 1.0},
                                                                         {"_mm", 1e-3},
                                                                         {"_us", 1e-6},
                                                                         {"_rad", 1.0},
                                                                         {"_m", 1.0},
                                                                         {"_s", 1.0}}};
    for (const auto& [unit, factor] : kUnits)
        if (key.word.ends_with(unit) && key.word.size() > unit.size()) {
            key.word.resize(key.word.size() - unit.size());
            key.unit = factor;
            return key;
        }
    if (key.word.ends_with("_deg")) {
        key.word.resize(key.word.size() - 4);
        key.degrees = true;
    }
    return key;
}

/// Facts from small arrays whose names tell their meaning. Values outside the usual range have
/// another unit or another meaning, and are ignored.
class NamedFacts {
public:
    NamedFacts(const std::filesystem::path& path, ArrayContainer& container, ChannelImport& import)
        : m_path(path), m_container(container), m_import(import) {}

    void take(const std::string& name) {
        const Key key = keyOf(name);
        const auto is = [&](std::initializer_list<std::string_view> words) {
            return std::ranges::count(words, key.word) > 0;
        };
        ChannelImport& to = m_import;
        if (is({"fs", "sampling_frequency", "samplingfrequency", "sampling_rate"}))
            one(name, key, to.samplingFrequencyHz, 1e4, 1e10);
        else if (is({"f0", "fc", "center_frequency", "centre_frequency", "transmit_frequency"}))
            one(name, key, to.centreFrequencyHz, 1e4, 1e10);
        else if (is({"fd", "fdemod", "demodulation_frequency", "modulation_frequency"}))
            one(name, key, to.demodulationFrequencyHz, 1e4, 1e10);
        else if (is({"c", "c0", "sound_speed", "speed_of_sound"}))
            one(name, key, to.soundSpeedMps, 300.0, 15e3);
        else if (is({"pitch"}))
            one(name, key, to.pitchM, 1e-6, 0.1);
        else if (is({"radius", "radius_of_curvature"}))
            one(name, key, to.radiusM, 1e-3, 1.0);
        else if (is({"frame_rate", "fps"}))
            one(name, key, to.frameRateHz, 1e-3, 1e6);
        else if (is({"t0", "first_sample", "initial_time", "initial_times", "start_time"}))
            list(name, key, to.firstSampleS, 1.0);
        else if (is({"angle", "angles", "theta", "steering_angle", "steering_angles"}))
            angles(name, key);
    }

private:
    std::vector<double> numbers(const std::string& name) {
        try {
            const auto source = m_container.open(name);
            const std::int64_t count = source->layout().count();
            if (count > kMostNumbers) return {};
            return readNumbers(m_path, *source, name);
        } catch (const Error&) { // reported where the user names this array
            return {};
        }
    }
    void one(const std::string& name, const Key& key, double& value, double least, double most) {
        const auto found = numbers(name);
        if (found.size() != 1 || !(found[0] * key.unit >= least && found[0] * key.unit <= most))
            return;
        value = found[0] * key.unit;
    }
    bool list(const std::string& name, const Key& key, std::vector<double>& values, double most) {
        auto found = numbers(name);
        if (found.empty()) return false;
        for (double& value : found) {
            value *= key.unit;
            if (!(std::abs(value) < most)) return false;
        }
        values = std::move(found);
        return true;
    }
    void angles(const std::string& name, const Key& key) {
        if (!list(name, key, m_import.anglesRad, 181.0)) return;
        bool degrees = key.degrees;
        for (const double angle : m_import.anglesRad)
            degrees = degrees || std::abs(angle) > 0.5 * std::numbers::pi;
        if (!degrees) return;
        for (double& angle : m_import.anglesRad) angle *= std::numbers::pi / 180.0;
    }

    const std::filesystem::path& m_path;
    ArrayContainer& m_container;
    ChannelImport& m_import;
};

} // namespace

std::string chosenArray(const std::filesystem::path& path, ArrayContainer& container,
                        const std::string& name) {
    if (!name.empty()) return name;
    std::vector<std::string> names = container.names();
    if (names.size() > kMostArrays) names.resize(kMostArrays);
    const std::string largest = largestArray(container, names);
    if (largest.empty() && !container.has(""))
        throw fileError(path, fmt::format("it holds no array of samples ({}); choose another file",
                                          container.list()));
    return largest;
}

RawImport guessSpectraArray(const std::filesystem::path& path, ArrayContainer& container,
                            const std::string& name) {
    RawImport import;
    import.inArray = true;
    import.array = chosenArray(path, container, name);
    const auto source = container.open(import.array);
    import.shape = source->layout().shape;
    return import;
}

bool mayBeSpectra(const std::filesystem::path& path, ArrayContainer& container,
                  const std::string& name) {
    const auto source = container.open(chosenArray(path, container, name));
    return source->layout().type.kind == ElementType::Kind::Unsigned &&
           source->layout().type.components == 1;
}

ArrayGuess guessArray(const std::filesystem::path& path, ArrayContainer& container,
                      const std::string& name) {
    std::vector<std::string> names = container.names();
    if (names.size() > kMostArrays) names.resize(kMostArrays);
    ArrayGuess guess;
    ChannelImport& import = guess.import;
    import.name = chosenArray(path, container, name);
    const auto source = container.open(import.name);
    const ArrayLayout& layout = source->layout();
    if (layout.shape.empty())
        throw fileError(
            path, fmt::format("'{}' is a single number; name the array of samples", import.name));
    import.complexElements = layout.type.components == 2;
    Roles roles(layout, lookAt(*source));
    import.axes = roles.find();
    for (const std::string& each : names)
        if (each != import.name) NamedFacts(path, container, import).take(each);
    for (std::size_t axis = 0; axis < import.axes.size(); ++axis)
        if (import.axes[axis].role == ArrayAxis::Sample && !import.pairs() && roles.seen(axis))
            guess.bandCentre = bandCentreOf(powerSpectrum(roles.values(), roles.lines(axis)));
    const ArrayExtents extents = checkChannelImport(import, 0).extents;
    const auto transmits = static_cast<std::size_t>(extents.transmits);
    // A single angle counts for all transmits. Another number of angles belongs to something else.
    if (import.anglesRad.size() == 1) import.anglesRad.resize(transmits, import.anglesRad[0]);
    if (import.anglesRad.size() != transmits) import.anglesRad.clear();
    if (import.firstSampleS.size() != 1 && import.firstSampleS.size() != transmits)
        import.firstSampleS = {0.0};
    if (import.anglesRad.empty() && transmits > 7 && extents.transmits == extents.channels)
        import.wave = Wave::Element;
    if (import.pairs()) {
        if (import.demodulationFrequencyHz == 0.0)
            import.demodulationFrequencyHz = import.centreFrequencyHz;
    } else {
        import.demodulationFrequencyHz = 0.0;
    }
    if (!import.pairs() && import.centreFrequencyHz == 0.0) {
        import.centreFrequencyHz =
            std::round(guess.bandCentre * import.samplingFrequencyHz / 1e4) * 1e4;
        import.centreEstimated = import.centreFrequencyHz > 0.0;
    }
    return guess;
}

} // namespace echolux
