#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// Lines between points given as uniforms.
uniform vec2 points[32]; // normalised device coordinates

void main() {
    gl_Position = vec4(points[gl_VertexID], 0.0, 1.0);
}
