// SPDX-License-Identifier: GPL-3.0-or-later
// The slow work on descriptions: reading a file, guessing, drawing previews, keeping. All functions
// may run on any thread.
#pragma once

#include "app/dataset/frames/channel_import.hpp"
#include "app/dataset/frames/image_import.hpp"
#include "app/dataset/frames/raw_import.hpp"
#include "app/desktop/import_preview.hpp"
#include "app/desktop/order_previews.hpp"
#include "ui/dialogs/describe_dialog.hpp"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace echolux {

/// An open file with the description that was kept of it, or with a first guess of its kind.
struct DescribedFile {
    std::shared_ptr<const InputFile> file;
    std::shared_ptr<ArrayContainer> container; ///< null: the file is headerless
    QStringList arrays; ///< names of the arrays; one empty name: the only array
    DescribeDialog::Kind kind = DescribeDialog::Kind::Spectra;
    std::optional<RawImport> spectra; ///< description that was kept, as are the next two
    std::optional<ChannelImport> channels;
    std::optional<ImageImport> images;
};
/// Throws Error.
DescribedFile readDescribed(const std::filesystem::path& path);

/// Only the member of the chosen kind counts.
struct Description {
    DescribeDialog::Kind kind = DescribeDialog::Kind::Spectra;
    RawImport spectra{};
    ChannelImport channels{};
    ImageImport images{};

    /// Calls `what` with the member of the kind.
    template <class What> auto visit(const What& what) {
        switch (kind) {
        case DescribeDialog::Kind::Spectra: return what(spectra);
        case DescribeDialog::Kind::Channels: return what(channels);
        case DescribeDialog::Kind::Images: break;
        }
        return what(images);
    }
};

struct DescribedLook {
    ImportPreview preview;
    std::vector<OrderPreview> orders{}; ///< of images with several frames; see orderPreviews()
    QString problem;                    ///< why there is no preview
    std::optional<std::vector<RawImport>> spectra{};
    std::optional<std::vector<ChannelImport>> channels{};
    std::optional<std::vector<ImageImport>> images{};
    double bandCentre = 0.0; ///< of channel data: result of guessBandCentre()
};
/// `rank`: guess sizes too; the preview is then drawn only where no sizes are found. `stored`:
/// preview of the samples as stored.
DescribedLook lookAt(const DescribedFile& file, const Description& as, bool rank, bool stored);

/// Text of a button: "340 samples × 64 channels × 5 transmits, 1 frame", "512 depths × 256 lines,
/// row by row, 12 frames", "1024 samples × 512 lines, 20 B-scans".
QString sizesOf(const ChannelImport& import, std::uint64_t fileBytes);
QString sizesOf(const ImageImport& import, std::uint64_t fileBytes);
QString sizesOf(const RawImport& import, std::uint64_t fileBytes);

/// Writes the description and returns the path of its file. Throws Error.
std::filesystem::path keepDescription(const std::filesystem::path& path, const Description& as);

} // namespace echolux
