// SPDX-License-Identifier: GPL-3.0-or-later
// Checks, guesses, preview and sidecar of a description.
#include "app/desktop/describe_desk.hpp"

#include "app/desktop/import_forms.hpp"
#include "gpu/core/error.hpp"
#include "ui/controls/failure_sentence.hpp"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <exception>
#include <utility>

namespace echolux {
namespace {

constexpr int kSettledMs = 120;
constexpr double kRoundingHz = 1.0;

/// Values that guesses of sizes set.
const QSet<QString> kSizes{
    "array", "axes", "shape", "offset", "samples", "lines", "bscans-per-volume"};

bool sameStorage(const RawImport& a, const RawImport& b) {
    if (a.inArray || b.inArray) return a.inArray == b.inArray && a.array == b.array;
    return a.type == b.type && a.headerBytes == b.headerBytes && a.trailerBytes == b.trailerBytes &&
           a.backgroundLines == b.backgroundLines && a.backgroundPerBscan == b.backgroundPerBscan;
}

bool sameStorage(const ImportArray& a, const ImportArray& b) {
    return a.type == b.type && a.name == b.name && a.headerBytes == b.headerBytes &&
           a.trailerBytes == b.trailerBytes;
}

RawFit fitOf(const RawImport& import, std::uint64_t bytes) { return checkRawImport(import, bytes); }
ChannelFit fitOf(const ChannelImport& import, std::uint64_t bytes) {
    return checkChannelImport(import, bytes);
}
ImageFit fitOf(const ImageImport& import, std::uint64_t bytes) {
    return checkImageImport(import, bytes);
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
    m_dialog = new DescribeDialog(
        {formRows<RawImport>(), formRows<ChannelImport>(), formRows<ImageImport>()}, &m_parent);
    m_dialog->form(Kind::Spectra).setValues(valuesOf(RawImport{}));
    m_dialog->form(Kind::Channels).setValues(valuesOf(ChannelImport{}));
    m_dialog->form(Kind::Images).setValues(valuesOf(ImageImport{}));
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
                problem = sentenceOf(error);
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

template <class Import> Import& DescribeDesk::storageOf() {
    if constexpr (std::is_same_v<Import, RawImport>)
        return m_storage.spectra;
    else if constexpr (std::is_same_v<Import, ChannelImport>)
        return m_storage.channels;
    else
        return m_storage.images;
}

/// Begins with the stored description, else with a quick guess. Further guesses run in the
/// background.
void DescribeDesk::begin(DescribedFile file) {
    m_file = std::move(file);
    m_ranked = {};
    m_storage = {};
    m_storage.spectra.inArray = !headerless();
    if (headerless()) m_storage.channels.type = m_storage.images.type = ElementType{};
    m_bandCentre = m_followedHz = 0.0;
    m_touched = {};
    fill([&] {
        m_dialog->setFile(QFileInfo(m_path).fileName(), static_cast<qint64>(bytes()),
                          m_file.arrays);
        m_dialog->setKind(m_file.kind);
    });
    const auto begin = [this]<class Import>(const std::optional<Import>& kept) {
        if (!kept) return;
        storageOf<Import>() = *kept;
        std::get<std::optional<Import>>(m_ranked) = kept; // a better guess is not needed
        fill([&] { m_dialog->form().setValues(valuesOf(*kept)); });
    };
    begin(m_file.spectra);
    begin(m_file.channels);
    begin(m_file.images);
    if (headerless()) std::get<0>(m_ranked).reset();
    m_kind = m_dialog->kind();
    m_dialog->setBusy({});
    follow();
}

Description DescribeDesk::description() const {
    Description as = m_storage;
    as.kind = m_dialog->kind();
    as.visit([this](auto& import) { import = importOf(m_dialog->form().values(), import); });
    as.channels.centreEstimated = isEstimated(as.channels.centreFrequencyHz);
    return as;
}

/// The user has left the centre frequency that was estimated.
bool DescribeDesk::isEstimated(double centreHz) const {
    const auto& ranked = std::get<1>(m_ranked);
    const bool isRanked = ranked && ranked->centreEstimated &&
                          std::abs(ranked->centreFrequencyHz - centreHz) < kRoundingHz;
    return centreHz > 0.0 && (isRanked || std::abs(m_followedHz - centreHz) < kRoundingHz);
}

void DescribeDesk::edited() {
    if (m_filling || !m_file.file) return;
    // Another kind begins with its own guess.
    if (m_kind == m_dialog->kind())
        touched() = true;
    else
        m_kind = m_dialog->kind();
    followBand();
    follow();
}

/// The centre frequency follows the sampling frequency until the user enters one.
void DescribeDesk::followBand() {
    if (m_dialog->kind() != Kind::Channels || m_bandCentre <= 0.0) return;
    try {
        const ChannelImport import = description().channels;
        const bool own = import.centreFrequencyHz != 0.0 &&
                         std::abs(import.centreFrequencyHz - m_followedHz) > kRoundingHz;
        const double centre = std::round(m_bandCentre * import.samplingFrequencyHz * 1e-4) * 1e4;
        if (own || centre == m_followedHz) return;
        m_followedHz = centre;
        const Fact& fact = fact::kCentreFrequency;
        fill([&] {
            m_dialog->form().setValues(
                {{asQString(fact.option),
                  QString::fromStdString(numbersText({centre}, fact.unit->quantity()))}});
        });
    } catch (const Error&) { // NOLINT: the user is told
    }
}

/// Checks at once whether the description fits. A moment later another thread draws the picture.
void DescribeDesk::follow() {
    try {
        description().visit([this](const auto& import) {
            const auto fit = fitOf(import, bytes());
            m_dialog->setFit(QString::fromStdString(fit.sentence), fit.fits);
            m_dialog->form().showOnly(applyingTo(import));
        });
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
    return as.visit([&]<class Import>(Import& import) {
        auto& ranked = std::get<std::optional<Import>>(m_ranked);
        if constexpr (std::is_same_v<Import, RawImport>) {
            if (anew && !headerless() && !ranked) import.array.clear(); // the largest
        } else if (anew && !ranked) {
            import = {};
        }
        return echolux::changed(ranked, import);
    });
}

/// Discards the guess for `kind`, so that it is made again when the user returns to this kind.
void DescribeDesk::forgetRank(Kind kind) {
    Description{.kind = kind}.visit(
        [this]<class Import>(const Import&) { std::get<std::optional<Import>>(m_ranked).reset(); });
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
    if (look.spectra) showGuesses(*look.spectra);
    if (look.channels) showGuesses(*look.channels);
    if (look.images) showGuesses(*look.images);
    if (more) return; // the picture of the new guess comes next
    m_dialog->setPreview(look.preview.picture,
                         look.problem.isEmpty() ? look.preview.caption : look.problem,
                         look.preview.heightOverWidth);
    showOrders(look.orders);
}

/// Everything but the order of the axes stays as typed.
void DescribeDesk::showOrders(const std::vector<OrderPreview>& orders) {
    std::vector<DescribeDialog::Order> shown;
    for (const OrderPreview& order : orders) {
        const FormValues values = valuesOf(order.import);
        shown.push_back(
            {order.power, order.text, {{"axes", values["axes"]}, {"shape", values["shape"]}}});
    }
    m_dialog->setOrders(shown);
}

/// For an array in a container its own axes are used, whatever was typed for another array. What
/// was typed for headerless data stays, apart from sizes.
template <class Import> void DescribeDesk::showGuesses(const std::vector<Import>& guesses) {
    constexpr bool kSpectra = std::is_same_v<Import, RawImport>;
    const bool keeps = touched() && headerless();
    std::vector<DescribeDialog::Suggestion> suggestions;
    for (const Import& guess : guesses) {
        FormValues values = valuesOf(guess);
        if (kSpectra || keeps)
            values.removeIf(
                [](const FormValues::iterator& each) { return !kSizes.contains(each.key()); });
        suggestions.push_back({sizesOf(guess, bytes()), values});
    }
    if (headerless()) m_dialog->setSuggestions(suggestions);
    const bool isBare = m_dialog->form().values().value("axes").isEmpty();
    if constexpr (std::is_same_v<Import, ImageImport>)
        if (guesses.empty() && isBare) // a first description
            fill([&] {
                m_dialog->form().setValues(
                    {{"axes", "frame,depth,lateral"}, {"shape", "-1,512,256"}});
            });
    if (!guesses.empty()) storageOf<Import>() = guesses.front();
    // Before the user has typed, the likeliest guess is a better beginning than fixed values.
    const bool fits = kSpectra && headerless() && m_dialog->fits();
    if (!guesses.empty() && !keeps && !fits) {
        std::get<std::optional<Import>>(m_ranked) = guesses.front();
        fill([&] { m_dialog->form().setValues(suggestions.front().values); });
    } else if (kSpectra) {
        return; // the form is as it was
    }
    followBand();
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
                               problem = sentenceOf(error);
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
        emit informed(QString("The folder of %1 cannot be written, so its description is kept in "
                              "%2. It is found there while the file keeps its place and "
                              "its length.")
                          .arg(QFileInfo(m_path).fileName(),
                               QDir::toNativeSeparators(QString::fromStdString(place.string()))));
    emit described();
}

} // namespace echolux
