// SPDX-License-Identifier: GPL-3.0-or-later
// One list of edits over parts that the document does not know.
#include "app/session/document/document.hpp"

#include <gtest/gtest.h>

#include <string>

namespace echolux {
namespace {

using Way = Document::Way;

/// Two parts of one document: a number that refuses to be negative, and a word.
struct Made {
    Document document;
    int number = 0;
    std::string word;
    std::size_t numberPart =
        document.add(documentPart<int>([this] { return number; },
                                       [this](int /*from*/, int to) {
                                           if (to < 0) return std::string("It is negative.");
                                           number = to;
                                           return std::string();
                                       }));
    std::size_t wordPart = document.add(
        documentPart<std::string>([this] { return word; },
                                  [this](const std::string& /*from*/, const std::string& to) {
                                      word = to;
                                      return std::string();
                                  }));

    void set(int to, const std::string& gesture = {}) {
        const auto before = document.states();
        number = to;
        document.done({.what = "number", .detail = "number", .gesture = gesture}, before);
    }
    void set(const std::string& to) {
        const auto before = document.states();
        word = to;
        document.done({.what = "word", .detail = "word", .gesture = {}}, before);
    }
    std::string step(Way way) {
        std::string refusal = document.go(way);
        if (refusal.empty()) document.stepped(way);
        return refusal;
    }
};

TEST(Document, TakesEditsOfAllPartsBackInTheirOrder) {
    Made made;
    made.set(1);
    made.set("a");
    made.set(2);
    EXPECT_EQ(made.document.edits().size(), 3U);
    EXPECT_EQ(made.step(Way::Back), "");
    EXPECT_EQ(made.number, 1);
    EXPECT_EQ(made.word, "a");
    made.step(Way::Back);
    EXPECT_EQ(made.word, "");
    EXPECT_EQ(made.document.next(Way::Forth)->what, "word");
    made.step(Way::Forth);
    EXPECT_EQ(made.word, "a");
    made.set(7);
    EXPECT_EQ(made.document.next(Way::Forth), nullptr) << "what was undone is gone";
    EXPECT_EQ(made.document.position(), 3U);
}

TEST(Document, ADragIsOneStepAndNoneWhereItEndsAtItsBeginning) {
    Made made;
    made.set(1, "drag");
    made.set(2, "drag");
    EXPECT_EQ(made.document.edits().size(), 1U);
    made.document.endGesture();
    made.set(3, "drag");
    EXPECT_EQ(made.document.edits().size(), 2U);
    made.set(2, "drag");
    made.document.endGesture();
    EXPECT_EQ(made.document.edits().size(), 1U);
    made.step(Way::Back);
    EXPECT_EQ(made.number, 0);
    made.set(0);
    EXPECT_EQ(made.document.edits().size(), 1U) << "nothing has changed";
    EXPECT_NE(made.document.next(Way::Forth), nullptr);
}

TEST(Document, ARefusedStepStaysAndAnAmendedOneEndsElsewhere) {
    Made made;
    made.number = -1;
    made.set(4);
    EXPECT_EQ(made.step(Way::Back), "It is negative.");
    EXPECT_EQ(made.document.position(), 1U);
    made.number = 5; // without the user
    made.document.amend(made.numberPart);
    made.document.amend(made.wordPart); // the newest edit has none
    made.set(6);
    made.step(Way::Back);
    EXPECT_EQ(made.number, 5);
    made.number = -1;
    made.set(8);
    made.number = -1;
    made.document.amend(made.numberPart);
    EXPECT_EQ(made.document.position(), 1U) << "nothing is left of it";
}

TEST(Document, AnOpeningIsAStepThatItsOwnerFollows) {
    Made made;
    int told = 0;
    made.document.onChange([&] { ++told; });
    Edit opening{.what = "opening", .detail = "Open", .gesture = {}};
    opening.opening = {std::make_shared<const int>(1), std::make_shared<const int>(2)};
    made.document.opened(opening);
    made.document.amendOpening(std::make_shared<const int>(3));
    EXPECT_EQ(told, 1);
    const Edit* edit = made.document.next(Way::Back);
    ASSERT_NE(edit, nullptr);
    EXPECT_EQ(*static_cast<const int*>(edit->opening->after.get()), 3);
    EXPECT_EQ(made.document.go(Way::Back), "") << "there is nothing that parts must do";
    made.set("a");
    made.document.amendOpening(nullptr); // another step is the newest now
    EXPECT_NE(made.document.edits()[0].opening->after, nullptr);
}

TEST(Document, ForgetsTheOldestEdits) {
    Made made;
    for (int i = 1; i <= 510; ++i) made.set(i);
    EXPECT_EQ(made.document.edits().size(), Document::kMostEdits);
    for (std::size_t i = 0; i < Document::kMostEdits; ++i) made.step(Way::Back);
    EXPECT_EQ(made.number, 10);
    EXPECT_EQ(made.document.next(Way::Back), nullptr);
}

} // namespace
} // namespace echolux
