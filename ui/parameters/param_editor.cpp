// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the editor of a row.
#include "ui/parameters/param_editor.hpp"

#include "ui/parameters/list_editor.hpp"
#include "ui/parameters/mask_editor.hpp"
#include "ui/parameters/number_editor.hpp"
#include "ui/parameters/simple_editors.hpp"

namespace echolux {

QWidget* ParamEditor::control() const {
    if (focusProxy() != nullptr) return focusProxy();
    for (QWidget* next = nextInFocusChain(); next != this; next = next->nextInFocusChain()) {
        const bool takesKeys = (next->focusPolicy() & Qt::TabFocus) != 0;
        if (isAncestorOf(next) && takesKeys && next->isVisibleTo(this)) return next;
    }
    return nullptr;
}

ParamEditor* makeParamEditor(const ParamRow& row, const QStringList& items,
                             const RowColumns& columns, QWidget* parent) {
    switch (row.type) {
    case ParamType::Flag: return new FlagEditor(parent);
    case ParamType::Choice: return new ChoiceEditor(row, parent);
    case ParamType::Text: return new TextEditor(parent);
    case ParamType::RealList: return new ListEditor(row, items, columns, parent);
    case ParamType::Mask: return new MaskEditor(row, items, columns, parent);
    case ParamType::Integer:
    case ParamType::Real: break;
    }
    return new NumberEditor(row, parent);
}

} // namespace echolux
