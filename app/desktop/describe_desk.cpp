// SPDX-License-Identifier: GPL-3.0-or-later
// Checks, suggestions, preview and sidecar of a raw import.
#include "app/desktop/raw_importer.hpp"

#include "app/dataset/recording/counted.hpp"
#include "app/session/offline/offline.hpp"
#include "app/session/session.hpp"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>

namespace echolux {
namespace {

constexpr int kSettledMs = 120;
constexpr std::size_t kMostSuggestions = 4;
constexpr double kNmPerM = 1e9;

struct TypeOf {
    const char* id;
    std::optional<ElementType> element; ///< nothing: packed 12 bits
};
using Kind = ElementType::Kind;
const std::array<TypeOf, 8> kTypes = {{{"u8", ElementType{Kind::Unsigned, 1}},
                                       {"u16", ElementType{Kind::Unsigned, 2}},
                                       {"i16", ElementType{Kind::Signed, 2}},
                                       {"packed12", std::nullopt},
                                       {"u32", ElementType{Kind::Unsigned, 4}},
                                       {"i32", ElementType{Kind::Signed, 4}},
                                       {"f32", ElementType{Kind::Real, 4}},
                                       {"f64", ElementType{Kind::Real, 8}}}};

RawImport importOf(const RawImportForm& form) {
    RawImport import;
    const auto type =
        std::ranges::find_if(kTypes, [&](const TypeOf& each) { return form.type == each.id; });
    if (type != kTypes.end()) import.type.element = type->element;
    if (import.type.element && import.type.element->bytes > 1)
        import.type.element->bigEndian = form.bigEndian;
    import.samplesPerLine = form.samples;
    import.linesPerBscan = form.lines;
    import.bscansPerVolume = form.bscansPerVolume;
    import.backgroundLines = form.backgroundLines;
    import.backgroundPerBscan = form.backgroundPerBscan;
    import.headerBytes = static_cast<std::uint64_t>(form.headerBytes);
    import.trailerBytes = static_cast<std::uint64_t>(form.trailerBytes);
    import.shift = form.type.startsWith('f') ? 0 : form.shift;
    import.centreWavelengthM = form.centreWavelengthNm / kNmPerM;
    import.bandwidthM = form.bandwidthNm / kNmPerM;
    return import;
}

/// Nothing where the form has no such type.
std::optional<RawImportForm> formOf(const RawImport& import) {
    std::optional<ElementType> element = import.type.element;
    if (element) element->bigEndian = false;
    const auto type =
        std::ranges::find_if(kTypes, [&](const TypeOf& each) { return each.element == element; });
    if (type == kTypes.end()) return std::nullopt;
    const auto whole = [](auto value) {
        return static_cast<int>(
            std::min<std::uint64_t>(static_cast<std::uint64_t>(value), INT32_MAX));
    };
    return RawImportForm{.type = type->id,
                         .bigEndian = import.type.element && import.type.element->bigEndian,
                         .samples = whole(import.samplesPerLine),
                         .lines = whole(import.linesPerBscan),
                         .bscansPerVolume = whole(import.bscansPerVolume),
                         .backgroundLines = whole(import.backgroundLines),
                         .backgroundPerBscan = import.backgroundPerBscan,
                         .headerBytes = whole(import.headerBytes),
                         .trailerBytes = whole(import.trailerBytes),
                         .shift = import.shift,
                         .centreWavelengthNm = import.centreWavelengthM * kNmPerM,
                         .bandwidthNm = import.bandwidthM * kNmPerM};
}

/// [line][value], lines across, in greys from the 2nd to the 99.8th percentile.
QImage pictureOf(const HostFrameData& frame) {
    const auto down = static_cast<int>(frame.spec.axes.back().size);
    const auto across = static_cast<int>(frame.spec.count() / down);
    std::vector<float> values(static_cast<std::size_t>(frame.spec.count()));
    std::memcpy(values.data(), frame.bytes.data(), values.size() * sizeof(float));
    std::vector<float> sorted;
    std::ranges::copy_if(values, std::back_inserter(sorted),
                         [](float value) { return std::isfinite(value); });
    if (sorted.empty())
        throw Error("None of these values is a number; choose another type or header.");
    const auto quantile = [&sorted](double share) {
        const auto at =
            sorted.begin() + static_cast<std::ptrdiff_t>(share * double(sorted.size() - 1));
        std::nth_element(sorted.begin(), at, sorted.end());
        return *at;
    };
    const float low = quantile(0.02);
    const float high = std::max(quantile(0.998), low + 1e-6F);
    QImage image(across, down, QImage::Format_Grayscale8);
    for (int y = 0; y < down; ++y) {
        uchar* row = image.scanLine(y);
        for (int x = 0; x < across; ++x) {
            const float value =
                values[static_cast<std::size_t>(x) * static_cast<std::size_t>(down) +
                       static_cast<std::size_t>(y)];
            const float grey = 255.0F * (value - low) / (high - low);
            row[x] = std::isfinite(grey) ? static_cast<uchar>(std::clamp(grey, 0.0F, 255.0F)) : 0;
        }
    }
    return image;
}

QImage previewOf(const std::shared_ptr<const InputFile>& file, const RawImport& import,
                 bool spectra) {
    const auto recording = openRawImport(file, firstLines(import, file->size()));
    const SnapshotPtr chain = imagingSnapshot(recording->info().frame, std::nullopt);
    std::optional<std::string> stage;
    if (spectra) stage = chain->stages.front().id;
    return pictureOf(processFrame(*recording, chain, Backend::Cpu, 0, stage));
}

bool sameStorage(const RawImport& a, const RawImport& b) {
    return a.type == b.type && a.headerBytes == b.headerBytes && a.trailerBytes == b.trailerBytes &&
           a.backgroundLines == b.backgroundLines && a.backgroundPerBscan == b.backgroundPerBscan;
}

} // namespace

struct RawImporter::Look {
    QImage picture;
    QString problem; ///< why there is no picture
    std::optional<std::vector<RawImport>> suggestions;
};

RawImporter::RawImporter(QWidget& parent, Background& background)
    : m_parent(parent), m_background(background) {
    m_settled.setSingleShot(true);
    m_settled.setInterval(kSettledMs);
    connect(&m_settled, &QTimer::timeout, this, &RawImporter::look);
}

void RawImporter::makeDialog() {
    m_dialog = new RawImportDialog(&m_parent);
    connect(m_dialog, &RawImportDialog::formChanged, this, [this] {
        m_touched = true;
        follow();
    });
    connect(m_dialog, &RawImportDialog::previewKindChanged, this, &RawImporter::follow);
    connect(m_dialog, &RawImportDialog::openRequested, this, &RawImporter::keep);
}

void RawImporter::ask(const QString& path) {
    try {
        m_bytes = InputFile(path.toStdString()).size();
    } catch (const std::exception& error) {
        emit failed(error.what());
        return;
    }
    if (m_dialog == nullptr) makeDialog();
    m_path = path;
    m_ranked.reset();
    m_dialog->setFile(QFileInfo(path).fileName(), static_cast<qint64>(m_bytes));
    if (const auto kept = readRawImport(path.toStdString())) {
        if (const auto form = formOf(*kept)) m_dialog->setForm(*form);
    }
    follow();
    m_touched = false;
    m_dialog->show();
    m_dialog->raise();
}

/// At once: whether it fits. A moment later, away from this thread: the picture.
void RawImporter::follow() {
    const RawFit fit = checkRawImport(importOf(m_dialog->form()), m_bytes);
    m_dialog->setFit(QString::fromStdString(fit.sentence), fit.fits);
    m_stale = true;
    m_settled.start();
}

void RawImporter::look() {
    if (m_looking) return;
    m_looking = true;
    m_stale = false;
    const RawImport import = importOf(m_dialog->form());
    const bool rank = !m_ranked || !sameStorage(*m_ranked, import);
    if (rank) m_ranked = import;
    m_background.start(
        Background::Kind::Quiet, {},
        [this, path = m_path, import, rank,
         spectra = m_dialog->wantsSpectra()](const std::stop_token&) -> Background::Finish {
            Look look;
            try {
                const auto file = std::make_shared<const InputFile>(path.toStdString());
                if (rank) look.suggestions = suggestRawImports(*file, import, kMostSuggestions);
                look.picture = previewOf(file, import, spectra);
            } catch (const std::exception& error) {
                look.problem = error.what();
            }
            return [this, look, path] {
                m_looking = false;
                if (path == m_path) show(look);
                if (m_stale) this->look();
            };
        });
}

void RawImporter::show(const Look& look) {
    const RawImportForm form = m_dialog->form();
    if (look.suggestions) {
        std::vector<RawImportDialog::Suggestion> suggestions;
        for (const RawImport& import : *look.suggestions) {
            RawImportForm suggested = form;
            suggested.samples = static_cast<int>(import.samplesPerLine);
            suggested.lines = static_cast<int>(import.linesPerBscan);
            suggested.bscansPerVolume = static_cast<int>(import.bscansPerVolume);
            suggested.headerBytes = static_cast<int>(import.headerBytes);
            QString text = QString("%1 samples \u00d7 %2 lines, %3")
                               .arg(import.samplesPerLine)
                               .arg(import.linesPerBscan)
                               .arg(QString::fromStdString(
                                   counted(checkRawImport(import, m_bytes).bscans, "B-scan")));
            if (import.headerBytes != 0) text += QString(" after %1 bytes").arg(import.headerBytes);
            suggestions.push_back({text, suggested});
        }
        m_dialog->setSuggestions(suggestions);
        // Before anything was typed, the likeliest is a better beginning than a fixed one.
        if (!m_touched && !suggestions.empty() && !checkRawImport(importOf(form), m_bytes).fits)
            m_dialog->setForm(suggestions.front().form);
    }
    m_dialog->setPreview(look.picture, look.problem);
}

void RawImporter::keep() {
    std::filesystem::path kept;
    try {
        kept = writeRawImport(m_path.toStdString(), importOf(m_dialog->form()));
    } catch (const std::exception& error) {
        m_dialog->setError(error.what());
        return;
    }
    m_dialog->accept();
    if (kept != rawImportPath(m_path.toStdString()))
        emit keptElsewhere(
            QString("The folder of %1 cannot be written, so its sizes are kept in "
                    "%2. They are found there while the file keeps its place and "
                    "its length.")
                .arg(QFileInfo(m_path).fileName(),
                     QDir::toNativeSeparators(QString::fromStdString(kept.string()))));
    emit described();
}

} // namespace echolux
