// SPDX-License-Identifier: Apache-2.0
// A drawing as the program makes them, and one that nobody should make.

export const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="200" viewBox="0 0 640 200"
  font-family="sans-serif" font-size="13">
<title>Layers of a path</title><style>
.ground{fill:#ffffff}.ink{fill:#26323c}.whole{fill:#0072b2}.edge{stroke:#7d8791;stroke-width:1.4;fill:none}
@media (prefers-color-scheme:dark){.ground{fill:#14181d}.ink{fill:#e6e9ec}.whole{fill:#56b4e9}}</style>
<rect class="ground" width="640" height="200"/>
<path class="edge" d="M60 100L220 50L380 100L540 60M60 100L220 150L380 100L540 150"/>
<g class="whole"><circle cx="60" cy="100" r="12"/><circle cx="220" cy="50" r="12"/><circle cx="220" cy="150" r="12"/>
  <circle cx="380" cy="100" r="12"/><circle cx="540" cy="60" r="12"/><circle cx="540" cy="150" r="12"/></g>
<text class="ink" x="40" y="190">start</text><text class="ink" x="520" y="190">end</text></svg>`;

export const hostile_svg = drawing.replace(
  "<rect",
  `<script>window.broken = true</script><image href="x" onerror="window.broken = true"/>
  <rect onclick="window.broken = true"`,
);
