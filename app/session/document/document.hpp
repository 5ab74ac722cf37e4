// SPDX-License-Identifier: GPL-3.0-or-later
// What the user made of the open recording, and the list of the edits that made it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace echolux {

/// One kind of what a user makes: values of the pipeline, the display, measurements. Whoever owns
/// it brings this row. A state is never changed once it was told.
struct DocumentPart {
    using State = std::shared_ptr<const void>;
    std::function<State()> state;
    std::function<bool(const State& a, const State& b)> same;
    /// Follows an edit from one of its ends to the other. Returns why it was refused, or nothing.
    std::function<std::string(const State& from, const State& to)> go;
    /// How sessions keep it, as entries called "document.`name`"; empty: they do not.
    struct Words {
        std::string name = {};
        std::function<std::string()> text = {};
        std::function<void(const std::string& text)> take = {}; ///< throws Error
    } words = {};
};

/// `same`: by default where they are equal.
template <class T>
DocumentPart documentPart(std::function<T()> state,
                          std::function<std::string(const T& from, const T& to)> go,
                          std::function<bool(const T& a, const T& b)> same = std::equal_to<T>(),
                          DocumentPart::Words words = {}) {
    using State = DocumentPart::State;
    const auto as = [](const State& held) -> const T& {
        return *static_cast<const T*>(held.get());
    };
    return {
        [state = std::move(state)]() -> State { return std::make_shared<const T>(state()); },
        [as, same = std::move(same)](const State& a, const State& b) { return same(as(a), as(b)); },
        [as, go = std::move(go)](const State& from, const State& to) {
            return go(as(from), as(to));
        },
        std::move(words)};
}

/// A step of the undo list.
struct Edit {
    std::string what;   ///< continues the word "Undo": "speed of sound"
    std::string detail; ///< line in the list of edits: "Beamform: speed of sound, 1480 m/s"
    /// Consecutive edits with the same gesture form one step until endGesture(). Empty: the edit is
    /// a step of its own.
    std::string gesture;
    struct Change {
        std::size_t part = 0;
        DocumentPart::State before;
        DocumentPart::State after;
    };
    std::vector<Change> changes = {};
    /// Another recording was opened, or the same one on another backend or GPU. Who opens them
    /// knows what the states are.
    struct Opening {
        DocumentPart::State before;
        DocumentPart::State after;
    };
    std::optional<Opening> opening = {};
};

/// Knows no part by name. One thread.
class Document {
public:
    static constexpr std::size_t kMostEdits = 500;
    enum class Way { Back, Forth };
    using States = std::vector<DocumentPart::State>;

    /// Called after every change of the list.
    void onChange(std::function<void()> told) { m_told = std::move(told); }
    /// Parts that can refuse come first, so that a refused step changes nothing. Returns the part's
    /// number. The part lives as long as the document is used.
    std::size_t add(DocumentPart part);
    States states() const;
    const std::vector<DocumentPart>& parts() const { return m_parts; }

    /// Records what has changed since states() was `before`, as one step. Removes the undone steps.
    /// Nothing where nothing has changed.
    void done(const Edit& name, const States& before);
    void opened(Edit edit); ///< `edit.opening` is set
    void endGesture();
    /// A part changed without the user, for the newest edit: that edit then ends with its present
    /// state, or is removed where nothing is left of it.
    void amend(std::size_t part);
    void amendOpening(DocumentPart::State after); ///< of the step before this position

    const Edit* next(Way way) const; ///< null where there is nothing to undo, or to redo
    /// Undoes or repeats the changes of next(). Returns why it was refused, or nothing. An opening
    /// is left to who called.
    std::string go(Way way);
    void stepped(Way way); ///< next() was undone or repeated

    const std::vector<Edit>& edits() const { return m_edits; }
    std::size_t position() const { return m_done; }       ///< number of edits in force
    std::uint64_t revision() const { return m_revision; } ///< increases with every change

private:
    bool changesNothing(const Edit& edit) const;
    bool joins(const Edit& edit) const;
    void push(Edit edit);
    void dropEmpty(); ///< the newest edit, where nothing is left of it
    void changed();

    std::vector<DocumentPart> m_parts;
    std::vector<Edit> m_edits;
    std::size_t m_done = 0;
    bool m_inGesture = false;
    std::uint64_t m_revision = 0;
    std::function<void()> m_told;
};

} // namespace echolux
