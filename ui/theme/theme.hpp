// SPDX-License-Identifier: GPL-3.0-or-later
// The look of the window in one place: colour tokens of the dark and the light theme, palette,
// style sheet, fonts, icons and the palette of plot lines.
#pragma once

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QString>

#include <string>

namespace echolux {

enum class ThemeKind { Dark, Light };

struct ThemeTokens {
    QColor window, panel, raised, field;     ///< surfaces, from the back to the front
    QColor line, edge;                       ///< separators; borders of what can be operated
    QColor text, secondary, disabled;        ///< ink
    QColor accent, onAccent, warning, error; ///< states; onAccent is the ink on accent
    QColor hover, pressed, checked;          ///< surfaces of buttons
    QColor surround;                         ///< around the image
};

/// Everything is laid out in multiples of this many device-independent pixels, or halves of it.
constexpr int kGrid = 8;

/// The theme in use. Widgets that paint read tokens() while painting and repaint on changed().
class Theme : public QObject {
    Q_OBJECT
public:
    static Theme& instance();
    /// Sets style, palette, style sheet and font of the QApplication.
    void apply(ThemeKind kind);
    /// Applies the theme in use where none has been applied yet.
    void ensureApplied();
    ThemeKind kind() const { return m_kind; }
    const ThemeTokens& tokens() const { return m_tokens; }

signals:
    void changed();

private:
    Theme();
    ThemeKind m_kind = ThemeKind::Dark;
    bool m_applied = false;
    ThemeTokens m_tokens;
};

/// Tokens of the theme in use.
const ThemeTokens& tokens();
/// Tokens of what is drawn on the image's surround, which is black in both themes.
const ThemeTokens& surroundTokens();
/// The two sizes of the one font. Its digits are all equally wide, so that numbers do not jump.
QFont baseFont();
QFont smallFont();
/// For text whose characters stand in columns.
QFont fixedFont();
/// Okabe-Ito colour of the index-th line of a plot, in an order that reads well on the panel.
QColor plotColour(int index);
/// `colour` with its opacity set to `alpha` (0 to 1).
QColor withAlpha(QColor colour, double alpha);
/// One of resources/icons, drawn in the colours of the theme in use whenever it is painted.
QIcon themeIcon(const QString& name);
/// The same, always in one token.
QIcon themeIcon(const QString& name, QColor ThemeTokens::*ink);
/// Symbol of a unit as written in parameter tables: "us" becomes the micro sign and s, "deg" the
/// degree sign.
QString prettyUnit(const std::string& unit);

} // namespace echolux
