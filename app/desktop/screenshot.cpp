// SPDX-License-Identifier: GPL-3.0-or-later
// Writes and reads the PNG text chunk of a screenshot.
#include "app/desktop/screenshot.hpp"

#include "app/dataset/recording/opening.hpp"
#include "app/desktop/display_fields.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"
#include "ui/controls/picture_bytes.hpp"

#include <QFile>
#include <QFileInfo>
#include <QImageReader>
#include <QImageWriter>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLoggingCategory>
#include <QtEndian>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace echolux {
namespace {

const QString kChunk = QStringLiteral("echolux");
constexpr int kRecordVersion = 1;

template <class T> QJsonArray toJson(const std::vector<T>& values) {
    QJsonArray array;
    for (const T value : values) array.push_back(static_cast<double>(value));
    return array;
}

template <class T> std::vector<T> numbersIn(const QJsonValue& array) {
    std::vector<T> values;
    for (const QJsonValue& each : array.toArray())
        values.push_back(static_cast<T>(each.toDouble()));
    return values;
}

QJsonObject toJson(const Calibration& facts, const QString& file) {
    return {{"file", file},
            {"title", QString::fromStdString(facts.title)},
            {"centre_wavelength", facts.centreWavelengthM},
            {"bandwidth", facts.bandwidthM},
            {"background", toJson(facts.background)},
            {"resampling", toJson(facts.resampling)},
            {"dispersion_rad", toJson(facts.dispersionRad)}};
}

Calibration calibrationIn(const QJsonObject& object) {
    Calibration facts;
    facts.title = object["title"].toString().toStdString();
    facts.centreWavelengthM = object["centre_wavelength"].toDouble();
    facts.bandwidthM = object["bandwidth"].toDouble();
    facts.background = numbersIn<float>(object["background"]);
    facts.resampling = numbersIn<double>(object["resampling"]);
    facts.dispersionRad = numbersIn<double>(object["dispersion_rad"]);
    return facts;
}

QJsonObject toJson(const ScreenshotRecord& record) {
    QJsonObject object{
        {"version", kRecordVersion},
        {"source", QJsonObject{{"name", record.sourceName}, {"sha256", record.sourceSha256}}},
        {"sidecar", record.sidecar},
        {"track", record.track},
        {"frame", static_cast<qint64>(record.frame)},
        {"bscan", static_cast<qint64>(record.bscan)},
        {"backend", record.backend},
        {"pipeline", QString::fromStdString(toToml(record.pipeline))},
        {"display", toJson(record.display)},
        {"views", QJsonObject::fromVariantMap(record.views)}};
    if (record.calibration)
        object["calibration"] = toJson(*record.calibration, record.calibrationFile);
    return object;
}

/// True where a PNG has no more packed texts than programs write. Each may take 8 MB, however short
/// it is in the file.
bool hasFewTexts(const QString& path) {
    constexpr int kMostTexts = 16;
    constexpr qint64 kSignature = 8;
    constexpr qint64 kHead = 8; // length and kind
    constexpr qint64 kSum = 4;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || !file.seek(kSignature)) return true;
    int texts = 0;
    for (QByteArray head = file.read(kHead); head.size() == kHead; head = file.read(kHead)) {
        const QByteArray kind = head.mid(4);
        texts += kind == "zTXt" || kind == "iTXt" ? 1 : 0;
        if (texts > kMostTexts) return false;
        if (!file.seek(file.pos() + qFromBigEndian<quint32>(head.constData()) + kSum)) break;
    }
    return true;
}

/// Qt would print what its libraries say about damaged pictures.
void quietPictures() {
    static const bool kQuiet = [] {
        QLoggingCategory::setFilterRules("qt.gui.imageio.warning=false");
        return true;
    }();
    Q_UNUSED(kQuiet);
}

} // namespace

void saveScreenshot(const QString& path, QImage image, const ScreenshotRecord& record) {
    image.setText(kChunk,
                  QString::fromUtf8(QJsonDocument(toJson(record)).toJson(QJsonDocument::Compact)));
    const QByteArray format = QFileInfo(path).suffix().toUpper().toLatin1();
    if (!QImageWriter::supportedImageFormats().contains(format.toLower())) {
        throw Error(("Pictures are saved as .png, .jpg or .bmp, not as " +
                     QFileInfo(path).fileName() + "; choose one of these endings.")
                        .toStdString());
    }
    writeWhole(path.toStdString(), pictureBytes(image, format.constData()));
}

ScreenshotRecord readScreenshot(const QString& path) {
    const std::string name = QFileInfo(path).fileName().toStdString();
    const Opening opening(path.toStdString());
    quietPictures();
    if (!hasFewTexts(path))
        throw Error(name +
                    " carries more packed texts than any screenshot; choose a PNG that Echolux "
                    "saved.");
    QImageReader reader(path);
    if (const QSize size = reader.size(); !size.isEmpty())
        Opening::keep("its pixels", 4 * static_cast<std::uint64_t>(size.width()) *
                                        static_cast<std::uint64_t>(size.height()));
    const QImage image = reader.read();
    if (image.isNull())
        throw Error(name + " is not a picture that can be read; choose a PNG that Echolux saved.");
    const QString text = image.text(kChunk);
    const QJsonObject root = QJsonDocument::fromJson(text.toUtf8()).object();
    if (root.isEmpty()) {
        throw Error(name + " carries no Echolux settings; choose a screenshot that Echolux saved "
                           "and no editor changed.");
    }
    if (root["version"].toInt() != kRecordVersion) {
        throw Error(name +
                    " was saved by a newer Echolux; update the program to open its settings.");
    }
    ScreenshotRecord record;
    record.sourceName = root["source"].toObject()["name"].toString();
    record.sourceSha256 = root["source"].toObject()["sha256"].toString();
    record.sidecar = root["sidecar"].toString();
    record.track = root["track"].toInt();
    record.frame = root["frame"].toInteger();
    record.bscan = root["bscan"].toInteger();
    record.backend = root["backend"].toString();
    record.pipeline =
        parsePipeline(root["pipeline"].toString().toStdString(), "the pipeline in " + name);
    const QJsonObject calibration = root["calibration"].toObject();
    if (!calibration.isEmpty()) {
        record.calibrationFile = calibration["file"].toString();
        record.calibration = calibrationIn(calibration);
    }
    record.display = displayIn(root["display"].toObject());
    record.views = root["views"].toObject().toVariantMap();
    return record;
}

bool isScreenshot(const QString& path) {
    quietPictures();
    QImageReader reader(path);
    return reader.format() == "png" && hasFewTexts(path) && reader.textKeys().contains(kChunk);
}

} // namespace echolux
