// SPDX-License-Identifier: GPL-3.0-or-later
// The slider, the marked steps and their strip.
#include "ui/aberration/iteration_view.hpp"

#include "gpu/aberration/host_estimate.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/whole_file.hpp"
#include "ui/aberration/convergence_plot.hpp"
#include "ui/aberration/element_plot.hpp"
#include "ui/aberration/screen_strip.hpp"
#include "ui/controls/number_text.hpp"
#include "ui/controls/picture_bytes.hpp"
#include "ui/controls/slider.hpp"
#include "ui/theme/labels.hpp"
#include "ui/theme/theme.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace echolux {

using aberration::kShownIterations;

namespace {

/// False where a method leaves all amplitudes as they are, and finds delays alone.
bool differ(const ElementValues& amplitudesDb) {
    constexpr double kSame = 1e-4;
    return std::ranges::any_of(amplitudesDb.values,
                               [](double db) { return std::isfinite(db) && std::abs(db) > kSame; });
}

} // namespace

IterationView::IterationView(QWidget* parent)
    : QWidget(parent), m_steps(std::make_shared<const std::vector<IterationStep>>()),
      m_text(makeLabel({}, LabelRole::Normal, this)), m_slider(new Slider(this)),
      m_save(new QToolButton(this)), m_cine(new QToolButton(this)),
      m_convergence(new ConvergencePlot(this)),
      m_delays(new ElementPlot("Delay", "ns", ElementPlot::Scale::Signed, this)),
      m_amplitudes(new ElementPlot("Amplitude", "dB", ElementPlot::Scale::Signed, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, kGrid / 2, 0, 0);
    layout->setSpacing(kGrid / 2);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(kGrid, 0, kGrid, 0);
    line->setSpacing(kGrid);
    m_text->setMinimumWidth(m_text->fontMetrics().horizontalAdvance("Iteration 128 of 128"));
    m_slider->setAccessibleName("Iteration");
    m_slider->setToolTip("Number of iterations after which the filter is shown");
    line->addWidget(m_text);
    line->addWidget(m_slider, 1);
    layout->addLayout(line);
    auto* marks = new QHBoxLayout;
    marks->setContentsMargins(kGrid, 0, kGrid, 0);
    marks->setSpacing(kGrid / 4);
    addMarks(*marks);
    m_save->setText("Strip\u2026");
    m_save->setToolTip("Save the marked iterations side by side as a picture (PNG)");
    m_cine->setText("Cine\u2026");
    m_cine->setToolTip("Save all iterations one after the other as a cine (GIF, MP4, WebM)");
    marks->addStretch(1);
    marks->addWidget(m_save);
    marks->addWidget(m_cine);
    layout->addLayout(marks);
    layout->addWidget(m_convergence, 2);
    auto* pair = new QHBoxLayout;
    pair->setSpacing(0);
    pair->addWidget(m_delays, 1);
    pair->addWidget(m_amplitudes, 1);
    layout->addLayout(pair, 3);
    connect(m_slider, &QSlider::valueChanged, this, &IterationView::choose);
    connect(m_slider, &Slider::stepRequested, this, [this](double steps, bool) {
        m_slider->setValue(m_slider->value() +
                           static_cast<int>(steps > 0.0 ? std::ceil(steps) : std::floor(steps)));
    });
    connect(m_save, &QToolButton::clicked, this, &IterationView::chooseFile);
    connect(m_cine, &QToolButton::clicked, this, &IterationView::cineWanted);
    setSteps(m_steps);
}

void IterationView::addMarks(QHBoxLayout& row) {
    for (const int number : kShownIterations) {
        auto* mark = new QToolButton(this);
        mark->setText(QString::number(number));
        mark->setCheckable(true);
        mark->setAccessibleName(QString("Iteration %1").arg(number));
        connect(mark, &QToolButton::clicked, this, [this, number] {
            m_slider->setValue(number - 1);
            show();
        });
        row.addWidget(mark);
        m_marks.push_back(mark);
    }
}

void IterationView::setSteps(std::shared_ptr<const std::vector<IterationStep>> steps,
                             bool published) {
    m_steps = std::move(steps);
    const int count = static_cast<int>(m_steps->size());
    m_at = count == 0 ? -1 : m_atLast || m_at < 0 ? count - 1 : std::min(m_at, count - 1);
    {
        const QSignalBlocker quiet(m_slider);
        m_slider->setRange(0, std::max(count - 1, 0));
        m_slider->setValue(std::max(m_at, 0));
    }
    m_slider->setEnabled(count > 1);
    for (QToolButton* button : {m_save, m_cine}) button->setEnabled(count > 0);
    m_convergence->setSteps(*m_steps, published);
    show();
}

void IterationView::setLevel(bool level) {
    if (level == m_level) return;
    m_level = level;
    m_delays->forgetRange();
    show();
}

void IterationView::choose(int step) {
    m_at = step;
    m_atLast = step + 1 == static_cast<int>(m_steps->size());
    show();
}

void IterationView::show() {
    const int count = static_cast<int>(m_steps->size());
    for (std::size_t i = 0; i < m_marks.size(); ++i) {
        m_marks[i]->setEnabled(kShownIterations[i] <= count);
        m_marks[i]->setChecked(kShownIterations[i] == m_at + 1);
    }
    if (m_at < 0 || m_at >= count) {
        m_text->setText("No iterations");
        for (ElementPlot* plot : {m_delays, m_amplitudes}) plot->clear();
        return;
    }
    const IterationStep& step = (*m_steps)[static_cast<std::size_t>(m_at)];
    m_text->setText(QString("Iteration %1 of %2").arg(step.number).arg(m_steps->back().number));
    m_delays->setValues(m_level ? step.screen.levelDelayNs : step.screen.delayNs, std::nullopt,
                        QString("complex change %1").arg(significantText(step.change, 2)));
    m_amplitudes->setValues(step.screen.amplitudeDb);
    m_amplitudes->setVisible(differ(step.screen.amplitudeDb));
    m_convergence->setStep(step.number);
}

QImage IterationView::strip() const {
    std::vector<StripPicture> pictures;
    const auto add = [&](const IterationStep& step) {
        pictures.push_back({QString("iteration %1").arg(step.number),
                            m_level ? step.screen.levelDelayNs : step.screen.delayNs,
                            step.screen.amplitudeDb});
    };
    for (const IterationStep& step : *m_steps)
        if (std::ranges::find(kShownIterations, step.number) != kShownIterations.end()) add(step);
    const bool lastIsIn =
        !m_steps->empty() &&
        std::ranges::find(kShownIterations, m_steps->back().number) != kShownIterations.end();
    if (!m_steps->empty() && !lastIsIn) add(m_steps->back());
    return paintStrip(pictures);
}

QString IterationView::saveStrip(const QString& path) const {
    const QImage picture = strip();
    if (picture.isNull()) return "There are no iterations to save.";
    try {
        writeWhole(path.toStdString(), pictureBytes(picture, "PNG"));
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

void IterationView::chooseFile() {
    QString path = QFileDialog::getSaveFileName(this, "Save the iterations", "iterations.png",
                                                "PNG pictures (*.png)");
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += ".png";
    const QString refusal = saveStrip(path);
    refusal.isEmpty() ? emit saved(path) : emit failed(refusal);
}

} // namespace echolux
