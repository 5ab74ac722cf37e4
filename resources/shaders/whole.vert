#version 330 core
// SPDX-License-Identifier: GPL-3.0-or-later
// All of what is drawn into, from the vertex number alone.
void main() {
    gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0, 0.0, 1.0);
}
