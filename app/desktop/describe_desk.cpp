// SPDX-License-Identifier: GPL-3.0-or-later
// Checks, guesses, preview and sidecar of a description.
#include "app/desktop/describe_desk.hpp"

#include "app/dataset/container/container.hpp"
#include "app/dataset/recording/counted.hpp"
#include "app/desktop/import_forms.hpp"
#include "app/desktop/import_preview.hpp"
#include "gpu/core/error.hpp"

#include <QDir>
#include <QFileInfo>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace echolux {
namespace {

constexpr int kSettledMs = 120;
constexpr std::size_t kMostSuggestions = 4;

bool sameStorage(const RawImport& a, const RawImport& b) {
    if (a.inArray || b.inArray) return a.inArray == b.inArray && a.array == b.array;
    return a.type == b.type && a.headerBytes == b.headerBytes && a.trailerBytes == b.trailerBytes &&
           a.backgroundLines == b.backgroundLines && a.backgroundPerBscan == b.backgroundPerBscan;
}

bool sameStorage(const ChannelImport& a, const ChannelImport& b) {
    return a.type == b.type && a.name == b.name && a.headerBytes == b.headerBytes &&
           a.trailerBytes == b.trailerBytes;
}

std::shared_ptr<ArrayContainer> arraysOf(const std::shared_ptr<const InputFile>& file) {
    auto container = openContainer(file);
    if (!container) throw fileError(file->path(), "it holds no arrays that can be described");
    return container;
}

/// "340 samples × 64 channels × 5 transmits, 1 frame"
QString sizesOf(const ChannelImport& import, std::uint64_t bytes) {
    const ArrayExtents extents = checkChannelImport(import, bytes).extents;
    const auto add = [](std::int64_t count, const char* thing) {
        return QString::fromStdString(counted(count, thing));
    };
    QString text = add(extents.samples, "sample") + QString(" \u00d7 ") +
                   add(extents.channels, "channel") + QString(" \u00d7 ") +
                   add(extents.transmits, "transmit") + ", " + add(extents.frames, "frame");
    if (import.headerBytes != 0) text += QString(" after %1 bytes").arg(import.headerBytes);
    return text;
}

} // namespace

struct DescribeDesk::Look {
    ImportPreview preview;
    QString problem; ///< why there is no picture
    std::optional<std::vector<RawImport>> spectra{};
    std::optional<std::vector<ChannelImport>> channels{};
    std::optional<QStringList> arrays{}; ///< where they were looked for
    double bandCentre = 0.0;
};

DescribeDesk::DescribeDesk(QWidget& parent, Background& background)
    : m_parent(parent), m_background(background) {
    m_settled.setSingleShot(true);
    m_settled.setInterval(kSettledMs);
    connect(&m_settled, &QTimer::timeout, this, &DescribeDesk::look);
}

void DescribeDesk::makeDialog() {
    m_dialog = new DescribeDialog(&m_parent);
    connect(m_dialog, &DescribeDialog::formChanged, this, &DescribeDesk::edited);
    connect(m_dialog, &DescribeDialog::previewKindChanged, this, &DescribeDesk::follow);
    connect(m_dialog, &DescribeDialog::keepRequested, this, &DescribeDesk::keep);
}

void DescribeDesk::ask(const QString& path) {
    if (m_dialog == nullptr) makeDialog();
    try {
        m_path = path;
        begin();
    } catch (const std::exception& error) {
        emit failed(error.what());
        return;
    }
    follow();
    m_touched = false;
    m_dialog->show();
    m_dialog->raise();
}

/// With what was kept, else with what a glance tells; the rest is found out in the background.
void DescribeDesk::begin() {
    const std::filesystem::path path = m_path.toStdString();
    const auto file = std::make_shared<const InputFile>(path);
    m_bytes = file->size();
    m_ranked.reset();
    m_guessed.reset();
    m_complex = false;
    m_shape.clear();
    m_bandCentre = m_followedMHz = 0.0;
    const auto container = openContainer(file);
    m_headerless = container == nullptr;
    QStringList arrays;
    if (container) {
        for (const std::string& name : container->names()) arrays << QString::fromStdString(name);
        if (arrays.isEmpty()) arrays << "";
    }
    m_dialog->setFile(QFileInfo(m_path).fileName(), static_cast<qint64>(m_bytes), arrays);
    if (const auto kept = readRawImport(path)) {
        m_dialog->setKind(Kind::Spectra);
        m_shape = kept->shape;
        if (kept->inArray) m_ranked = kept;
        if (const auto form = formOf(*kept)) m_dialog->spectra().setForm(*form);
    } else if (const auto described = readChannelImport(path)) {
        beginFrom(*described);
    } else if (m_headerless) {
        const ElementType type = guessElementType(*file);
        m_dialog->setKind(looksLikeEchoes(*file, type, 0) ? Kind::Channels : Kind::Spectra);
    } else {
        m_dialog->setKind(mayBeSpectra(path, *container) ? Kind::Spectra : Kind::Channels);
    }
}

void DescribeDesk::beginFrom(const ChannelImport& kept) {
    m_dialog->setKind(Kind::Channels);
    m_complex = kept.complexElements;
    if (const auto form = formOf(kept)) m_dialog->channels().setForm(*form);
    m_guessed = kept; // nothing better is to be guessed
}

RawImport DescribeDesk::spectraImport() const {
    return importOf(m_dialog->spectra().form(), m_headerless, m_shape);
}

ChannelImport DescribeDesk::channelImport() const {
    return importOf(m_dialog->channels().form(), m_headerless, m_complex);
}

void DescribeDesk::edited() {
    m_touched = true;
    followBand();
    follow();
}

/// The centre frequency goes with the sampling frequency until somebody says it.
void DescribeDesk::followBand() {
    ChannelFormValues form = m_dialog->channels().form();
    const bool own = form.centreMHz != 0.0 && form.centreMHz != m_followedMHz;
    if (m_dialog->kind() != Kind::Channels || m_bandCentre <= 0.0 || own) return;
    form.centreMHz = std::round(m_bandCentre * form.samplingMHz * 100.0) / 100.0;
    if (form.centreMHz == m_followedMHz) return;
    m_followedMHz = form.centreMHz;
    m_dialog->channels().setForm(form);
}

/// At once: whether it fits. A moment later, away from this thread: the picture.
void DescribeDesk::follow() {
    if (m_dialog->kind() == Kind::Spectra) {
        const RawFit fit = checkRawImport(spectraImport(), m_bytes);
        m_dialog->setFit(QString::fromStdString(fit.sentence), fit.fits);
    } else {
        try {
            const ChannelFit fit = checkChannelImport(channelImport(), m_bytes);
            m_dialog->setFit(QString::fromStdString(fit.sentence), fit.fits);
        } catch (const Error& error) {
            m_dialog->setFit(error.what(), false);
        }
    }
    m_stale = true;
    m_settled.start();
}

void DescribeDesk::look() {
    if (m_looking) return;
    m_stale = false;
    const Kind kind = m_dialog->kind();
    RawImport spectra = spectraImport();
    ChannelImport channels;
    try {
        channels = channelImport();
    } catch (const Error&) { // told of already
        return;
    }
    m_looking = true;
    const bool ofSpectra = kind == Kind::Spectra;
    const bool rank = ofSpectra ? !m_ranked || !sameStorage(*m_ranked, spectra)
                                : !m_guessed || !sameStorage(*m_guessed, channels);
    if (rank && ofSpectra) {
        if (!m_headerless && !m_ranked && !m_touched) spectra.array.clear(); // the largest
        m_ranked = spectra;
    }
    // What nobody touched is guessed from the bytes alone.
    const bool anew = !m_touched && !m_guessed;
    if (rank && !ofSpectra) {
        if (anew) channels = {};
        if (anew && m_headerless) channels.type.reset();
        m_guessed = channels;
    }
    m_background.start(
        Background::Kind::Quiet, {},
        [this, path = m_path, spectra, channels, rank, ofSpectra, headerless = m_headerless,
         stored = m_dialog->wantsStored()](const std::stop_token&) -> Background::Finish {
            Look look;
            try {
                const auto file = std::make_shared<const InputFile>(path.toStdString());
                if (ofSpectra && rank && !headerless) {
                    look.spectra = {
                        guessSpectraArray(file->path(), *arraysOf(file), spectra.array)};
                } else if (ofSpectra) {
                    if (rank) look.spectra = suggestRawImports(*file, spectra, kMostSuggestions);
                    look.preview = previewOf(file, spectra, stored);
                } else if (rank && headerless) {
                    look.channels = suggestChannelImports(*file, channels, kMostSuggestions);
                    if (!look.channels->empty())
                        look.bandCentre = guessBandCentre(*file, look.channels->front());
                } else if (rank) {
                    const ArrayGuess guess =
                        guessArray(file->path(), *arraysOf(file), channels.name);
                    look.channels = {guess.import};
                    look.bandCentre = guess.bandCentre;
                }
                if (!ofSpectra && (!rank || look.channels->empty()))
                    look.preview = previewOf(file, channels, stored);
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

void DescribeDesk::show(const Look& look) {
    if (look.spectra) showSpectra(*look.spectra);
    if (look.spectra && !m_headerless) return; // the picture of what it is comes next
    if (look.channels) {
        m_bandCentre = look.bandCentre;
        showChannels(*look.channels);
        if (!look.channels->empty()) return; // the picture of what they are comes next
    }
    m_dialog->setPreview(look.preview.picture,
                         look.problem.isEmpty() ? look.preview.caption : look.problem,
                         look.preview.heightOverWidth);
}

void DescribeDesk::showSpectra(const std::vector<RawImport>& imports) {
    RawImportForm form = m_dialog->spectra().form();
    if (!m_headerless) {
        m_ranked = imports.front();
        m_shape = imports.front().shape;
        form.array = QString::fromStdString(imports.front().array);
        const bool wasTouched = m_touched;
        m_dialog->spectra().setForm(form);
        m_touched = wasTouched;
        follow();
        return;
    }
    std::vector<DescribeDialog::Suggestion> suggestions;
    for (const RawImport& import : imports) {
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
        suggestions.push_back({.text = text, .spectra = suggested});
    }
    if (m_dialog->kind() == Kind::Spectra) m_dialog->setSuggestions(suggestions);
    // Before anything was typed, the likeliest is a better beginning than a fixed one.
    if (!m_touched && !suggestions.empty() && !checkRawImport(importOf(form), m_bytes).fits)
        m_dialog->spectra().setForm(suggestions.front().spectra);
}

/// Of an array its own axes are taken, whatever was typed for another one.
void DescribeDesk::showChannels(const std::vector<ChannelImport>& imports) {
    if (!imports.empty()) m_complex = imports.front().complexElements;
    const ChannelFormValues form = m_dialog->channels().form();
    std::vector<DescribeDialog::Suggestion> suggestions;
    for (const ChannelImport& import : imports) {
        const auto guess = formOf(import);
        if (!guess) continue;
        ChannelFormValues suggested = m_touched && m_headerless ? form : *guess;
        suggested.axes = guess->axes;
        suggested.headerBytes = guess->headerBytes;
        suggestions.push_back({.text = sizesOf(import, m_bytes), .channels = suggested});
    }
    const bool wasTouched = m_touched;
    if (m_dialog->kind() == Kind::Channels)
        m_dialog->setSuggestions(m_headerless ? suggestions
                                              : std::vector<DescribeDialog::Suggestion>{});
    if (!suggestions.empty() && (!m_touched || !m_headerless)) {
        m_guessed = imports.front();
        m_dialog->channels().setForm(suggestions.front().channels);
        m_touched = wasTouched;
    }
    followBand();
    follow();
}

void DescribeDesk::keep() {
    std::filesystem::path kept;
    try {
        const std::filesystem::path path = m_path.toStdString();
        kept = m_dialog->kind() == Kind::Spectra ? writeRawImport(path, spectraImport())
                                                 : writeChannelImport(path, channelImport());
    } catch (const std::exception& error) {
        m_dialog->setError(error.what());
        return;
    }
    m_dialog->accept();
    if (kept != rawImportPath(m_path.toStdString()))
        emit keptElsewhere(
            QString("The folder of %1 cannot be written, so its description is kept in "
                    "%2. It is found there while the file keeps its place and "
                    "its length.")
                .arg(QFileInfo(m_path).fileName(),
                     QDir::toNativeSeparators(QString::fromStdString(kept.string()))));
    emit described();
}

} // namespace echolux
