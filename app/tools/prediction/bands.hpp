// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a name and figures, and below them a band from one value to another with a bar in it.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

#include <optional>

class QPainter;

namespace echolux {

struct Band {
    QString name;
    double low = 0.0;
    double high = 0.0;
    std::optional<double> bar = {};
    QString figures; ///< at the right end
    QString help = {};
    bool isMarked = false; ///< the name is drawn in full strength
    QString refusal = {};  ///< in place of figures and band
};

/// A line through the bands of all rows.
struct BandMark {
    double value = 0.0;
    QString label;
};

class Bands : public QWidget {
    Q_OBJECT
public:
    enum class Scale { FromZero, Logarithmic };
    explicit Bands(Scale scale, QWidget* parent = nullptr);
    void setBands(const QList<Band>& bands, const QList<BandMark>& marks = {});
    const QList<Band>& bands() const { return m_bands; }
    const QList<BandMark>& marks() const { return m_marks; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }
    /// Horizontal place of a value, in pixels from the left edge.
    double placeOf(double value) const;
    QString helpAt(int y) const; ///< of the row at this height; empty where there is none

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    int top() const; ///< height of the labels of the marks
    void paintText(QPainter& painter, const Band& band, int y) const;
    void paintBand(QPainter& painter, const Band& band, int y) const;
    void paintMarks(QPainter& painter) const;

    Scale m_scale;
    QList<Band> m_bands;
    QList<BandMark> m_marks;
    double m_from = 0.0;
    double m_to = 1.0;
};

} // namespace echolux
