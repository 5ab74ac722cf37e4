// SPDX-License-Identifier: GPL-3.0-or-later
// The page "On the image" of the filter lab: interpolators on the shown frame, with how much their
// images differ from that of the best one and how long they take.
#pragma once

#include "ui/lab/lab_picture.hpp"

#include <QString>
#include <QWidget>

#include <optional>
#include <vector>

class QButtonGroup;
class QGridLayout;
class QLabel;
class QPushButton;

namespace echolux {

class LabPicturePlot;

struct ComparedImage {
    QString name;
    bool best = false;  ///< the others are compared with it
    bool inUse = false; ///< by the beamformer in force
    double differenceDb = 0.0;
    double ms = 0.0;
    LabPicture difference{};
};

class ImageComparison : public QWidget {
    Q_OBJECT
public:
    explicit ImageComparison(QWidget* parent = nullptr);
    /// `text`: frame, backend. The row that was chosen stays chosen.
    void setImages(const std::vector<ComparedImage>& images, const QString& text);
    void setBusy(bool busy);
    void setProblem(const QString& sentence); ///< why nothing is compared; empty: no problem
    /// The pipeline or the frame is another one than when the images were made.
    void setStale(bool stale);

    QPushButton& button() { return *m_compare; }
    LabPicturePlot& plot() { return *m_plot; }
    int rows() const { return static_cast<int>(m_images.size()); }
    const ComparedImage& row(int number) const {
        return m_images[static_cast<std::size_t>(number)];
    }
    void choose(int row); ///< as the user does
    QString text() const; ///< the line above the table

signals:
    void comparisonWanted();

private:
    void makeRows();
    void showText();
    void showChosen();

    QPushButton* m_compare;
    QLabel* m_text;
    QGridLayout* m_grid;
    QButtonGroup* m_names;
    LabPicturePlot* m_plot;
    std::vector<ComparedImage> m_images;
    QString m_of;
    QString m_chosen; ///< name of the chosen row
    QString m_problem;
    bool m_busy = false;
    bool m_stale = false;
};

} // namespace echolux
