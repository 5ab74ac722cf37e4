#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// Adds one to a bin, by blending.
out vec4 count;

void main() { count = vec4(1.0, 0.0, 0.0, 1.0); }
