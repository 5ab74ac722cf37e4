// SPDX-License-Identifier: GPL-3.0-or-later
// Writes soon, on changes, and at the end.
#include "app/tools/measurements/keeper.hpp"

#include "app/dataset/recording/recording.hpp"
#include "app/desktop/workbench/workbench.hpp"
#include "app/measure/measurement_file.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/failure_text.hpp"
#include "gpu/core/whole_file.hpp"

#include <QApplication>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QString>

#include <utility>

namespace echolux {
namespace {

constexpr int kSoonMs = 500;

std::optional<std::filesystem::path> askPlace(const std::filesystem::path& recording,
                                              const std::string& why) {
    QMessageBox question(QMessageBox::Question, "Measurements",
                         QString("The measurements of '%1' are not saved.")
                             .arg(QString::fromStdString(recording.filename().string())),
                         QMessageBox::NoButton, QApplication::activeWindow());
    question.setInformativeText(QString::fromStdString(why));
    QPushButton* elsewhere = question.addButton("&Save as...", QMessageBox::AcceptRole);
    QPushButton* discard = question.addButton("&Discard", QMessageBox::DestructiveRole);
    question.setDefaultButton(elsewhere);
    while (true) {
        question.exec();
        if (question.clickedButton() == discard) return std::nullopt;
        const QString path =
            QFileDialog::getSaveFileName(QApplication::activeWindow(), "Save the measurements",
                                         "measurements.toml", "Measurements (*.toml)");
        if (!path.isEmpty()) return path.toStdString();
    }
}

} // namespace

MeasurementKeeper::MeasurementKeeper(QObject& parent, Workbench& bench)
    : QObject(&parent), m_bench(bench), m_ask(askPlace) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    connect(&m_soon, &QTimer::timeout, this, &MeasurementKeeper::writeOrWarn);
    connect(&bench, &Workbench::closing, this, &MeasurementKeeper::end);
}

MeasurementKeeper::~MeasurementKeeper() { write(); }

MeasurementKeeper::Measurements MeasurementKeeper::take() {
    end();
    const RecordingInfo& info = m_bench.recording();
    m_recording = info.path;
    m_file = measure::measurementsBeside(info.path);
    m_noPlace = info.live ? "A live source has no folder." : "";
    m_warned = false;
    if (info.live) return {};
    try {
        if (std::filesystem::exists(m_file)) return measure::readMeasurements(m_file);
    } catch (const std::exception& error) {
        m_noPlace = failureText(error);
        m_bench.warn(QString::fromStdString(m_noPlace));
    }
    return {};
}

void MeasurementKeeper::follow(const Measurements& changed) {
    m_waiting = changed;
    if (!m_soon.isActive()) m_soon.start();
}

std::string MeasurementKeeper::write() {
    if (!m_waiting) return {};
    if (!m_noPlace.empty()) return m_noPlace;
    try {
        writeWhole(m_file, measure::toToml(*m_waiting));
    } catch (const Error& error) {
        return error.what();
    }
    m_waiting.reset();
    return {};
}

void MeasurementKeeper::writeOrWarn() {
    const std::string why = write();
    if (why.empty() || std::exchange(m_warned, true)) return;
    m_bench.warn(QString("The measurements are not kept: %1 You will be asked for a place when the "
                         "recording is closed.")
                     .arg(QString::fromStdString(why)));
}

void MeasurementKeeper::end() {
    m_soon.stop();
    std::string why = write();
    while (!why.empty()) {
        const auto place = m_ask(m_recording, why);
        why.clear();
        if (!place) break;
        try {
            writeWhole(*place, measure::toToml(*m_waiting));
        } catch (const Error& error) {
            why = error.what();
        }
    }
    m_waiting.reset();
}

void MeasurementKeeper::save(const Measurements& now) {
    m_waiting = now;
    m_soon.stop();
    const std::string why = write();
    if (!why.empty()) return m_bench.fail(QString::fromStdString(why));
    m_bench.inform(QString("Saved %1 measurements to '%2'.")
                       .arg(now.size())
                       .arg(QString::fromStdString(m_file.string())));
}

} // namespace echolux
