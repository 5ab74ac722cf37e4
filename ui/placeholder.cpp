// SPDX-License-Identifier: GPL-3.0-or-later
// Placeholder until the folder has sources.
