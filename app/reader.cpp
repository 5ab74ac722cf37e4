// SPDX-License-Identifier: GPL-3.0-or-later
// The program echolux-reader: it parses a file for another program that started it, see
// app/dataset/guarded.
#include "app/dataset/guarded/reader_service.hpp"

int main() {
    constexpr int kSocket = 3;
    constexpr int kMemory = 4;
    return echolux::serveReader(kSocket, kMemory);
}
