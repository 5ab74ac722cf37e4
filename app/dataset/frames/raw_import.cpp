// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the sizes of headerless spectra with the file's size.
#include "app/dataset/frames/raw_import.hpp"

#include "app/dataset/frames/spectra_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {

namespace {

constexpr std::int64_t kMostSamples = 1 << 20;
constexpr std::int64_t kMostLines = 1 << 24;
constexpr int kMostShift = 15;

std::uint64_t samplesIn(std::int64_t lines, std::int64_t samples) {
    return static_cast<std::uint64_t>(lines) * static_cast<std::uint64_t>(samples);
}

std::string counted(std::uint64_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

/// Bytes before the first B-scan and per B-scan.
struct Sizes {
    std::uint64_t before = 0;
    std::uint64_t bscan = 0;
    std::uint64_t ownBackground = 0; ///< part of `bscan`
};

Sizes sizesOf(const RawImport& import) {
    const std::uint64_t background =
        import.type.bytes(samplesIn(import.backgroundLines, import.samplesPerLine));
    const std::uint64_t lines =
        import.type.bytes(samplesIn(import.linesPerBscan, import.samplesPerLine));
    if (import.backgroundPerBscan) return {import.headerBytes, background + lines, background};
    return {import.headerBytes + background, lines, 0};
}

/// What is impossible, whatever the size of the file; empty where nothing is.
std::string impossibility(const RawImport& import) {
    const auto outside = [](std::int64_t value, std::int64_t least, std::int64_t most) {
        return value < least || value > most;
    };
    if (outside(import.samplesPerLine, 4, kMostSamples))
        return fmt::format("A line has 4 to {} samples, not {}.", kMostSamples,
                           import.samplesPerLine);
    if (outside(import.linesPerBscan, 1, kMostLines))
        return fmt::format("A B-scan has 1 to {} lines, not {}.", kMostLines, import.linesPerBscan);
    if (outside(import.bscansPerVolume, 1, kMostLines))
        return fmt::format("A volume has 1 to {} B-scans, not {}.", kMostLines,
                           import.bscansPerVolume);
    if (outside(import.bscansPerPlace, 1, kMostLines))
        return fmt::format("A place has 1 to {} B-scans, not {}.", kMostLines,
                           import.bscansPerPlace);
    if (import.bscansPerVolume > 1 && import.bscansPerVolume % import.bscansPerPlace != 0)
        return fmt::format("A volume of {} B-scans does not consist of places with {} B-scans.",
                           import.bscansPerVolume, import.bscansPerPlace);
    if (outside(import.backgroundLines, 0, kMostLines))
        return fmt::format("There are 0 to {} background lines, not {}.", kMostLines,
                           import.backgroundLines);
    if (outside(import.shift, 0, kMostShift))
        return fmt::format("The shift is 0 to {} bits, not {}.", kMostShift, import.shift);
    constexpr std::uint64_t kMostBytesAround = std::uint64_t{1} << 60;
    if (import.headerBytes > kMostBytesAround || import.trailerBytes > kMostBytesAround)
        return "The header or the trailer is longer than any file.";
    if (!import.type.element && import.samplesPerLine % 2 != 0)
        return fmt::format("Packed 12-bit lines have an even number of samples, two in three "
                           "bytes, not {}.",
                           import.samplesPerLine);
    return {};
}

std::string describeFit(const RawImport& import, const RawFit& fit) {
    std::string text = fmt::format(
        "It fits: {} of {} of {}", counted(static_cast<std::uint64_t>(fit.bscans), "B-scan"),
        counted(static_cast<std::uint64_t>(import.linesPerBscan), "line"),
        counted(static_cast<std::uint64_t>(import.samplesPerLine), "sample"));
    if (import.backgroundLines > 0)
        text += fmt::format(
            ", {}behind {}", import.backgroundPerBscan ? "each " : "",
            counted(static_cast<std::uint64_t>(import.backgroundLines), "background line"));
    if (import.bscansPerVolume == 1) return text + ".";
    const std::int64_t volumes = fit.bscans / import.bscansPerVolume;
    const std::int64_t over = fit.bscans % import.bscansPerVolume;
    text += fmt::format(", {}", counted(static_cast<std::uint64_t>(volumes), "whole volume"));
    return over == 0 ? text + "."
                     : text + fmt::format(" and {} of a further one.",
                                          counted(static_cast<std::uint64_t>(over), "B-scan"));
}

/// Checks spectra in an array, which has its own sizes.
RawFit checkArray(const RawImport& import) {
    RawFit fit;
    const std::size_t count = import.shape.size();
    if (count < 1 || count > 4) {
        fit.sentence = fmt::format("The array has {} axes; spectra have one to four: volume, "
                                   "B-scan, line and sample.",
                                   count);
        return fit;
    }
    std::vector<std::int64_t> sizes(4 - count, 1);
    sizes.insert(sizes.end(), import.shape.begin(), import.shape.end());
    for (const std::int64_t size : sizes)
        if (size < 1 || size > kMostLines) {
            fit.sentence = fmt::format("An axis of the array has {} entries.", size);
            return fit;
        }
    RawImport whole = import;
    whole.inArray = false;
    whole.type = SpectrumType{ElementType{ElementType::Kind::Unsigned, 2}};
    whole.headerBytes = whole.trailerBytes = 0;
    whole.backgroundLines = 0;
    whole.samplesPerLine = sizes[3];
    whole.linesPerBscan = sizes[2];
    if (count == 4) whole.bscansPerVolume = sizes[1];
    fit.sentence = impossibility(whole);
    if (!fit.sentence.empty()) return fit;
    fit.fits = true;
    fit.bscans = sizes[0] * sizes[1];
    fit.sentence = describeFit(whole, fit);
    return fit;
}

RecordingInfo plainInfo(const InputFile& file) {
    RecordingInfo info;
    info.path = file.path();
    info.format = "Headerless spectra";
    info.frame.codeScale = 1.0;
    return info;
}

} // namespace

RawFit checkRawImport(const RawImport& import, std::uint64_t fileBytes) {
    if (import.inArray) return checkArray(import);
    RawFit fit;
    fit.sentence = impossibility(import);
    if (!fit.sentence.empty()) return fit;
    const Sizes sizes = sizesOf(import);
    const std::uint64_t around = sizes.before + import.trailerBytes;
    if (around >= fileBytes) {
        fit.sentence = fmt::format("Header, background and trailer take {}, and the file has only "
                                   "{}.",
                                   counted(around, "byte"), fileBytes);
        return fit;
    }
    const std::uint64_t room = fileBytes - around;
    fit.bscans = static_cast<std::int64_t>(room / sizes.bscan);
    fit.restBytes = room % sizes.bscan;
    fit.fits = fit.bscans > 0 && fit.restBytes == 0;
    if (fit.fits)
        fit.sentence = describeFit(import, fit);
    else if (fit.bscans == 0)
        fit.sentence = fmt::format("One B-scan takes {}, {} more than the file has.",
                                   counted(sizes.bscan, "byte"), sizes.bscan - room);
    else
        fit.sentence =
            fmt::format("It does not fit: the file holds {} and {}, {} too few for one more.",
                        counted(static_cast<std::uint64_t>(fit.bscans), "B-scan"),
                        counted(fit.restBytes, "byte"), sizes.bscan - fit.restBytes);
    return fit;
}

RawImport firstLines(const RawImport& import, std::uint64_t fileBytes) {
    constexpr std::int64_t kMostPreviewLines = 512;
    constexpr std::int64_t kMostPreviewSamples = std::int64_t{1} << 22;
    if (const std::string wrong = impossibility(import); !wrong.empty()) throw Error(wrong);
    RawImport part = import;
    part.bscansPerVolume = part.bscansPerPlace = 1;
    part.backgroundPerBscan = false;
    const std::uint64_t line = import.type.bytes(samplesIn(1, import.samplesPerLine));
    const std::uint64_t background =
        import.type.bytes(samplesIn(import.backgroundLines, import.samplesPerLine));
    std::uint64_t room = fileBytes - std::min(fileBytes, import.headerBytes);
    if (room >= background + line)
        room -= background;
    else
        part.backgroundLines = 0;
    part.linesPerBscan =
        std::min({import.linesPerBscan, static_cast<std::int64_t>(room / line), kMostPreviewLines,
                  std::max<std::int64_t>(kMostPreviewSamples / import.samplesPerLine, 1)});
    if (part.linesPerBscan < 1)
        throw Error("The file is too small for one line of these samples behind this header; "
                    "choose smaller ones.");
    part.trailerBytes = room - static_cast<std::uint64_t>(part.linesPerBscan) * line;
    return part;
}

std::unique_ptr<Recording> openRawImport(std::shared_ptr<const InputFile> file,
                                         const RawImport& import) {
    RecordingInfo info = plainInfo(*file);
    info.frame.codeScale = std::ldexp(1.0, -import.shift);
    return openRawImport(std::move(file), import, std::move(info));
}

std::unique_ptr<Recording> openRawImport(std::shared_ptr<const InputFile> file,
                                         const RawImport& import, RecordingInfo info) {
    const RawFit fit = checkRawImport(import, file->size());
    if (!fit.fits) {
        std::string what = fit.sentence;
        what.pop_back(); // its full stop
        throw fileError(file->path(), fmt::format("{}; correct the sizes that describe it", what));
    }
    const Sizes sizes = sizesOf(import);
    auto facts = info.frame.spectrometer ? std::make_shared<Spectrometer>(*info.frame.spectrometer)
                                         : std::make_shared<Spectrometer>();
    facts->centreWavelengthM = import.centreWavelengthM;
    facts->bandwidthM = import.bandwidthM;
    facts->refractiveIndex = import.refractiveIndex;
    if (import.backgroundLines > 0) {
        facts->background = meanSpectrum(*file, import.headerBytes, import.type,
                                         import.backgroundLines, import.samplesPerLine);
        info.notes.emplace_back(
            kBackgroundNote, fmt::format("mean of {} lines{}", import.backgroundLines,
                                         import.backgroundPerBscan ? " of the first B-scan" : ""));
    }
    FrameSpec frame = spectraFrame(import.type.dtype(), import.linesPerBscan, import.samplesPerLine,
                                   import.lineSpacingM);
    frame.codeOffset = info.frame.codeOffset;
    frame.codeScale = info.frame.codeScale;
    frame.converterRange = info.frame.converterRange;
    frame.spectrometer = std::move(facts);
    frame.stack = {import.bscansPerVolume, import.bscanSpacingM, import.bscansPerPlace};
    info.frame = std::move(frame);
    info.frameCount = fit.bscans;
    info.frameRateHz = import.bscanRateHz;
    const RawSpectra layout{.type = import.type,
                            .samples = import.samplesPerLine,
                            .lines = import.linesPerBscan,
                            .offset = sizes.before + sizes.ownBackground,
                            .stride = sizes.bscan,
                            .mirrored = import.mirrored};
    return makeRawSpectra(std::move(info), std::move(file), layout);
}

} // namespace echolux
