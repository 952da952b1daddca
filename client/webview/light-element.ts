// An element without a tree of its own: labels, descriptions and the panel's style sheet reach what is in it.
import { LitElement } from "lit";

export class LightElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
