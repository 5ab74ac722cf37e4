// SPDX-License-Identifier: GPL-3.0-or-later
// Headerless spectra as somebody describes them: does it fit the file, what else would, a look at
// it, and the answer kept beside the file.
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

/// The file: header, background lines (unless each B-scan begins with its own), B-scans one after
/// another, trailer. The number of B-scans follows from the file's size.
struct RawImport {
    SpectrumType type = {ElementType{.kind = ElementType::Kind::Unsigned, .bytes = 2}};
    std::int64_t samplesPerLine = 1024;
    std::int64_t linesPerBscan = 512;
    std::int64_t bscansPerVolume = 1;
    std::uint64_t headerBytes = 0;
    std::uint64_t trailerBytes = 0;
    int shift = 0; ///< codes count 2^-shift: low bits that hold no signal, 0 to 15
    std::int64_t backgroundLines = 0;
    bool backgroundPerBscan = false;
    Mirrored mirrored = Mirrored::None;
    double lineSpacingM = 0.0; ///< this and the following: 0 = unknown
    double bscanSpacingM = 0.0;
    double bscanRateHz = 0.0;
    double centreWavelengthM = 0.0;
    double bandwidthM = 0.0;
    bool inArray = false;              ///< of a file that says how it stores them: the above of
                                       ///< storage and sizes does not count, but
    std::string array = {};            ///< its name; empty: the only one
    std::vector<std::int64_t> shape{}; ///< the last of [volume][bscan][lateral][sample]
};

struct RawFit {
    bool fits = false;
    std::int64_t bscans = 0;     ///< whole ones
    std::uint64_t restBytes = 0; ///< behind them
    std::string sentence;        ///< for the user: what fits, or by how many bytes it does not
};

/// Never throws: it follows what is being typed.
RawFit checkRawImport(const RawImport& import, std::uint64_t fileBytes);

/// Up to `most` descriptions that fit, the likeliest first: common sizes, without and with the
/// header of `like`, ranked by how much lines resemble each other, where that is equal powers of
/// two before other lengths. Where none fits, those that do behind a header of up to 4096 bytes.
std::vector<RawImport> suggestRawImports(const InputFile& file, const RawImport& like,
                                         std::size_t most = 6);

/// The first lines as one B-scan, whether or not the sizes fit (a picture tells what is wrong):
/// at most 512 lines and, but for longer lines, 2^22 samples. Without background lines where these
/// leave none. Throws Error where there is no line.
RawImport firstLines(const RawImport& import, std::uint64_t fileBytes);

/// Headerless spectra. Throws Error with checkRawImport's sentence where it does not fit. A frame
/// is a B-scan, which serves as preview.
std::unique_ptr<Recording> openRawImport(std::shared_ptr<const InputFile> file,
                                         const RawImport& import);
/// The same with what else is known: info.path, format, notes, sample codes, and in
/// info.frame.spectrometer the curves.
std::unique_ptr<Recording> openRawImport(std::shared_ptr<const InputFile> file,
                                         const RawImport& import, RecordingInfo info);

/// The TOML of 'echolux help sidecar'.
std::string toSidecar(const RawImport& import);
/// Spectra in an array of a file, the largest one where `name` is empty. Throws Error where there
/// is none.
RawImport guessSpectraArray(const std::filesystem::path& path, ArrayContainer& container,
                            const std::string& name = {});
/// Cameras and digitisers of light store numbers without a sign. Throws Error as the above.
bool mayBeSpectra(const std::filesystem::path& path, ArrayContainer& container,
                  const std::string& name = {});
/// Opens headerless spectra or those in an array as described, whatever sidecar the file has.
/// `container`: of the file, where it is open already.
std::unique_ptr<Recording> openSpectraImport(const std::shared_ptr<const InputFile>& file,
                                             const RawImport& import,
                                             std::shared_ptr<ArrayContainer> container = nullptr);

/// Where writeRawImport keeps the description if it can: the file's name and ".toml".
std::filesystem::path rawImportPath(const std::filesystem::path& file);
/// Keeps it as a sidecar, with which openRecording() opens the file, and says where: beside it, or
/// where that folder cannot be written at keptSidecarPath(). Throws Error where it does not fit,
/// cannot be written, or where a sidecar stands that this function did not write or cannot replace.
/// A failure leaves what was there.
std::filesystem::path writeRawImport(const std::filesystem::path& file, const RawImport& import);
/// The description that openRecording() would take: kept by writeRawImport, or another sidecar of
/// headerless spectra. Nothing where there is none, or none that can be read.
std::optional<RawImport> readRawImport(const std::filesystem::path& file);

} // namespace echolux
