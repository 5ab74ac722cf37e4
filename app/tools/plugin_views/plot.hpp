// SPDX-License-Identifier: GPL-3.0-or-later
// What a plugin's view draws, inside the axes that it names.
#pragma once

#include "ui/plots/hint_plot.hpp"

#include <QImage>
#include <QList>
#include <QSize>
#include <QString>
#include <QStringList>

#include <vector>

namespace echolux {

class ComboBox;

struct ViewPicture {
    struct Axis {
        QString label; ///< with its unit on screen
        double from = 0.0;
        double to = 1.0;
    };
    struct Curve {
        QString label;
        std::vector<double> x; ///< as many as y
        std::vector<double> y;
    };
    Axis across;
    Axis up;
    QImage image; ///< fills the axes; may be null
    QList<Curve> curves;
    QString caption;
};

class ViewPlot : public HintPlot {
    Q_OBJECT
public:
    /// `help` stands in place of the axes until there is a picture.
    ViewPlot(const QString& title, const QString& help, QWidget* parent = nullptr);

    void setPicture(const ViewPicture& picture);
    /// Shows the sentence in place of the picture; empty: the help.
    void setProblem(const QString& sentence);
    const ViewPicture& picture() const { return m_picture; }
    QString problem() const { return m_problem; }
    QSize room() const; ///< inside the axes, in pixels of the screen

    /// The views of the pipeline to choose from. One alone needs no choice.
    void setViews(const QStringList& names);
    int view() const; ///< number of the chosen one

signals:
    void viewChosen();

protected:
    void restyle() override;

private:
    void paintImage(QCPPainter& painter);
    void makeCurves();
    void fitAxis(QCPAxis* axis, const ViewPicture::Axis& wanted);

    ComboBox* m_views;
    QLabel* m_caption;
    ViewPicture m_picture;
    QString m_problem;
};

} // namespace echolux
