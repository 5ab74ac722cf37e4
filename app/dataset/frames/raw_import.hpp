// SPDX-License-Identifier: GPL-3.0-or-later
// A user's description of headerless spectra: whether it fits the file, other descriptions that
// fit, a preview, and the sidecar that keeps it.
#pragma once

#include "app/dataset/container/array_source.hpp"
#include "app/dataset/frames/raw_spectra.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace echolux {

/// The file consists of a header, background lines (unless each B-scan begins with its own),
/// B-scans one after the other, and a trailer. The file's size gives the number of B-scans.
struct RawImport {
    SpectrumType type = {ElementType{.kind = ElementType::Kind::Unsigned, .bytes = 2}};
    std::int64_t samplesPerLine = 1024;
    std::int64_t linesPerBscan = 512;
    std::int64_t bscansPerVolume = 1;
    std::int64_t bscansPerPlace = 1; ///< recorded one after the other
    std::uint64_t headerBytes = 0;
    std::uint64_t trailerBytes = 0;
    int shift = 0; ///< number of the lowest bits of a code that hold no signal, 0 to 15; a code
                   ///< counts as code / 2^shift
    std::int64_t backgroundLines = 0;
    bool backgroundPerBscan = false;
    Mirrored mirrored = Mirrored::None;
    double lineSpacingM = 0.0; ///< here and in the following members: 0 = unknown
    double bscanSpacingM = 0.0;
    double bscanRateHz = 0.0;
    double centreWavelengthM = 0.0;
    double bandwidthM = 0.0;
    double refractiveIndex = 0.0;      ///< of the sample
    bool inArray = false;              ///< true: the spectra are in an array of a container. Then
                                       ///< `array` and `shape` replace the type, sizes and byte
                                       ///< counts above
    std::string array = {};            ///< name of the array; empty: the only one
    std::vector<std::int64_t> shape{}; ///< sizes of the last axes of
                                       ///< [volume][bscan][lateral][sample]
};

struct RawFit {
    bool fits = false;
    std::int64_t bscans = 0;     ///< complete B-scans
    std::uint64_t restBytes = 0; ///< bytes after the last complete B-scan
    std::string sentence;        ///< for the user: what fits, or by how many bytes the description
                                 ///< does not fit
};

/// Never throws, because it is called while the user types.
RawFit checkRawImport(const RawImport& import, std::uint64_t fileBytes);

/// Up to `most` descriptions that fit, the likeliest first. They have common sizes, without and
/// with the header of `like`. They are ranked by how much lines resemble each other; where that is
/// equal, powers of two come before other lengths. Where none fits, headers of up to 4096 bytes are
/// tried.
std::vector<RawImport> suggestRawImports(const InputFile& file, const RawImport& like,
                                         std::size_t most = 6);

/// The first lines as one B-scan, even where sizes do not fit, because a picture shows what is
/// wrong. At most 512 lines and 2^22 samples, but always at least one line. Without background
/// lines where these would leave no line. Throws Error where there is no line.
RawImport firstLines(const RawImport& import, std::uint64_t fileBytes);

/// Opens headerless spectra. Each frame is a B-scan. Throws Error with the sentence of
/// checkRawImport() where the description does not fit.
std::unique_ptr<Recording> openRawImport(std::shared_ptr<const InputFile> file,
                                         const RawImport& import);
/// The same with further known facts in `info`: path, format, notes, sample codes, and the curves
/// in info.frame.spectrometer.
std::unique_ptr<Recording> openRawImport(std::shared_ptr<const InputFile> file,
                                         const RawImport& import, RecordingInfo info);

/// The description as TOML, see 'echolux help sidecar'.
std::string toSidecar(const RawImport& import);
/// Spectra in an array of a file; empty `name`: the largest array. Throws Error where there is
/// none.
RawImport guessSpectraArray(const std::filesystem::path& path, ArrayContainer& container,
                            const std::string& name = {});
/// True where the array has an unsigned type, in which cameras and digitisers of light store
/// spectra. Throws Error as the function above.
bool mayBeSpectra(const std::filesystem::path& path, ArrayContainer& container,
                  const std::string& name = {});
/// Opens headerless spectra, or spectra in an array, as described, even if the file has a sidecar.
/// `container` is that of the file where it is open already.
std::unique_ptr<Recording> openSpectraImport(const std::shared_ptr<const InputFile>& file,
                                             const RawImport& import,
                                             std::shared_ptr<ArrayContainer> container = nullptr);

/// The preferred path of writeRawImport(): the file's name and ".toml".
std::filesystem::path rawImportPath(const std::filesystem::path& file);
/// Writes the description as a sidecar, which openRecording() uses, and returns its path: beside
/// the file, or keptSidecarPath() where that folder cannot be written. Throws Error where the
/// description does not fit, where the sidecar cannot be written, and where a sidecar exists that
/// this function has not written or cannot replace. A failure keeps an existing file.
std::filesystem::path writeRawImport(const std::filesystem::path& file, const RawImport& import);
/// The description that openRecording() would use: one written by writeRawImport(), or another
/// sidecar of headerless spectra. Empty where there is none, or where it cannot be read.
std::optional<RawImport> readRawImport(const std::filesystem::path& file);

} // namespace echolux
