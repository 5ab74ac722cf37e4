// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline as text: what is a section, a key, a number; when edits are told of; what marks stay.
#include "tests/support/qt_application.hpp"
#include "tests/support/waiting.hpp"
#include "ui/graph/pipeline_text.hpp"
#include "ui/graph/toml_editor.hpp"
#include "ui/graph/toml_spans.hpp"
#include "ui/theme/theme.hpp"

#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolButton>

#include <gtest/gtest.h>

#include <memory>

namespace echolux {
namespace {

using testing_support::isTimed;
using testing_support::kPatienceMs;
using testing_support::settle;

using Kind = TomlSpan::Kind;

/// "S[[stage]] Ktype" and so on.
QString kindsIn(const QString& line, TomlState& state) {
    QStringList parts;
    for (const TomlSpan& span : tomlSpans(line, state))
        parts << QChar("SK\"0#"[static_cast<int>(span.kind)]) + line.mid(span.start, span.length);
    return parts.join(" ");
}

QString kinds(const QString& line) {
    TomlState state;
    return kindsIn(line, state);
}

TEST(TomlSpans, OneLine) {
    EXPECT_EQ(kinds(""), "");
    EXPECT_EQ(kinds("# all of it = 1"), "## all of it = 1");
    EXPECT_EQ(kinds("[[stage]] # one"), "S[[stage]] ## one");
    EXPECT_EQ(kinds("  [environment]"), "S[environment]");
    EXPECT_EQ(kinds("version = 1"), "Kversion 01");
    EXPECT_EQ(kinds("bypass = false"), "Kbypass 0false");
    EXPECT_EQ(kinds("name = \"a # b \\\" c\" # d"), "Kname \"\"a # b \\\" c\" ## d");
    EXPECT_EQ(kinds("path = 'c:\\'"), "Kpath \"'c:\\'");
    EXPECT_EQ(kinds("set = { f_number = 1.5, low.edge = -2.0e-3, w = \"hann\" }"),
              "Kset Kf_number 01.5 Klow.edge 0-2.0e-3 Kw \"\"hann\"");
    EXPECT_EQ(kinds("list = [1, +2_000, 0xff, nan]"), "Klist 01 0+2_000 00xff 0nan");
    EXPECT_EQ(kinds("\"quoted key\" = 1"), "K\"quoted key\" 01");
    EXPECT_EQ(kinds("3d = 1"), "K3d 01");
}

TEST(TomlSpans, WhatIsNoTomlIsTakenToo) {
    EXPECT_EQ(kinds("name = \"open"), "Kname \"\"open");
    EXPECT_EQ(kinds("name = \"open\\"), "Kname \"\"open\\");
    EXPECT_EQ(kinds("[open"), "S[open");
    EXPECT_EQ(kinds("]]}} = - + ="), "");
    EXPECT_EQ(kinds("environment cuda"), "");
}

TEST(TomlSpans, StringsAndListsGoOverLines) {
    TomlState state;
    EXPECT_EQ(kindsIn("help = \"\"\"one [", state), "Khelp \"\"\"\"one [");
    EXPECT_EQ(kindsIn("[[no section]] = 1", state), "\"[[no section]] = 1");
    EXPECT_EQ(kindsIn("two\"\"\" # three", state), "\"two\"\"\" ## three");
    EXPECT_EQ(state, TomlState{});
    EXPECT_EQ(kindsIn("gains = [", state), "Kgains");
    EXPECT_EQ(state.depth, 1);
    EXPECT_EQ(TomlState::fromInt(state.toInt()), state);
    EXPECT_EQ(kindsIn("[1, 2]", state), "01 02") << "no section within a list";
    EXPECT_EQ(kindsIn("]", state), "");
    EXPECT_EQ(kindsIn("[view]", state), "S[view]");
}

const QString kText = "version = 1\nname = \"Gray\"\n\n[[stage]]\ntype = \"envelope\"\n";

class PipelineTextTest : public testing::Test {
protected:
    PipelineTextTest() {
        testing_support::application();
        Theme::instance().ensureApplied();
        widget = std::make_unique<PipelineText>();
        widget->resize(500, 400);
        widget->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(widget.get()));
        edited = std::make_unique<QSignalSpy>(widget.get(), &PipelineText::textEdited);
        widget->setText(kText);
    }
    void type(const QString& text) {
        for (const QChar c : text) {
            if (c == u'\n') {
                QTest::keyClick(widget->editor(), Qt::Key_Return);
            } else {
                QTest::keyClick(widget->editor(), c.toLatin1());
            }
        }
    }
    void setCursor(int line, int column) {
        QTextCursor cursor(widget->editor()->document()->findBlockByNumber(line - 1));
        cursor.setPosition(cursor.position() + column - 1);
        widget->editor()->setTextCursor(cursor);
    }
    int cursorLine() const { return widget->editor()->textCursor().blockNumber() + 1; }
    QToolButton* discard() const { return widget->findChild<QToolButton*>("discard"); }

    std::unique_ptr<PipelineText> widget;
    std::unique_ptr<QSignalSpy> edited;
};

TEST_F(PipelineTextTest, SettingTellsNothing) {
    EXPECT_EQ(widget->text(), kText);
    EXPECT_EQ(cursorLine(), 1);
    EXPECT_FALSE(widget->hasEdits());
    EXPECT_EQ(widget->stateText(), "in force");
    EXPECT_FALSE(isTimed(*widget)) << "nothing will be told";
    Theme::instance().apply(ThemeKind::Light);
    Theme::instance().apply(ThemeKind::Dark);
    settle();
    EXPECT_FALSE(isTimed(*widget)) << "other colours are no edit";
    EXPECT_EQ(edited->size(), 0);
}

TEST_F(PipelineTextTest, TypingIsToldOnceItPauses) {
    setCursor(1, 12);
    type("2");
    type("3");
    EXPECT_TRUE(widget->hasEdits());
    EXPECT_EQ(widget->stateText(), "edited");
    EXPECT_EQ(edited->size(), 0);
    ASSERT_TRUE(edited->wait(kPatienceMs));
    EXPECT_EQ(edited->size(), 1);
    EXPECT_TRUE(edited->at(0)[0].toString().startsWith("version = 123\n"));
    widget->setInForce();
    EXPECT_FALSE(widget->hasEdits());
    EXPECT_EQ(widget->stateText(), "in force");
}

TEST_F(PipelineTextTest, WhatWasTypedSinceIsNotInForce) {
    type("# a");
    ASSERT_TRUE(edited->wait(kPatienceMs));
    type("b");
    widget->setInForce();
    EXPECT_TRUE(widget->hasEdits());
    ASSERT_TRUE(edited->wait(kPatienceMs));
    widget->setInForce();
    EXPECT_FALSE(widget->hasEdits());
}

TEST_F(PipelineTextTest, EditsAreNotOverwritten) {
    type("# mine\n");
    widget->setText("version = 2\n");
    EXPECT_EQ(widget->text(), "# mine\n" + kText);
    EXPECT_TRUE(discard()->isVisible());
    discard()->click();
    EXPECT_EQ(widget->text(), "version = 2\n");
    EXPECT_FALSE(widget->hasEdits());
    EXPECT_FALSE(discard()->isVisible());
    EXPECT_EQ(edited->size(), 1) << "told at once, and once";
    EXPECT_EQ(edited->at(0)[0], "version = 2\n");
    EXPECT_FALSE(isTimed(*widget));
}

TEST_F(PipelineTextTest, AnotherTextKeepsTheCursorWhereItWas) {
    setCursor(5, 9);
    QString other = kText;
    other.replace("version = 1", "version = 1\norder = 2");
    widget->setText(other);
    EXPECT_EQ(widget->text(), other);
    EXPECT_EQ(cursorLine(), 6) << "the same place in the text";
    EXPECT_EQ(widget->editor()->textCursor().positionInBlock(), 8);
    widget->setText("");
    widget->setText(kText);
    EXPECT_EQ(widget->text(), kText);
}

TEST_F(PipelineTextTest, AProblemMarksItsLineAndMovesWithIt) {
    type("x");
    widget->setProblem(5, 8, "demo.toml, line 5, column 8: there is no stage type 'envelope'.");
    EXPECT_EQ(widget->editor()->markedLine(), 5);
    EXPECT_EQ(widget->stateText(),
              "demo.toml, line 5, column 8: there is no stage type 'envelope'.");
    setCursor(1, 1);
    type("\n\n");
    EXPECT_EQ(widget->editor()->markedLine(), 7);
    widget->clearProblem();
    EXPECT_EQ(widget->editor()->markedLine(), 0);
    EXPECT_EQ(widget->stateText(), "edited");
}

TEST_F(PipelineTextTest, PlacesOutsideTheTextAreTaken) {
    widget->setProblem(0, 0, "Nowhere.");
    EXPECT_EQ(widget->editor()->markedLine(), 0);
    widget->setProblem(999, 999, "Beyond.");
    EXPECT_EQ(widget->editor()->markedLine(), 6);
    EXPECT_EQ(widget->stateText(), "Beyond.");
    widget->setProblem(1, -3, "Before.");
    EXPECT_EQ(widget->editor()->markedLine(), 1);
}

TEST_F(PipelineTextTest, ColoursAreThoseOfTheTheme) {
    const auto colourOf = [&](int line) {
        const QTextBlock block = widget->editor()->document()->findBlockByNumber(line - 1);
        const auto formats = block.layout()->formats();
        return formats.isEmpty() ? QColor() : formats.back().format.foreground().color();
    };
    EXPECT_EQ(colourOf(2), tokens().warning);
    EXPECT_EQ(colourOf(4), tokens().accent);
    Theme::instance().apply(ThemeKind::Light);
    EXPECT_EQ(colourOf(4), tokens().accent);
    Theme::instance().apply(ThemeKind::Dark);
}

} // namespace
} // namespace echolux
