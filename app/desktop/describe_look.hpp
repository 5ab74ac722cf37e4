// SPDX-License-Identifier: GPL-3.0-or-later
// What takes long of a description: reading the file, guesses, pictures, keeping it. All of it may
// run on any thread.
#pragma once

#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/image_import.hpp"
#include "app/dataset/frames/raw_import.hpp"
#include "app/desktop/import_preview.hpp"
#include "ui/dialogs/describe_dialog.hpp"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace echolux {

/// A file as it is found: open, with what was kept of it, or what it looks like at a glance.
struct DescribedFile {
    std::shared_ptr<const InputFile> file;
    std::shared_ptr<ArrayContainer> container; ///< null: headerless
    QStringList arrays;                        ///< their names; one empty name: the only one
    DescribeDialog::Kind kind = DescribeDialog::Kind::Spectra;
    std::optional<RawImport> spectra; ///< kept of this kind, like the next two
    std::optional<ChannelImport> channels;
    std::optional<ImageImport> images;
};
/// Throws Error.
DescribedFile readDescribed(const std::filesystem::path& path);

/// Of the kind that is chosen, one counts.
struct Description {
    DescribeDialog::Kind kind = DescribeDialog::Kind::Spectra;
    RawImport spectra{};
    ChannelImport channels{};
    ImageImport images{};
};

struct Look {
    ImportPreview preview;
    QString problem; ///< why there is no picture
    std::optional<std::vector<RawImport>> spectra{};
    std::optional<std::vector<ChannelImport>> channels{};
    std::optional<std::vector<ImageImport>> images{};
    double bandCentre = 0.0; ///< of channel data, as guessBandCentre() has it
};
/// `rank`: guess sizes, too; a picture comes with them only where none are found.
Look lookAt(const DescribedFile& file, const Description& as, bool rank, bool stored);

/// For a button: "340 samples × 64 channels × 5 transmits, 1 frame",
/// "512 depths × 256 lines, row by row, 12 frames", "1024 samples × 512 lines, 20 B-scans".
QString sizesOf(const ChannelImport& import, std::uint64_t fileBytes);
QString sizesOf(const ImageImport& import, std::uint64_t fileBytes);
QString sizesOf(const RawImport& import, std::uint64_t fileBytes);

/// Where the description is kept then. Throws Error.
std::filesystem::path keepDescription(const std::filesystem::path& path, const Description& as);

} // namespace echolux
