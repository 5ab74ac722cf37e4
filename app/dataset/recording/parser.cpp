// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dataset/recording/parser.hpp"

namespace echolux {

namespace {

std::atomic<std::uint8_t> g_nowhere{0};
std::atomic<std::atomic<std::uint8_t>*> g_parserNote{&g_nowhere};

} // namespace

void noteParser(Parser parser) { *g_parserNote.load() = static_cast<std::uint8_t>(parser); }

void noteParsersAt(std::atomic<std::uint8_t>& place) { g_parserNote = &place; }

} // namespace echolux
