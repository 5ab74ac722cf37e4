// SPDX-License-Identifier: GPL-3.0-or-later
// Reads data, guesses descriptions, draws previews and stores sidecars.
#include "app/desktop/describe_look.hpp"

#include "app/dataset/container/container.hpp"
#include "app/dataset/recording/counted.hpp"
#include "ui/controls/failure_sentence.hpp"

#include <algorithm>
#include <exception>

namespace echolux {
namespace {

using FileKind = DescribeDialog::Kind;
constexpr std::size_t kMostSuggestions = 4;

QString behind(QString text, std::uint64_t headerBytes) {
    if (headerBytes != 0) text += QString(" after %1 bytes").arg(headerBytes);
    return text;
}

QString number(std::int64_t count, const char* thing) {
    return QString::fromStdString(counted(count, thing));
}

FileKind likelyKind(const DescribedFile& of) {
    const InputFile& file = *of.file;
    if (of.container) {
        if (looksLikeImages(file.path(), *of.container)) return FileKind::Images;
        return mayBeSpectra(file.path(), *of.container) ? FileKind::Spectra : FileKind::Channels;
    }
    const ElementType type = guessElementType(file);
    if (looksLikeImages(file, type, 0)) return FileKind::Images;
    return looksLikeEchoes(file, type, 0) ? FileKind::Channels : FileKind::Spectra;
}

void lookAtSpectra(DescribedLook& look, const DescribedFile& of, const RawImport& import, bool rank,
                   bool stored) {
    if (rank && of.container) {
        look.spectra = {guessSpectraArray(of.file->path(), *of.container, import.array)};
        return;
    }
    if (rank) look.spectra = suggestRawImports(*of.file, import, kMostSuggestions);
    look.preview = previewOf(of.file, of.container, import, stored);
}

void lookAtChannels(DescribedLook& look, const DescribedFile& of, const ChannelImport& import,
                    bool rank, bool stored) {
    if (rank && of.container) {
        const ArrayGuess guess = guessArray(of.file->path(), *of.container, import.name);
        look.channels = {guess.import};
        look.bandCentre = guess.bandCentre;
        return;
    }
    if (rank) {
        look.channels = suggestChannelImports(*of.file, import, kMostSuggestions);
        if (!look.channels->empty())
            look.bandCentre = guessBandCentre(*of.file, look.channels->front());
    }
    if (!rank || look.channels->empty())
        look.preview = previewOf(of.file, of.container, import, stored);
}

void lookAtImages(DescribedLook& look, const DescribedFile& of, const ImageImport& import,
                  bool rank, bool stored) {
    if (rank && of.container) {
        look.images = {guessImageArray(of.file->path(), *of.container, import.name)};
        return;
    }
    if (rank) look.images = suggestImageImports(*of.file, import, kMostSuggestions);
    if (rank && !look.images->empty()) return;
    look.preview = previewOf(of.file, of.container, import, stored);
    look.orders = orderPreviews(of.file, of.container, import);
}

} // namespace

DescribedFile readDescribed(const std::filesystem::path& path) {
    DescribedFile of;
    of.file = std::make_shared<const InputFile>(path);
    of.container = openContainer(of.file);
    if (of.container) {
        for (const std::string& name : of.container->names())
            of.arrays << QString::fromStdString(name);
        if (of.arrays.isEmpty()) of.arrays << "";
    }
    if ((of.spectra = readRawImport(path)))
        of.kind = FileKind::Spectra;
    else if ((of.channels = readChannelImport(path)))
        of.kind = FileKind::Channels;
    else if ((of.images = readImageImport(path)))
        of.kind = FileKind::Images;
    else
        of.kind = likelyKind(of);
    return of;
}

DescribedLook lookAt(const DescribedFile& of, const Description& as, bool rank, bool stored) {
    DescribedLook look;
    try {
        switch (as.kind) {
        case FileKind::Spectra: lookAtSpectra(look, of, as.spectra, rank, stored); break;
        case FileKind::Channels: lookAtChannels(look, of, as.channels, rank, stored); break;
        case FileKind::Images: lookAtImages(look, of, as.images, rank, stored); break;
        }
    } catch (const std::exception& error) {
        look.problem = sentenceOf(error);
    }
    return look;
}

QString sizesOf(const ChannelImport& import, std::uint64_t bytes) {
    const ArrayExtents extents = checkChannelImport(import, bytes).extents;
    return behind(number(extents.samples, "sample") + QString(" \u00d7 ") +
                      number(extents.channels, "channel") + QString(" \u00d7 ") +
                      number(extents.transmits, "transmit") + ", " +
                      number(extents.frames, "frame"),
                  import.headerBytes);
}

QString sizesOf(const ImageImport& import, std::uint64_t bytes) {
    const ArrayExtents extents = checkImageImport(import, bytes).extents;
    const auto at = [&](ArrayAxis role) {
        return std::ranges::find(import.axes, std::optional(role), &ImportAxis::role);
    };
    const bool byLine = at(ArrayAxis::Lateral) < at(ArrayAxis::Depth);
    return behind(
        number(extents.channels, "depth") + QString(" \u00d7 ") + number(extents.samples, "line") +
            (byLine ? ", line by line, " : ", row by row, ") + number(extents.frames, "frame"),
        import.headerBytes);
}

QString sizesOf(const RawImport& import, std::uint64_t bytes) {
    return behind(QString("%1 samples \u00d7 %2 lines, %3")
                      .arg(import.samplesPerLine)
                      .arg(import.linesPerBscan)
                      .arg(number(checkRawImport(import, bytes).bscans, "B-scan")),
                  import.headerBytes);
}

std::filesystem::path keepDescription(const std::filesystem::path& path, const Description& as) {
    switch (as.kind) {
    case FileKind::Spectra: return writeRawImport(path, as.spectra);
    case FileKind::Images: return writeImageImport(path, as.images);
    case FileKind::Channels: break;
    }
    return writeChannelImport(path, as.channels);
}

} // namespace echolux
