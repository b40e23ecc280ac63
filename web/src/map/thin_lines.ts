// SPDX-License-Identifier: Apache-2.0
import { Layer, project32, type LayerProps, type UpdateParameters } from "@deck.gl/core";
import { Model } from "@luma.gl/engine";

const vertex = `#version 300 es
in vec2 positions;
in vec4 colors;
out vec4 colour;
void main() {
  gl_Position = project_position_to_clipspace(vec3(positions, 0.0), vec3(0.0), vec3(0.0));
  gl_Position.xy += 2.0 * thin.offset / project.viewportSize * gl_Position.w;
  colour = colors;
}`;

const fragment = `#version 300 es
precision highp float;
in vec4 colour;
out vec4 fragColor;
void main() {
  if (colour.a == 0.0) discard;
  fragColor = colour;
}`;

const offset_block = {
  name: "thin",
  vs: "layout(std140) uniform thinUniforms { vec2 offset; } thin;\n",
  uniformTypes: { offset: "vec2<f32>" },
} as const;

/** Where to draw again, in pixels, so that lines come out about that wide. */
function offsets(width: number): [number, number][] {
  if (width < 1.5) return [[0, 0]];
  const turns = 2 * Math.ceil(width),
    radius = (width - 1) / 2;
  return Array.from({ length: turns }, (_, i) => {
    const angle = ((i + 0.25) * 2 * Math.PI) / turns;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

type ThinLinesProps = { width?: number; getPosition?: unknown; getColor?: unknown };

/**
 * Lines one pixel wide, two vertices each and no instances; wider ones are drawn several times beside each other.
 * Software renderers draw instances one by one, so that a large network takes them a minute; this takes them seconds.
 */
export class ThinLines extends Layer<ThinLinesProps & Required<LayerProps>> {
  static layerName = "ThinLines";
  static defaultProps = {
    width: 1,
    getPosition: { type: "accessor", value: [0, 0] },
    getColor: { type: "accessor", value: [0, 0, 0, 255] },
  };
  declare state: { model: Model };

  getShaders() {
    return super.getShaders({ vs: vertex, fs: fragment, modules: [project32, offset_block] });
  }

  initializeState(): void {
    this.getAttributeManager()!.remove(["instancePickingColors"]);
    this.getAttributeManager()!.add({
      positions: { size: 2, type: "float32", accessor: "getPosition" },
      colors: { size: 4, type: "unorm8", accessor: "getColor", defaultValue: [0, 0, 0, 255] },
    });
  }

  updateState(change: UpdateParameters<this>): void {
    super.updateState(change);
    if (this.state.model && !change.changeFlags.extensionsChanged) return;
    this.state.model?.destroy();
    this.state.model = new Model(this.context.device, {
      ...this.getShaders(),
      id: this.props.id,
      topology: "line-list",
      isInstanced: false,
      bufferLayout: this.getAttributeManager()!.getBufferLayouts(),
    });
    this.getAttributeManager()!.invalidateAll();
  }

  draw(): void {
    const { model } = this.state;
    model.setVertexCount(this.getNumInstances());
    for (const offset of offsets((this.props.width ?? 1) * devicePixelRatio)) {
      model.shaderInputs.setProps({ thin: { offset } });
      model.draw(this.context.renderPass);
    }
  }
}
