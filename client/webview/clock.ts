// A running clock for a run or a pending request. It is a separate element, so that a tick redraws nothing else.
import { html, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { LightElement } from "./light-element.ts";
import { Stopwatch } from "./stopwatch.ts";

/** Milliseconds between two ticks, and until the clock appears: a fast response shows none. */
const TICK = 100;
const FIRST = 300;

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** `<pack-auth-clock>` counts from its insertion into the document, starting at `waited` milliseconds. It stops while it is `paused`. */
class Clock extends LightElement {
  @property({ type: Number }) waited = 0;
  @property({ type: Boolean }) paused = false;
  @state() private time = 0;
  private watch = new Stopwatch();
  private timer: number | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    // A screen reader reads a timer on request, and not at each tick.
    this.setAttribute("role", "timer");
    this.watch = new Stopwatch();
    this.timer = window.setInterval(() => {
      this.time = this.watch.time;
    }, TICK);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.timer);
  }

  override willUpdate(changedProperties: Map<string, unknown>): void {
    if (!changedProperties.has("paused")) return;
    this.watch.pause(this.paused);
    this.time = this.watch.time;
  }

  override render(): TemplateResult {
    const time = this.waited + this.time;
    return html`${time < FIRST ? "" : seconds(time)}`;
  }
}

customElements.define("pack-auth-clock", Clock);
