// An element without a shadow tree: labels, descriptions and the panel's style sheet apply to its content.
import { LitElement } from "lit";

export class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
