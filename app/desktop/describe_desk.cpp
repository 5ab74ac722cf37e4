// SPDX-License-Identifier: GPL-3.0-or-later
// Checks, guesses, preview and sidecar of a description.
#include "app/desktop/describe_desk.hpp"

#include "app/desktop/import_forms.hpp"
#include "gpu/core/error.hpp"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

namespace echolux {
namespace {

constexpr int kSettledMs = 120;

bool sameStorage(const RawImport& a, const RawImport& b) {
    if (a.inArray || b.inArray) return a.inArray == b.inArray && a.array == b.array;
    return a.type == b.type && a.headerBytes == b.headerBytes && a.trailerBytes == b.trailerBytes &&
           a.backgroundLines == b.backgroundLines && a.backgroundPerBscan == b.backgroundPerBscan;
}

bool sameStorage(const ImportArray& a, const ImportArray& b) {
    return a.type == b.type && a.name == b.name && a.headerBytes == b.headerBytes &&
           a.trailerBytes == b.trailerBytes;
}

/// True where suggestions must be made again because `now` is stored in another way. Keeps `now`
/// for the next call.
template <class Import> bool changed(std::optional<Import>& ranked, const Import& now) {
    if (ranked && sameStorage(*ranked, now)) return false;
    ranked = now;
    return true;
}

} // namespace

DescribeDesk::DescribeDesk(QWidget& parent, Background& background)
    : m_parent(parent), m_background(background) {
    m_settled.setSingleShot(true);
    m_settled.setInterval(kSettledMs);
    connect(&m_settled, &QTimer::timeout, this, &DescribeDesk::look);
}

void DescribeDesk::makeDialog() {
    m_dialog = new DescribeDialog(&m_parent);
    connect(m_dialog, &DescribeDialog::formChanged, this, &DescribeDesk::edited);
    connect(m_dialog, &DescribeDialog::previewKindChanged, this, [this] {
        if (m_file.file && !m_filling) follow();
    });
    connect(m_dialog, &DescribeDialog::keepRequested, this, &DescribeDesk::keep);
    connect(m_dialog, &QDialog::rejected, this, &DescribeDesk::giveUp);
}

/// Running work continues, and its result is dropped.
void DescribeDesk::giveUp() {
    ++m_question;
    m_settled.stop();
    m_looking = m_stale = false;
    m_file = {};
}

void DescribeDesk::ask(const QString& path) {
    if (m_dialog == nullptr) makeDialog();
    giveUp();
    m_path = path;
    const QFileInfo info(path);
    fill([&] { m_dialog->setFile(info.fileName(), info.size()); });
    m_dialog->setBusy(QString("Reading %1 \u2026").arg(info.fileName()));
    m_dialog->show();
    m_dialog->raise();
    m_background.start(
        Background::Kind::Quiet, {},
        [this, question = m_question, path](const std::stop_token& /*stop*/) -> Background::Finish {
            QString problem;
            const auto read = std::make_shared<DescribedFile>();
            try {
                *read = readDescribed(path.toStdString());
            } catch (const std::exception& error) {
                problem = error.what();
            }
            return [this, question, read, problem] {
                if (question != m_question) return;
                if (problem.isEmpty()) {
                    begin(std::move(*read));
                    return;
                }
                m_dialog->reject();
                emit failed(problem);
            };
        });
}

template <class Do> void DescribeDesk::fill(const Do& what) {
    m_filling = true;
    what();
    m_filling = false;
}

/// Begins with the stored description, else with a quick guess. Further guesses run in the
/// background.
void DescribeDesk::begin(DescribedFile file) {
    m_file = std::move(file);
    m_rankedSpectra.reset();
    m_rankedChannels.reset();
    m_rankedImages.reset();
    m_complex = {};
    m_shape.clear();
    m_bandCentre = m_followedMHz = 0.0;
    m_touched = {};
    fill([&] {
        m_dialog->setFile(QFileInfo(m_path).fileName(), static_cast<qint64>(bytes()),
                          m_file.arrays);
        m_dialog->setKind(m_file.kind);
        if (const auto& kept = m_file.spectra) {
            m_shape = kept->shape;
            if (kept->inArray) m_rankedSpectra = kept;
            if (const auto form = formOf(*kept)) m_dialog->spectra().setForm(*form);
        } else if (const auto& channels = m_file.channels) {
            complexOf(Kind::Channels) = channels->complexElements;
            m_rankedChannels = channels; // a better guess is not needed
            if (const auto form = formOf(*channels)) m_dialog->channels().setForm(*form);
        } else if (const auto& images = m_file.images) {
            complexOf(Kind::Images) = images->complexElements;
            m_rankedImages = images;
            if (const auto form = formOf(*images)) m_dialog->images().setForm(*form);
        }
    });
    m_kind = m_dialog->kind();
    m_dialog->setBusy({});
    follow();
}

Description DescribeDesk::description() const {
    Description as{.kind = m_dialog->kind()};
    switch (as.kind) {
    case Kind::Spectra:
        as.spectra = importOf(m_dialog->spectra().form(), headerless(), m_shape);
        break;
    case Kind::Channels:
        as.channels = importOf(m_dialog->channels().form(), headerless(), complexOf(as.kind));
        as.channels.centreEstimated = isEstimated(as.channels.centreFrequencyHz);
        break;
    case Kind::Images:
        as.images = importOf(m_dialog->images().form(), headerless(), complexOf(as.kind));
        break;
    }
    return as;
}

/// The user has left the centre frequency that was estimated.
bool DescribeDesk::isEstimated(double centreHz) const {
    constexpr double kRounding = 1.0; // Hz
    const bool ranked = m_rankedChannels && m_rankedChannels->centreEstimated &&
                        std::abs(m_rankedChannels->centreFrequencyHz - centreHz) < kRounding;
    return centreHz > 0.0 && (ranked || std::abs(m_followedMHz * 1e6 - centreHz) < kRounding);
}

void DescribeDesk::edited() {
    if (m_filling || !m_file.file) return;
    // Another kind begins with its own guess.
    if (m_kind == m_dialog->kind())
        touched() = true;
    else
        m_kind = m_dialog->kind();
    fill([&] { followBand(); });
    follow();
}

/// The centre frequency follows the sampling frequency until the user enters one.
void DescribeDesk::followBand() {
    ChannelFormValues form = m_dialog->channels().form();
    const bool own = form.centreMHz != 0.0 && form.centreMHz != m_followedMHz;
    if (m_dialog->kind() != Kind::Channels || m_bandCentre <= 0.0 || own) return;
    form.centreMHz = std::round(m_bandCentre * form.samplingMHz * 100.0) / 100.0;
    if (form.centreMHz == m_followedMHz) return;
    m_followedMHz = form.centreMHz;
    m_dialog->channels().setForm(form);
}

/// Checks at once whether the description fits. A moment later another thread draws the picture.
void DescribeDesk::follow() {
    const auto tell = [this](const auto& fit) {
        m_dialog->setFit(QString::fromStdString(fit.sentence), fit.fits);
    };
    try {
        const Description as = description();
        switch (as.kind) {
        case Kind::Spectra: tell(checkRawImport(as.spectra, bytes())); break;
        case Kind::Channels: tell(checkChannelImport(as.channels, bytes())); break;
        case Kind::Images: tell(checkImageImport(as.images, bytes())); break;
        }
    } catch (const Error& error) {
        m_dialog->setFit(error.what(), false);
    }
    m_stale = true;
    m_settled.start();
}

/// True where sizes must be guessed for this description. Where the user has changed nothing, they
/// are guessed from the bytes alone.
bool DescribeDesk::takesRank(Description& as) {
    const bool anew = !touched();
    switch (as.kind) {
    case Kind::Spectra:
        if (anew && !headerless() && !m_rankedSpectra) as.spectra.array.clear(); // the largest
        return changed(m_rankedSpectra, as.spectra);
    case Kind::Channels:
        if (anew && !m_rankedChannels) as.channels = {};
        return changed(m_rankedChannels, as.channels);
    case Kind::Images:
        if (anew && !m_rankedImages) as.images = {};
        return changed(m_rankedImages, as.images);
    }
    return false;
}

/// Discards the guess for `kind`, so that it is made again when the user returns to this kind.
void DescribeDesk::forgetRank(Kind kind) {
    switch (kind) {
    case Kind::Spectra: m_rankedSpectra.reset(); break;
    case Kind::Channels: m_rankedChannels.reset(); break;
    case Kind::Images: m_rankedImages.reset(); break;
    }
}

void DescribeDesk::look() {
    if (m_looking || !m_file.file) return;
    m_stale = false;
    Description as;
    try {
        as = description();
    } catch (const Error&) { // the user has been told
        return;
    }
    const bool rank = takesRank(as);
    m_looking = true;
    m_background.start(
        Background::Kind::Quiet, {},
        [this, question = m_question, file = m_file, as, rank,
         stored = m_dialog->wantsStored()](const std::stop_token& /*stop*/) -> Background::Finish {
            const auto look = std::make_shared<const DescribedLook>(lookAt(file, as, rank, stored));
            return [this, question, look, kind = as.kind] {
                if (question != m_question) return;
                m_looking = false;
                kind == m_dialog->kind() ? show(*look) : forgetRank(kind);
                if (m_stale) this->look();
            };
        });
}

void DescribeDesk::show(const DescribedLook& look) {
    const bool more = (look.spectra && !headerless()) ||
                      (look.channels && !look.channels->empty()) ||
                      (look.images && !look.images->empty());
    if (look.bandCentre > 0.0) m_bandCentre = look.bandCentre;
    if (look.spectra) showSpectra(*look.spectra);
    if (look.channels) showChannels(*look.channels);
    if (look.images) showImages(*look.images);
    if (more) return; // the picture of the new guess comes next
    m_dialog->setPreview(look.preview.picture,
                         look.problem.isEmpty() ? look.preview.caption : look.problem,
                         look.preview.heightOverWidth);
    showOrders(look.orders);
}

/// Everything but the order of the axes stays as typed.
void DescribeDesk::showOrders(const std::vector<OrderPreview>& orders) {
    std::vector<DescribeDialog::Order> shown;
    const ImageFormValues form = m_dialog->images().form();
    for (const OrderPreview& order : orders) {
        const auto described = formOf(order.import);
        if (!described) continue;
        ImageFormValues ordered = form;
        ordered.axes = described->axes;
        shown.push_back({order.power, order.text, ordered});
    }
    m_dialog->setOrders(shown);
}

void DescribeDesk::showSpectra(const std::vector<RawImport>& imports) {
    RawImportForm form = m_dialog->spectra().form();
    if (!headerless()) {
        m_rankedSpectra = imports.front();
        m_shape = imports.front().shape;
        form.array = QString::fromStdString(imports.front().array);
        fill([&] { m_dialog->spectra().setForm(form); });
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
        suggestions.push_back({.text = sizesOf(import, bytes()), .spectra = suggested});
    }
    m_dialog->setSuggestions(suggestions);
    // Before the user has typed, the likeliest guess is a better beginning than fixed values.
    if (touched() || suggestions.empty() || checkRawImport(importOf(form), bytes()).fits) return;
    fill([&] { m_dialog->spectra().setForm(suggestions.front().spectra); });
    follow();
}

/// For an array in a container its own axes are used, whatever was typed for another array.
void DescribeDesk::showChannels(const std::vector<ChannelImport>& imports) {
    if (!imports.empty()) complexOf(Kind::Channels) = imports.front().complexElements;
    const ChannelFormValues form = m_dialog->channels().form();
    const bool keeps = touched() && headerless();
    std::vector<DescribeDialog::Suggestion> suggestions;
    for (const ChannelImport& import : imports) {
        const auto guess = formOf(import);
        if (!guess) continue;
        ChannelFormValues suggested = keeps ? form : *guess;
        suggested.axes = guess->axes;
        suggested.headerBytes = guess->headerBytes;
        suggestions.push_back({.text = sizesOf(import, bytes()), .channels = suggested});
    }
    if (headerless()) m_dialog->setSuggestions(suggestions);
    if (!suggestions.empty() && !keeps) {
        m_rankedChannels = imports.front();
        fill([&] { m_dialog->channels().setForm(suggestions.front().channels); });
    }
    fill([&] { followBand(); });
    follow();
}

void DescribeDesk::showImages(const std::vector<ImageImport>& imports) {
    if (!imports.empty()) complexOf(Kind::Images) = imports.front().complexElements;
    ImageFormValues form = m_dialog->images().form();
    const bool keeps = touched() && headerless();
    std::vector<DescribeDialog::Suggestion> suggestions;
    for (const ImageImport& import : imports) {
        const auto guess = formOf(import);
        if (!guess) continue;
        ImageFormValues suggested = keeps ? form : *guess;
        suggested.axes = guess->axes;
        suggested.headerBytes = guess->headerBytes;
        suggestions.push_back({.text = sizesOf(import, bytes()), .images = suggested});
    }
    if (headerless()) m_dialog->setSuggestions(suggestions);
    if (!suggestions.empty() && !keeps) {
        m_rankedImages = imports.front();
        fill([&] { m_dialog->images().setForm(suggestions.front().images); });
    } else if (imports.empty() && form.axes.empty()) {
        form.axes = {{"frame", 0}, {"depth", 512}, {"lateral", 256}}; // a first description
        fill([&] { m_dialog->images().setForm(form); });
    }
    follow();
}

void DescribeDesk::keep() {
    Description as;
    try {
        as = description();
    } catch (const Error& error) {
        m_dialog->setError(error.what());
        return;
    }
    m_dialog->setBusy(
        QString("Keeping the description of %1 \u2026").arg(QFileInfo(m_path).fileName()));
    m_background.start(Background::Kind::Quiet, {},
                       [this, question = m_question, path = m_path,
                        as](const std::stop_token& /*stop*/) -> Background::Finish {
                           std::filesystem::path place;
                           QString problem;
                           try {
                               place = keepDescription(path.toStdString(), as);
                           } catch (const std::exception& error) {
                               problem = error.what();
                           }
                           return [this, question, place, problem] {
                               if (question != m_question) return;
                               m_dialog->setBusy({});
                               problem.isEmpty() ? kept(place) : m_dialog->setError(problem);
                           };
                       });
}

void DescribeDesk::kept(const std::filesystem::path& place) {
    m_dialog->accept();
    giveUp();
    if (place != rawImportPath(m_path.toStdString()))
        emit keptElsewhere(
            QString("The folder of %1 cannot be written, so its description is kept in "
                    "%2. It is found there while the file keeps its place and "
                    "its length.")
                .arg(QFileInfo(m_path).fileName(),
                     QDir::toNativeSeparators(QString::fromStdString(place.string()))));
    emit described();
}

} // namespace echolux
