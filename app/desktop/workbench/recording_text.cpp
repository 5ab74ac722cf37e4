// SPDX-License-Identifier: GPL-3.0-or-later
// Describes recordings and transmits in words.
#include "app/desktop/workbench/recording_text.hpp"

#include "app/dataset/recording/estimated.hpp"
#include "app/dataset/transmit/array_kind.hpp"
#include "app/session/column/column.hpp"
#include "render/view/screen_axis.hpp"
#include "ui/controls/number_text.hpp"

#include <algorithm>
#include <numbers>

namespace echolux {
namespace {

QString waveName(Wave wave) {
    switch (wave) {
    case Wave::Plane: return "plane wave";
    case Wave::Diverging: return "diverging wave";
    case Wave::Focused: return "focused";
    case Wave::Element: return "single element";
    case Wave::None: return "one way";
    }
    return {};
}

/// A text such as "64 el", "96 el curved", "matrix 32 x 32", "row-column 64 + 64".
QString arrayText(const Acquisition& acquisition) {
    const ArrayKind kind = arrayKindOf(acquisition.probe, acquisition.soundSpeedMps);
    const QString name = QString::fromUtf8(nameOf(kind.shape).data());
    switch (kind.shape) {
    case ArrayShape::Matrix:
        return QString("%1 %2 x %3").arg(name).arg(kind.columns).arg(kind.rows);
    case ArrayShape::RowColumn:
        return QString("%1 %2 + %3").arg(name).arg(kind.columns).arg(kind.rows);
    case ArrayShape::Phased:
    case ArrayShape::Curved: return QString("%1 el %2").arg(kind.elements).arg(name);
    case ArrayShape::Linear:
    case ArrayShape::Other: break;
    }
    return QString("%1 el").arg(kind.elements);
}

QString anglesText(const Transmit& transmit, bool space) {
    const auto degrees = [](double angleRad) {
        return numberText(angleRad * 180.0 / std::numbers::pi, 1) + QChar(0x00b0);
    };
    const QString angle = degrees(transmit.angleRad);
    return space ? angle + ", " + degrees(transmit.elevationRad) : angle;
}

QString placeText(const Point& place, bool space) {
    QString text = numberText(place.x * 1e3, 1) + ", ";
    if (space) text += numberText(place.y * 1e3, 1) + ", ";
    return text + numberText(place.z * 1e3, 1) + " mm";
}

/// Lines and samples of a B-scan, and the wavelengths of the light.
QString spectraText(const FrameSpec& frame) {
    const auto& axes = frame.axes;
    QString text = QString("   %1 A-scans x %2 samples")
                       .arg(axes.size() > 1 ? axes[axes.size() - 2].size : 1)
                       .arg(axes.back().size);
    if (frame.spectrometer->centreWavelengthM > 0.0)
        text += QString("   %1 nm").arg(frame.spectrometer->centreWavelengthM * 1e9, 0, 'g', 4);
    return text;
}

/// A text such as "beamformed IQ   104 lines x 352 depths", with planes for a volume.
QString imageText(const FrameSpec& frame) {
    const bool complex = isComplex(frame.dtype);
    const QString kind = frame.recordedForm == RecordedForm::Beamformed
                             ? (complex ? QString("beamformed IQ") : QString("beamformed RF"))
                             : QString::fromUtf8(nameOf(frame.recordedForm).data());
    QString text = QString("   %1   %2 lines x %3 depths")
                       .arg(kind)
                       .arg(frame.sizeOf(AxisName::Lateral))
                       .arg(frame.sizeOf(AxisName::Depth));
    if (const Axis* elevation = frame.find(AxisName::Elevation))
        text += QString(" x %1 planes").arg(elevation->size);
    return text;
}

} // namespace

QString sourceText(const RecordingInfo& info) {
    QString text = QString::fromStdString(info.path.filename().string());
    if (info.tracks.size() > 1)
        text += "   track " + QString::fromStdString(info.tracks[info.track]);
    const Acquisition* acquisition = info.frame.acquisition.get();
    if (acquisition != nullptr && !acquisition->transmits.empty()) {
        const Wave wave = acquisition->transmits.front().wave;
        const bool mixed = std::ranges::any_of(acquisition->transmits,
                                               [&](const Transmit& t) { return t.wave != wave; });
        text += QString("   %1 %2 x %3")
                    .arg(mixed ? QString("waves") : waveName(wave))
                    .arg(acquisition->transmits.size())
                    .arg(arrayText(*acquisition));
    }
    if (info.frame.centreFrequencyHz > 0.0) {
        text += QString("   %1 MHz").arg(info.frame.centreFrequencyHz * 1e-6, 0, 'f', 1);
        if (isCentreEstimated(info)) text += " (estimated)";
    }
    if (info.frame.recordedForm != RecordedForm::Signals) text += imageText(info.frame);
    const bool spectra = info.frame.spectrometer != nullptr;
    if (spectra) text += spectraText(info.frame);
    if (info.frameRateHz > 0.0) {
        text += QString(info.live ? "   %1 %2/s" : "   recorded at %1 %2/s")
                    .arg(info.frameRateHz, 0, 'g', 5)
                    .arg(spectra ? "B-scans" : "frames");
    }
    return text;
}

QStringList transmitNames(const Acquisition& acquisition) {
    const bool space = std::ranges::any_of(acquisition.transmits, [](const Transmit& t) {
        return t.elevationRad != 0.0 || t.source.y != 0.0;
    });
    QStringList names;
    for (const Transmit& transmit : acquisition.transmits) {
        switch (transmit.wave) {
        case Wave::Plane: names << anglesText(transmit, space); break;
        case Wave::Diverging:
        case Wave::Focused: names << placeText(transmit.source, space); break;
        case Wave::Element:
            names
                << (space
                        ? QString("element at %1, %2 mm")
                              .arg(numberText(transmit.source.x * 1e3, 1),
                                   numberText(transmit.source.y * 1e3, 1))
                        : QString("element at %1 mm").arg(numberText(transmit.source.x * 1e3, 1)));
            break;
        case Wave::None: names << waveName(Wave::None); break;
        }
    }
    return names;
}

QStringList stageLabels(const Snapshot& snapshot, const std::vector<std::string>& ids) {
    QStringList labels;
    for (const std::string& id : ids) {
        const auto at = std::ranges::find(snapshot.stages, id, &StageState::id);
        const std::string label = at != snapshot.stages.end() ? at->type->label : id;
        labels << QString::fromStdString(label);
    }
    return labels;
}

QString stageLabel(const Snapshot& snapshot, const std::vector<std::string>& ids) {
    const QStringList labels = stageLabels(snapshot, ids);
    return labels.size() == 1 ? labels.front()
                              : labels.front() + QStringLiteral(" \u2026 ") + labels.back();
}

QString pixelText(double lateralM, double depthM) {
    constexpr double kMmPerMetre = 1e3;
    return QString("%1, %2 mm")
        .arg(numberText(lateralM * kMmPerMetre, 1), numberText(depthM * kMmPerMetre, 1));
}

QString columnText(const FrameSpec& image, double place) {
    const Axis* axis = acrossOf(image);
    if (axis == nullptr) return {};
    const ScreenAxis across = screenAxis(*axis, image);
    const std::string at = across.format(place * across.viewPerAxis);
    return QString::fromStdString(across.unit.empty() ? across.name + " " + at
                                                      : at + " " + across.unit);
}

QStringList viewNames(const Snapshot& snapshot) {
    QStringList names;
    for (const ViewState& view : snapshot.views) {
        const Source source = view.source;
        const std::string name = !view.label.empty()    ? view.label
                                 : !view.id.empty()     ? view.id
                                 : source.isRecording() ? std::string(kRecording)
                                                        : snapshot.stages[source.stage].id;
        names << QString::fromStdString(name);
    }
    return names;
}

} // namespace echolux
