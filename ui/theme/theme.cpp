// SPDX-License-Identifier: GPL-3.0-or-later
// Colours and sizes of both themes, and the style made from them.
#include "ui/theme/theme.hpp"

#include "ui/theme/theme_icon.hpp"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QPalette>
#include <QStyleFactory>

#include <array>
#include <utility>

// NOTE: the linker keeps resources of a static library only where the program names them.
static void initResources() { Q_INIT_RESOURCE(ui); }

namespace echolux {
namespace {

ThemeTokens darkTokens() {
    ThemeTokens t;
    t.window = "#1c1e22";
    t.panel = "#24272c";
    t.raised = "#2d3137";
    t.field = "#1a1c20";
    t.line = "#3a3e45";
    t.edge = "#565c66";
    t.text = "#d8dbe0";
    t.secondary = "#9aa0a8";
    t.disabled = "#656b74";
    t.accent = "#4aa3ff";
    t.onAccent = "#0d1116";
    t.warning = "#e6a23c";
    t.error = "#e05561";
    t.hover = "#31353c";
    t.pressed = "#3a3f47";
    t.checked = "#2b4360";
    t.surround = "#000000";
    return t;
}

ThemeTokens lightTokens() {
    ThemeTokens t;
    t.window = "#e7e9ec";
    t.panel = "#f4f5f7";
    t.raised = "#ffffff";
    t.field = "#ffffff";
    t.line = "#cbcfd5";
    t.edge = "#9299a3";
    t.text = "#1f2328";
    t.secondary = "#565d67";
    t.disabled = "#9aa0a8";
    t.accent = "#1668c7";
    t.onAccent = "#ffffff";
    t.warning = "#9a5b00";
    t.error = "#b8293a";
    t.hover = "#dadde2";
    t.pressed = "#cdd1d7";
    t.checked = "#c5dbf5";
    t.surround = "#000000";
    return t;
}

using NamedToken = std::pair<const char*, QColor ThemeTokens::*>;
constexpr std::array kNamedTokens = {
    NamedToken{"window", &ThemeTokens::window},
    NamedToken{"panel", &ThemeTokens::panel},
    NamedToken{"raised", &ThemeTokens::raised},
    NamedToken{"field", &ThemeTokens::field},
    NamedToken{"line", &ThemeTokens::line},
    NamedToken{"edge", &ThemeTokens::edge},
    NamedToken{"text", &ThemeTokens::text},
    NamedToken{"secondary", &ThemeTokens::secondary},
    NamedToken{"disabled", &ThemeTokens::disabled},
    NamedToken{"accent", &ThemeTokens::accent},
    NamedToken{"onAccent", &ThemeTokens::onAccent},
    NamedToken{"warning", &ThemeTokens::warning},
    NamedToken{"error", &ThemeTokens::error},
    NamedToken{"hover", &ThemeTokens::hover},
    NamedToken{"pressed", &ThemeTokens::pressed},
    NamedToken{"checked", &ThemeTokens::checked},
    NamedToken{"surround", &ThemeTokens::surround},
};

QString styleSheet(const ThemeTokens& tokens) {
    QFile file(":/style/theme.qss");
    if (!file.open(QIODevice::ReadOnly)) return {};
    QString text = QString::fromUtf8(file.readAll());
    for (const auto& [name, member] : kNamedTokens) {
        text.replace('@' + QString(name), (tokens.*member).name());
    }
    return text;
}

QPalette palette(const ThemeTokens& t) {
    QPalette p;
    p.setColor(QPalette::Window, t.window);
    p.setColor(QPalette::WindowText, t.text);
    p.setColor(QPalette::Base, t.field);
    p.setColor(QPalette::AlternateBase, t.panel);
    p.setColor(QPalette::Text, t.text);
    p.setColor(QPalette::PlaceholderText, t.secondary);
    p.setColor(QPalette::Button, t.raised);
    p.setColor(QPalette::ButtonText, t.text);
    p.setColor(QPalette::BrightText, t.error);
    p.setColor(QPalette::Highlight, t.accent);
    p.setColor(QPalette::HighlightedText, t.onAccent);
    p.setColor(QPalette::ToolTipBase, t.raised);
    p.setColor(QPalette::ToolTipText, t.text);
    p.setColor(QPalette::Link, t.accent);
    p.setColor(QPalette::Light, t.raised);
    p.setColor(QPalette::Mid, t.line);
    p.setColor(QPalette::Dark, t.line);
    p.setColor(QPalette::Shadow, t.window);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        p.setColor(QPalette::Disabled, role, t.disabled);
    }
    return p;
}

QFont makeFont(double points) {
    // Font families whose digits have equal widths by default; otherwise the system's font.
    static const QString kFamily = [] {
        const QStringList wanted{"Noto Sans", "Roboto", "Open Sans", "DejaVu Sans Condensed",
                                 "DejaVu Sans"};
        const QStringList known = QFontDatabase::families();
        for (const QString& family : wanted) {
            if (known.contains(family)) return family;
        }
        return QString();
    }();
    QFont font =
        kFamily.isEmpty() ? QFontDatabase::systemFont(QFontDatabase::GeneralFont) : QFont(kFamily);
    // NOTE: fontconfig offers the condensed variant only as a stretch of DejaVu Sans.
    if (kFamily == "DejaVu Sans") font.setStretch(QFont::SemiCondensed);
    font.setPointSizeF(points);
    return font;
}

} // namespace

Theme::Theme() : m_tokens(darkTokens()) { initResources(); }

Theme& Theme::instance() {
    static Theme theme;
    return theme;
}

void Theme::ensureApplied() {
    if (!m_applied) apply(m_kind);
}

void Theme::apply(ThemeKind kind) {
    m_applied = true;
    m_kind = kind;
    m_tokens = kind == ThemeKind::Dark ? darkTokens() : lightTokens();
    QApplication::setStyle(QStyleFactory::create("Fusion"));
    QApplication::setFont(baseFont());
    QApplication::setPalette(palette(m_tokens));
    qApp->setStyleSheet(styleSheet(m_tokens));
    emit changed();
}

const ThemeTokens& tokens() { return Theme::instance().tokens(); }

const ThemeTokens& surroundTokens() {
    static const ThemeTokens kTokens = darkTokens();
    return kTokens;
}

QFont baseFont() { return makeFont(9.5); }
QFont smallFont() { return makeFont(8.0); }

QFont fixedFont() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(baseFont().pointSizeF());
    return font;
}

QColor plotColour(int index) {
    static const std::array kDark = {"#56b4e9", "#e69f00", "#009e73", "#cc79a7",
                                     "#f0e442", "#d55e00", "#0072b2"};
    static const std::array kLight = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#f0e442"};
    const auto& colours = Theme::instance().kind() == ThemeKind::Dark ? kDark : kLight;
    return QColor(colours[static_cast<std::size_t>(index) % colours.size()]);
}

QColor withAlpha(QColor colour, double alpha) {
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

QIcon themeIcon(const QString& name) { return QIcon(new ThemeIconEngine(name)); }

QIcon themeIcon(const QString& name, QColor ThemeTokens::*ink) {
    return QIcon(new ThemeIconEngine(name, ink));
}

QString prettyUnit(const std::string& unit) {
    if (unit == "us") return QStringLiteral("\u00b5s");
    if (unit == "um") return QStringLiteral("\u00b5m");
    if (unit == "deg") return QStringLiteral("\u00b0");
    return QString::fromStdString(unit);
}

} // namespace echolux
