// The body of a long table. All rows have the same height, so only the visible rows and a few around them are in the document.
import { html, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { LightElement } from "../light-element.ts";

/** Rows above and below the visible ones, for keys and small scrolls. */
const AROUND = 6;
/** Pixels; used until a row was measured. */
const USUAL_HEIGHT = 25;

/** `<pack-auth-rows>`, inside the scrolling `.grid`. */
class WindowedRows extends LightElement {
  @property({ type: Number }) count!: number;
  /** Renders one row, counted from 0. */
  @property({ attribute: false }) row!: (index: number) => TemplateResult;
  @state() private first = 0;
  @state() private shownCount = 2 * AROUND;
  @state() private height = USUAL_HEIGHT;
  private scroller: HTMLElement | undefined;
  private readonly resized = new ResizeObserver(() => this.look());

  override connectedCallback(): void {
    super.connectedCallback();
    this.scroller = this.closest<HTMLElement>(".grid") ?? undefined;
    this.scroller?.addEventListener("scroll", this.look, { passive: true });
    if (this.scroller !== undefined) this.resized.observe(this.scroller);
  }

  override disconnectedCallback(): void {
    this.scroller?.removeEventListener("scroll", this.look);
    this.resized.disconnect();
    super.disconnectedCallback();
  }

  private look = (): void => {
    const { scroller } = this;
    if (scroller === undefined) return;
    this.first = Math.max(0, Math.floor(scroller.scrollTop / this.height) - AROUND);
    this.shownCount = Math.ceil(Math.max(scroller.clientHeight, this.height) / this.height) + 2 * AROUND;
  };

  protected override updated(): void {
    const height = this.querySelector<HTMLElement>(".grid-row")?.offsetHeight;
    if (height) this.height = height;
    this.look();
  }

  override render(): TemplateResult {
    const first = Math.min(this.first, Math.max(0, this.count - this.shownCount));
    const length = Math.min(this.shownCount, this.count - first);
    const indexes = Array.from({ length }, (_, index) => first + index);
    // Rows that stay visible keep their elements, because laying out text is slow.
    return html`<div style="height: ${this.count * this.height}px">
      <div style="transform: translateY(${first * this.height}px)">${repeat(indexes, (index) => index, this.row)}</div>
    </div>`;
  }
}

customElements.define("pack-auth-rows", WindowedRows);
