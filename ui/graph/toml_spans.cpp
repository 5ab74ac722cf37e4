// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a line character by character.
#include "ui/graph/toml_spans.hpp"

#include <QString>

#include <algorithm>
#include <utility>

namespace echolux {
namespace {

class TomlLine {
public:
    TomlLine(QStringView line, TomlState& state) : m_line(line), m_state(state) {}

    std::vector<TomlSpan> spans() {
        if (m_state.quote != TomlState::Quote::None) {
            readLong(0);
        } else if (m_state.depth == 0) {
            readSection();
        }
        while (m_at < m_line.size()) readNext();
        return std::move(m_spans);
    }

private:
    using Kind = TomlSpan::Kind;
    using Quote = TomlState::Quote;

    QChar at(qsizetype index) const { return index < m_line.size() ? m_line[index] : QChar(); }

    void add(Kind kind, qsizetype start) { m_spans.push_back({kind, start, m_at - start}); }

    qsizetype skipBlanks(qsizetype index) const {
        while (index < m_line.size() && m_line[index].isSpace()) ++index;
        return index;
    }

    void readSection() {
        const qsizetype start = skipBlanks(0);
        if (at(start) != u'[') return;
        const qsizetype end = m_line.indexOf(u']', start);
        m_at = end < 0 ? m_line.size() : end + 1;
        if (at(m_at) == u']') ++m_at;
        add(Kind::Section, start);
    }

    void readNext() {
        const QChar c = at(m_at);
        if (c == u'#') {
            const qsizetype start = std::exchange(m_at, m_line.size());
            add(Kind::Comment, start);
        } else if (c == u'"' || c == u'\'') {
            readString(c);
        } else if (c.isLetter() || c == u'_') {
            readWord();
        } else if (c.isDigit() || ((c == u'+' || c == u'-') && at(m_at + 1).isLetterOrNumber())) {
            const qsizetype start = m_at++;
            while (isOfWord(at(m_at)) || at(m_at) == u'.' || at(m_at) == u':' || at(m_at) == u'+')
                ++m_at;
            add(isKey() ? Kind::Key : Kind::Number, start);
        } else {
            if (c == u'[' || c == u'{') ++m_state.depth;
            if (c == u']' || c == u'}') m_state.depth = std::max(0, m_state.depth - 1);
            ++m_at;
        }
    }

    static bool isOfWord(QChar c) { return c.isLetterOrNumber() || c == u'_' || c == u'-'; }
    bool isKey() const { return at(skipBlanks(m_at)) == u'='; }

    void readWord() {
        const qsizetype start = m_at;
        while (isOfWord(at(m_at)) || at(m_at) == u'.') ++m_at;
        const QStringView word = m_line.mid(start, m_at - start);
        if (isKey()) {
            add(Kind::Key, start);
        } else if (word == u"true" || word == u"false" || word == u"inf" || word == u"nan") {
            add(Kind::Number, start);
        }
    }

    void readString(QChar quote) {
        const qsizetype start = m_at;
        if (at(m_at + 1) == quote && at(m_at + 2) == quote) {
            m_state.quote = quote == u'"' ? Quote::Basic : Quote::Literal;
            m_at += 3;
            readLong(start);
            return;
        }
        ++m_at;
        while (m_at < m_line.size() && at(m_at) != quote)
            m_at += quote == u'"' && at(m_at) == u'\\' ? 2 : 1;
        m_at = std::min(m_at + 1, m_line.size());
        add(isKey() ? Kind::Key : Kind::String, start);
    }

    /// Reads the rest of a string in three quotes.
    void readLong(qsizetype start) {
        const QString end(3, m_state.quote == Quote::Basic ? u'"' : u'\'');
        const qsizetype found = m_line.indexOf(end, m_at);
        m_at = found < 0 ? m_line.size() : found + 3;
        if (found >= 0) m_state.quote = Quote::None;
        if (m_at > start) add(Kind::String, start);
    }

    QStringView m_line;
    TomlState& m_state;
    qsizetype m_at = 0;
    std::vector<TomlSpan> m_spans;
};

} // namespace

TomlState TomlState::fromInt(int value) {
    // NOTE: a line that has not been read has the state -1.
    if (value < 0) return {};
    return {static_cast<Quote>(value % 4), value / 4};
}

std::vector<TomlSpan> tomlSpans(QStringView line, TomlState& state) {
    return TomlLine(line, state).spans();
}

} // namespace echolux
