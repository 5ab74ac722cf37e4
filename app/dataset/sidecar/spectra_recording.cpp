// SPDX-License-Identifier: GPL-3.0-or-later
// Makes a recording of spectra, their sidecar and the arrays that it refers to.
#include "app/dataset/sidecar/spectra_recording.hpp"

#include "app/dataset/container/container.hpp"
#include "app/dataset/container/text_array.hpp"
#include "app/dataset/frames/chirp.hpp"
#include "app/dataset/frames/spectra_check.hpp"
#include "app/dataset/sidecar/described_rows.hpp"
#include "app/dataset/sidecar/sidecar_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace echolux {

namespace {

/// The same elements under another shape: two leading axes become one, or an axis of one entry is
/// added.
class ReshapedArray : public ArraySource {
public:
    /// `merged`: axes 0 and 1 become one. `inserted`: an axis of one entry is put before all
    /// others.
    ReshapedArray(std::unique_ptr<ArraySource> source, bool merged, bool inserted)
        : m_source(std::move(source)), m_frameAxis(inserted ? 1 : 0) {
        m_layout = m_source->layout();
        auto& shape = m_layout.shape;
        if (merged) {
            m_inner = shape[1];
            shape[0] *= shape[1];
            shape.erase(shape.begin() + 1);
        }
        if (inserted) shape.insert(shape.begin(), 1);
    }

    bool canSlice(std::size_t axis) const override {
        return axis == m_frameAxis && m_source->canSlice(0);
    }
    void read(std::span<std::byte> out) override { m_source->read(out); }
    void readSlice(std::size_t, std::int64_t index, std::span<std::byte> out) override {
        if (m_inner == 0) return m_source->readSlice(0, index, out);
        const std::int64_t outer = index / m_inner;
        if (outer != m_kept) {
            m_kept = -1;
            m_block.resize(out.size() * static_cast<std::size_t>(m_inner));
            m_source->readSlice(0, outer, m_block);
            m_kept = outer;
        }
        const std::size_t at = static_cast<std::size_t>(index % m_inner) * out.size();
        std::ranges::copy(std::span(m_block).subspan(at, out.size()), out.begin());
    }

private:
    std::unique_ptr<ArraySource> m_source;
    std::size_t m_frameAxis;
    std::int64_t m_inner = 0; ///< size of the second merged axis; 0: no axes are merged
    std::int64_t m_kept = -1; ///< first index that m_block holds
    std::vector<std::byte> m_block;
};

class SpectraAssembly {
public:
    SpectraAssembly(std::shared_ptr<const InputFile> file,
                    std::shared_ptr<ArrayContainer> container, const Sidecar& sidecar)
        : m_file(std::move(file)), m_container(std::move(container)), m_sidecar(sidecar),
          m_spectra(*sidecar.spectra) {
        takeSidecar(m_described, sidecar, {});
    }

    std::unique_ptr<Recording> build(const std::string& format) {
        RecordingInfo info;
        info.path = m_file->path();
        info.format = format + " + sidecar";
        info.frameRateHz = m_described.bscanRateHz;
        info.notes.emplace_back("Sidecar", m_sidecar.origin);
        if (const auto title = m_sidecar.word("title"); !title.empty())
            info.notes.emplace_back("Title", title);
        info.frame.codeOffset = m_sidecar.codeOffset;
        info.frame.codeScale = std::ldexp(codeScale(), -m_described.shift);
        info.frame.converterRange = converterRange();
        return m_container ? buildArray(std::move(info)) : buildRaw(std::move(info));
    }

    RawImport described() const {
        checkHeaderless();
        RawImport import = storage();
        fillShape(import);
        return import;
    }

private:
    Error error(const std::string& what) const {
        return fileError(m_file->path(),
                         fmt::format("{}; correct the sidecar '{}'", what, m_sidecar.origin));
    }

    double codeScale() const {
        const NumberSource& scale = m_sidecar.numbers("data.code_scale");
        if (!scale.given()) return 1.0;
        if (scale.values.size() != 1 || scale.values.front() == 0.0)
            throw error("data.code_scale of spectra must be one number other than 0");
        return scale.values.front();
    }

    std::optional<ConverterRange> converterRange() const {
        const NumberSource& range = m_sidecar.numbers("data.converter_range");
        if (!range.given()) return std::nullopt;
        if (range.values.size() != 2 || !(range.values[0] < range.values[1]))
            throw error("data.converter_range of spectra must be the lowest and the highest code "
                        "of the converter, for example [0, 4095]");
        return ConverterRange{range.values[0], range.values[1]};
    }

    bool saysVolumes() const { return m_sidecar.has("spectrometer.bscans_per_volume"); }
    bool names(SpectraAxis axis) const { return std::ranges::count(m_spectra.axes, axis) > 0; }

    /// Size of an axis in the shape that the sidecar or the file gives; 1 where there is no such
    /// axis.
    std::int64_t extent(const std::vector<std::int64_t>& shape, SpectraAxis axis) const {
        const auto at = std::ranges::find(m_spectra.axes, axis);
        return at == m_spectra.axes.end()
                   ? 1
                   : shape[static_cast<std::size_t>(at - m_spectra.axes.begin())];
    }

    void checkRank(const std::vector<std::int64_t>& shape) const {
        if (shape.size() != m_spectra.axes.size())
            throw error(fmt::format("data.axes names {} axes, but the array has {}",
                                    m_spectra.axes.size(), shape.size()));
    }

    void checkHeaderless() const {
        if ((!m_sidecar.dtype && !m_spectra.packed) || m_sidecar.shape.empty())
            throw error("headerless binary needs data.dtype and data.shape");
        if (!m_sidecar.arrays.empty())
            throw error("data.array names an array, but headerless binary has no names");
        if (!m_spectra.namedNone.empty())
            throw error("headerless spectra have no axis named 'none': leave it out of data.axes "
                        "and its extent out of data.shape");
        checkRank(m_sidecar.shape);
        if (!std::ranges::is_sorted(m_spectra.axes))
            throw error("headerless spectra lie in the order volume, bscan, lateral, sample, so "
                        "data.axes must name them so; save other orders as .npy");
    }

    std::unique_ptr<Recording> buildRaw(RecordingInfo info) {
        checkHeaderless();
        RawImport import = storage();
        const std::int64_t bscans = fillShape(import);
        const RawFit fit = checkRawImport(import, m_file->size());
        if (fit.fits && bscans > 0 && fit.bscans != bscans)
            throw error(fmt::format("data.shape names {} B-scans, but the file holds {}", bscans,
                                    fit.bscans));
        auto facts = std::make_shared<Spectrometer>();
        if (fit.fits) readCurves(*facts, import.samplesPerLine);
        if (import.centreWavelengthM == 0.0) import.centreWavelengthM = facts->centreWavelengthM;
        if (import.bandwidthM == 0.0) import.bandwidthM = facts->bandwidthM;
        info.frame.spectrometer = std::move(facts);
        return openRawImport(m_file, import, std::move(info));
    }

    RawImport storage() const {
        RawImport import = m_described;
        import.type = m_spectra.packed ? SpectrumType{} : SpectrumType{m_sidecar.dtype};
        if (import.type.element && import.type.element->components != 1)
            throw error("data.dtype is complex, but spectra are real");
        return import;
    }

    /// Sets the sizes of `import`. Returns the number of B-scans in the shape; 0 where the file
    /// tells it.
    std::int64_t fillShape(RawImport& import) const {
        const auto& shape = m_sidecar.shape;
        import.samplesPerLine = extent(shape, SpectraAxis::Sample);
        import.linesPerBscan = extent(shape, SpectraAxis::Lateral);
        const std::int64_t bscans = extent(shape, SpectraAxis::Bscan);
        const std::int64_t volumes = extent(shape, SpectraAxis::Volume);
        const bool inVolumes = names(SpectraAxis::Volume) && bscans > 0;
        if (inVolumes && !saysVolumes()) import.bscansPerVolume = bscans;
        if (import.samplesPerLine < 0 || import.linesPerBscan < 0 ||
            (bscans < 0 && names(SpectraAxis::Volume)))
            throw error("data.shape may leave only the number of volumes, or of B-scans where no "
                        "volumes are named, open with -1");
        constexpr std::int64_t kMost = std::int64_t{1} << 40;
        if (bscans > kMost / std::max<std::int64_t>(volumes, 1))
            throw error("data.shape is larger than any file can be");
        return bscans < 0 || volumes < 0 ? 0 : bscans * volumes;
    }

    std::unique_ptr<Recording> buildArray(RecordingInfo info) {
        if (!m_sidecar.shape.empty() || m_sidecar.offset != 0 || m_sidecar.trailer != 0 ||
            m_described.backgroundLines != 0 || m_described.mirrored != Mirrored::None)
            throw error("data.shape, offset, trailer, background_lines and mirrored_bscans "
                        "describe headerless binary, but this file says its shape itself");
        if (m_sidecar.arrays.size() > 1) throw error("data.array of spectra is one name");
        const std::string name = m_sidecar.arrays.empty() ? "" : m_sidecar.arrays.front();
        if (!m_container->has(name))
            throw error(
                fmt::format("data.array must name one of the arrays {}", m_container->list()));
        std::unique_ptr<ArraySource> source = fitted(m_container->open(name));
        const ArrayLayout layout = source->layout();
        if (layout.type.components != 1) throw error("the array is complex, but spectra are real");
        checkRank(layout.shape);
        ArrayMapping mapping = reshape(source);
        const ArrayExtents extents = extentsOf(m_file->path(), source->layout(), mapping);
        FrameSpec frame = spectraFrame(sampleTypeOf(layout.type, false), extents.channels,
                                       extents.samples, m_described.lineSpacingM);
        frame.codeOffset = info.frame.codeOffset;
        frame.codeScale = info.frame.codeScale;
        frame.converterRange = info.frame.converterRange;
        info.frame = std::move(frame);
        info.frameCount = extents.frames;
        auto facts = std::make_shared<Spectrometer>();
        facts->centreWavelengthM = m_described.centreWavelengthM;
        facts->bandwidthM = m_described.bandwidthM;
        facts->refractiveIndex = m_described.refractiveIndex;
        const bool inVolumes = names(SpectraAxis::Volume) && !saysVolumes();
        info.frame.stack = {inVolumes ? extent(layout.shape, SpectraAxis::Bscan)
                                      : m_described.bscansPerVolume,
                            m_described.bscanSpacingM, m_described.bscansPerPlace};
        readCurves(*facts, extents.samples);
        info.frame.spectrometer = std::move(facts);
        return makeArrayRecording(std::move(info), std::move(source), std::move(mapping));
    }

    std::unique_ptr<ArraySource> fitted(std::unique_ptr<ArraySource> source) const {
        const std::vector<std::size_t> left =
            m_spectra.namedNone.empty() ? spareAxes(source->layout().shape, m_spectra.axes.size())
                                        : m_spectra.namedNone;
        return withoutAxes(m_file->path(), std::move(source), left);
    }

    /// Brings volumes and B-scans onto one frame axis and gives a single line its lateral axis.
    ArrayMapping reshape(std::unique_ptr<ArraySource>& source) const {
        const bool merged = names(SpectraAxis::Volume) && names(SpectraAxis::Bscan);
        if (merged && (source->layout().columnMajor || m_spectra.axes[0] != SpectraAxis::Volume ||
                       m_spectra.axes[1] != SpectraAxis::Bscan))
            throw error("volume and bscan must be the first two axes of an array in C order");
        ArrayMapping mapping;
        if (!names(SpectraAxis::Lateral)) mapping.axes.push_back(ArrayAxis::Channel);
        for (const SpectraAxis axis : m_spectra.axes) {
            if (axis == SpectraAxis::Volume && merged) continue;
            mapping.axes.push_back(axis == SpectraAxis::Sample    ? ArrayAxis::Sample
                                   : axis == SpectraAxis::Lateral ? ArrayAxis::Channel
                                                                  : ArrayAxis::Frame);
        }
        if (merged || !names(SpectraAxis::Lateral))
            source = std::make_unique<ReshapedArray>(std::move(source), merged,
                                                     !names(SpectraAxis::Lateral));
        return mapping;
    }

    void readCurves(Spectrometer& facts, std::int64_t samples) {
        const std::vector<double> background =
            sumOf("spectrometer.background", m_spectra.background, samples);
        facts.background.assign(background.begin(), background.end());
        facts.resampling = sumOf("spectrometer.resampling", m_spectra.resampling, samples);
        facts.dispersionRad = sumOf("spectrometer.dispersion", m_spectra.dispersion, samples);
        const std::vector<double> wavelengths = wavelengthsOf(samples);
        if (!wavelengths.empty()) return takeWavelengths(facts, wavelengths);
        const std::vector<double> chirp = sumOf("spectrometer.chirp", m_spectra.chirp, samples);
        if (chirp.empty()) return;
        if (const auto wrong = contradictionInMonotonic(chirp))
            throw error(fmt::format("of spectrometer.chirp, the wavenumber index of each pixel, {}",
                                    *wrong));
        facts.resampling = inverseOfChirp(chirp);
    }

    /// m, for each pixel; empty where none are given.
    std::vector<double> wavelengthsOf(std::int64_t samples) {
        std::vector<double> result =
            sumOf("spectrometer.wavelengths", m_spectra.wavelengthsM, samples);
        if (!m_spectra.wavelengthPolynomial.empty()) {
            const char* key = "spectrometer.wavelength_polynomial";
            if (m_spectra.wavelengthPolynomial.size() > 1)
                throw error(fmt::format("{} is one list of coefficients", key));
            const SpectrumTerm& term = m_spectra.wavelengthPolynomial.front();
            const std::vector<double> coefficients =
                term.values.empty() ? arrayOf(key, term) : term.values;
            constexpr std::size_t kMostCoefficients = 16;
            if (coefficients.size() > kMostCoefficients)
                throw error(fmt::format("{} has {} coefficients, more than {}; wavelengths lists "
                                        "one for each pixel",
                                        key, coefficients.size(), kMostCoefficients));
            for (std::int64_t pixel = 0; pixel < samples; ++pixel) {
                double sum = 0.0;
                for (std::size_t i = coefficients.size(); i-- > 0;)
                    sum = sum * static_cast<double>(pixel) + coefficients[i];
                result.push_back(term.scale * sum);
            }
        }
        for (double& wavelength : result) wavelength *= m_spectra.wavelengthUnitM;
        return result;
    }

    /// k = 2 pi / wavelength. The resampled points are equally spaced in k.
    void takeWavelengths(Spectrometer& facts, const std::vector<double>& wavelengths) const {
        constexpr double kShortest = 100e-9;
        constexpr double kLongest = 20e-6;
        std::vector<double> wavenumbers;
        for (std::size_t pixel = 0; pixel < wavelengths.size(); ++pixel) {
            const double metres = wavelengths[pixel];
            if (!(metres >= kShortest && metres <= kLongest))
                throw error(fmt::format("the wavelength of pixel {} is {:g} m, which is no light; "
                                        "wavelengths are in m, those of keys with _nm in nm",
                                        pixel, metres));
            wavenumbers.push_back(2.0 * std::numbers::pi / metres);
        }
        if (const auto wrong = contradictionInMonotonic(wavenumbers))
            throw error(fmt::format("of the wavenumbers that the wavelengths give, {}", *wrong));
        facts.resampling = inverseOfChirp(wavenumbers);
        const double first = wavelengths.front();
        const double last = wavelengths.back();
        if (facts.bandwidthM == 0.0) facts.bandwidthM = std::abs(last - first);
        if (facts.centreWavelengthM == 0.0) facts.centreWavelengthM = 0.5 * (first + last);
    }

    std::vector<double> sumOf(const std::string& key, const SpectrumSum& sum,
                              std::int64_t samples) {
        std::vector<double> total;
        for (const SpectrumTerm& term : sum) {
            const std::vector<double> values =
                term.values.empty() ? arrayOf(key, term) : term.values;
            if (static_cast<std::int64_t>(values.size()) != samples)
                throw error(fmt::format("{} has {} values, but the lines have {} samples", key,
                                        values.size(), samples));
            total.resize(values.size(), 0.0);
            for (std::size_t i = 0; i < values.size(); ++i) total[i] += term.scale * values[i];
        }
        return total;
    }

    std::vector<double> arrayOf(const std::string& key, const SpectrumTerm& term) {
        if (term.file.empty()) {
            if (!m_container)
                throw error(fmt::format("{} names '{}', but headerless binary has no names", key,
                                        term.from));
            return numbersOf(key, m_file->path(), *m_container, term.from);
        }
        const auto file =
            std::make_shared<const InputFile>(m_file->path().parent_path() / term.file);
        const auto container = openContainer(file);
        if (!container)
            throw error(fmt::format("{} points to '{}', which is neither text nor .npy, .npz, HDF5 "
                                    "or a MAT-file",
                                    key, term.file));
        return numbersOf(key, file->path(), *container, term.from);
    }

    std::vector<double> numbersOf(const std::string& key, const std::filesystem::path& path,
                                  ArrayContainer& container, const std::string& name) const {
        if (!container.has(name))
            throw error(fmt::format("{} needs one of the arrays {} of '{}'", key, container.list(),
                                    path.filename().string()));
        const auto array = container.open(name);
        return readNumbers(path, *array, name);
    }

    std::shared_ptr<const InputFile> m_file;
    std::shared_ptr<ArrayContainer> m_container;
    const Sidecar& m_sidecar;
    const SpectraSidecar& m_spectra;
    RawImport m_described; ///< its facts, without sizes and type
};

} // namespace

std::unique_ptr<Recording> openSpectra(const std::shared_ptr<const InputFile>& file,
                                       const std::shared_ptr<ArrayContainer>& container,
                                       const Sidecar& sidecar, const std::string& format) {
    return SpectraAssembly(file, container, sidecar).build(format);
}

RawImport describedImport(const std::shared_ptr<const InputFile>& file, const Sidecar& sidecar) {
    return SpectraAssembly(file, nullptr, sidecar).described();
}

} // namespace echolux
