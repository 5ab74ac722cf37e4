#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
uniform vec4 ink;
out vec4 colour;

void main() {
    colour = ink;
}
