// SPDX-License-Identifier: GPL-3.0-or-later
// Asks for size, resolution, font and parts of a figure, and shows it as it will be.
#pragma once

#include "app/paper/figure.hpp"

#include <QDialog>
#include <QString>

class QDoubleSpinBox;
class QFontComboBox;
class QLabel;
class QPushButton;
class QTimer;

namespace echolux {

class PreviewPicture;
class ToggleSwitch;

class FigureDialog : public QDialog {
    Q_OBJECT
public:
    /// `style.look` stays as it is, but for its scale bar.
    FigureDialog(FigurePanel panel, FigureStyle style, QWidget* parent);
    const FigurePanel& panel() const { return m_panel; }
    FigureStyle style() const; ///< as the fields say
    PreviewPicture& preview() { return *m_preview; }

signals:
    void saveWanted(); ///< the style is one that can be drawn

private:
    void layOut();
    void draw(); ///< the figure, or why it cannot be drawn
    void copy(); ///< to the clipboard, as a picture

    FigurePanel m_panel;
    FigureStyle m_style;
    QDoubleSpinBox *m_width, *m_mostHeight, *m_dpi, *m_fontPt;
    QFontComboBox* m_font;
    ToggleSwitch *m_colourBar, *m_scaleBar, *m_names, *m_dark;
    PreviewPicture* m_preview;
    QLabel* m_note;
    QPushButton *m_copy, *m_save;
    QTimer* m_soon;
};

} // namespace echolux
