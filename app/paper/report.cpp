// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of facts, settings and figures, a column per side.
#include "app/paper/report.hpp"

#include "app/paper/figure_file.hpp"
#include "gpu/core/csv_text.hpp"

#include <QBuffer>
#include <QDateTime>
#include <QPageSize>
#include <QPdfWriter>
#include <QTextDocument>
#include <QUrl>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace echolux {
namespace {

std::string escaped(const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped().toStdString();
}

/// One line of a table.
struct Row {
    std::string name;
    std::vector<std::string> cells;
    bool differs() const {
        return std::ranges::adjacent_find(cells, std::ranges::not_equal_to()) != cells.end();
    }
};

/// Adds the cell of column `side` to the row of that name, which is made where it is missing.
void put(std::vector<Row>& rows, const std::string& name, std::size_t side, std::size_t sides,
         const std::string& cell) {
    auto row = std::ranges::find(rows, name, &Row::name);
    if (row == rows.end()) row = rows.insert(rows.end(), {name, std::vector<std::string>(sides)});
    row->cells[side] = cell;
}

std::vector<Row> factsOf(const Report& report) {
    std::vector<Row> rows;
    const std::size_t sides = report.sides.size();
    for (std::size_t n = 0; n < sides; ++n) {
        for (const RecordingFact& fact : report.sides[n].facts)
            put(rows, fact.name, n, sides, fact.text);
        if (!report.sides[n].hash.empty()) put(rows, "SHA-256", n, sides, report.sides[n].hash);
    }
    return rows;
}

std::string shownValue(const ParamRow& row, const ParamValue& value) {
    const double* real = std::get_if<double>(&value);
    const std::string text = real != nullptr ? fmt::format("{:.6g}", *real * row.displayFactor)
                                             : ParamTable::format(value);
    return row.shownUnit().empty() ? text : text + ' ' + row.shownUnit();
}

std::vector<Row> settingsOf(const Report& report) {
    std::vector<Row> rows;
    const std::size_t sides = report.sides.size();
    for (std::size_t n = 0; n < sides; ++n) {
        put(rows, "Pipeline", n, sides, report.sides[n].snapshot->name);
        for (const StageState& stage : report.sides[n].snapshot->stages) {
            if (stage.bypass) {
                put(rows, stage.id, n, sides, "off");
                continue;
            }
            for (const ParamRow& row : stage.type->table.rows())
                put(rows, stage.id + "." + row.key, n, sides,
                    shownValue(row, stage.params.get(row.key)));
        }
    }
    return rows;
}

std::optional<double> valueOf(const ReportSide& side, const std::string& measurement,
                              const std::string& id) {
    for (const measure::Measured& one : side.measured)
        for (const measure::Figure& figure : one.figures)
            if (one.name == measurement && figure.id == id && std::isfinite(figure.value))
                return figure.value;
    return std::nullopt;
}

std::string number(const std::optional<double>& value) {
    return value ? fmt::format("{:.4g}", *value) : std::string("\u2013");
}

/// Calls for each figure of any side, in the order of the first side that has it.
void forEachFigure(
    const Report& report,
    const std::function<void(const measure::Measured&, const measure::Figure&)>& call) {
    std::vector<std::string> seen;
    for (const ReportSide& side : report.sides)
        for (const measure::Measured& one : side.measured)
            for (const measure::Figure& figure : one.figures) {
                const std::string key = one.name + '\n' + figure.id;
                if (std::ranges::find(seen, key) != seen.end()) continue;
                seen.push_back(key);
                call(one, figure);
            }
}

std::vector<Row> figuresOf(const Report& report) {
    std::vector<Row> rows;
    forEachFigure(report, [&](const measure::Measured& one, const measure::Figure& figure) {
        Row row{one.name + ": " + figure.label +
                    (figure.unit.empty() ? "" : " (" + figure.unit + ")"),
                {}};
        std::vector<std::optional<double>> values;
        for (const ReportSide& side : report.sides) {
            values.push_back(valueOf(side, one.name, figure.id));
            row.cells.push_back(number(values.back()));
        }
        if (values.size() == 2)
            row.cells.push_back(values[0] && values[1] ? number(*values[1] - *values[0])
                                                       : number({}));
        rows.push_back(std::move(row));
    });
    return rows;
}

/// `facts`: cells that differ are bold, those that are equal become one. Empty where there is no
/// row.
std::string tableOf(const Report& report, const std::string& title, const std::vector<Row>& rows,
                    bool facts) {
    if (rows.empty()) return {};
    std::string html = fmt::format("<h2>{}</h2>\n<table>\n", title);
    if (report.sides.size() > 1) {
        html += "<tr><th></th>";
        for (const ReportSide& side : report.sides)
            html += "<th>" + escaped(side.heading) + "</th>";
        if (!facts && report.sides.size() == 2) html += "<th>difference</th>";
        html += "</tr>\n";
    }
    for (const Row& row : rows) {
        html += "<tr><td>" + escaped(row.name) + "</td>";
        if (facts && row.cells.size() > 1 && !row.differs()) {
            html += fmt::format("<td colspan=\"{}\">{}</td></tr>\n", row.cells.size(),
                                escaped(row.cells.front()));
            continue;
        }
        const bool bold = facts && row.cells.size() > 1;
        for (const std::string& cell : row.cells)
            html += fmt::format("<td>{}{}{}</td>", bold ? "<b>" : "", escaped(cell),
                                bold ? "</b>" : "");
        html += "</tr>\n";
    }
    return html + "</table>\n";
}

/// Points with a nominal place, of one side: measured against nominal. Empty where there is none.
std::string targetsOf(const Report& report, const ReportSide& side) {
    std::string rows;
    for (const measure::Measurement& shape : side.panel.shapes) {
        if (!shape.nominal) continue;
        const auto value = [&](const char* id) { return number(valueOf(side, shape.name, id)); };
        rows += fmt::format("<tr><td>{}</td><td>{:.4g}</td><td>{}</td><td>{}</td><td>{:.4g}</td>"
                            "<td>{}</td><td>{}</td></tr>\n",
                            escaped(shape.name), shape.nominal->lateral, value("lateral"),
                            value("lateral_error"), shape.nominal->depth, value("depth"),
                            value("depth_error"));
    }
    if (rows.empty()) return {};
    const std::string of = report.sides.size() > 1 ? ": " + escaped(side.heading) : "";
    return fmt::format("<h2>Targets (mm){}</h2>\n<table>\n<tr><th></th><th>lateral, nominal</th>"
                       "<th>measured</th><th>difference</th><th>depth, nominal</th>"
                       "<th>measured</th><th>difference</th></tr>\n{}</table>\n",
                       of, rows);
}

std::string problemsOf(const Report& report) {
    std::string html;
    for (const ReportSide& side : report.sides)
        for (const measure::Measured& one : side.measured)
            for (const std::string& sentence : {one.problem, one.note})
                if (!sentence.empty())
                    html += fmt::format("<p>{}: {}</p>\n", escaped(one.name), escaped(sentence));
    return html;
}

std::vector<FigurePanel> panelsOf(const Report& report) {
    std::vector<FigurePanel> panels;
    for (const ReportSide& side : report.sides) panels.push_back(side.panel);
    return panels;
}

std::string bodyOf(const Report& report, const std::string& picture, const std::string& csvLink) {
    std::string html =
        fmt::format("<h1>{}</h1>\n<p>{}</p>\n", escaped(report.title), escaped(report.date));
    html += picture;
    for (const ReportSide& side : report.sides) html += targetsOf(report, side);
    html += tableOf(report, "Figures", figuresOf(report), false) + problemsOf(report) + csvLink;
    html += tableOf(report, "Recording", factsOf(report), true);
    html += tableOf(report, "Settings", settingsOf(report), true);
    std::string program = escaped(report.program);
    for (std::size_t at = 0; (at = program.find('\n', at)) != std::string::npos; at += 5)
        program.replace(at, 1, "<br>\n");
    return html + fmt::format("<h2>Program</h2>\n<p>{}</p>\n", program);
}

constexpr const char* kStyle =
    "body { font: 10pt sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #111; "
    "}\n"
    "h1 { font-size: 16pt; } h2 { font-size: 12pt; margin-top: 1.5em; }\n"
    "table { border-collapse: collapse; font-size: 9pt; }\n"
    "td, th { text-align: left; vertical-align: top; padding: 2px 12px 2px 0;\n"
    "  border-bottom: 1px solid #ddd; }\n"
    "svg { max-width: 100%; height: auto; }\n"
    "@media (prefers-color-scheme: dark) { body { background: #1b1d21; color: #ddd; }\n"
    "  td, th { border-color: #444; } a { color: #6cb2f5; } }\n";

} // namespace

std::string dateNow() {
    return QDateTime::currentDateTimeUtc().toString("yyyy-MM-dd HH:mm 'UTC'").toStdString();
}

std::string reportCsv(const Report& report) {
    std::string csv = "measurement,figure,unit";
    for (const ReportSide& side : report.sides) csv += ',' + csvText(side.heading);
    csv += '\n';
    forEachFigure(report, [&](const measure::Measured& one, const measure::Figure& figure) {
        csv += fmt::format("{},{},{}", csvText(one.name), figure.id, figure.unit);
        for (const ReportSide& side : report.sides) {
            const auto value = valueOf(side, one.name, figure.id);
            csv += value ? fmt::format(",{:.6g}", *value) : ",";
        }
        csv += '\n';
    });
    return csv;
}

std::string reportHtml(const Report& report) {
    const QByteArray svg = figureFile("svg", panelsOf(report), report.style);
    const auto begin = svg.indexOf("<svg"); // without the XML declaration
    const std::string csv = reportCsv(report);
    const bool measured = csv.find('\n') + 1 < csv.size();
    const std::string link = measured
                                 ? "<p><a download=\"figures.csv\" href=\"data:text/csv;base64," +
                                       QByteArray::fromStdString(csv).toBase64().toStdString() +
                                       "\">Figures as CSV</a></p>\n"
                                 : std::string();
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        escaped(report.title), kStyle,
        bodyOf(report, svg.mid(std::max<qsizetype>(begin, 0)).toStdString(), link));
}

QByteArray reportPdf(const Report& report) {
    constexpr int kPointsPerInch = 72;
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setCreator("Echolux");
    writer.setTitle(QString::fromStdString(report.title));
    writer.setPageSize(QPageSize(QPageSize::A4));
    QTextDocument document;
    const QImage picture = figurePicture(panelsOf(report), report.style);
    const double widthPt = report.style.widthMm / 25.4 * kPointsPerInch;
    const double heightPt = widthPt * picture.height() / picture.width();
    document.addResource(QTextDocument::ImageResource, QUrl("figure"), picture);
    QFont font("Helvetica");
    font.setStyleHint(QFont::SansSerif);
    font.setPointSizeF(8.0);
    document.setDefaultFont(font);
    document.setDefaultStyleSheet("h1 { font-size: 14pt; } h2 { font-size: 10pt; }\n"
                                  "td, th { padding-right: 10px; text-align: left; }");
    const std::string image =
        fmt::format("<p><img src=\"figure\" width=\"{:.0f}\" height=\"{:.0f}\">"
                    "</p>\n",
                    widthPt, heightPt);
    document.setHtml(QString::fromStdString(bodyOf(report, image, {})));
    document.print(&writer); // with margins and page numbers, since it has no page size
    return content;
}

} // namespace echolux
