// The pages that the browser shows during a sign-in: one plain card that follows the person's light or dark theme. They have no scripts and
// no fonts, and load nothing from elsewhere.
import { escapeHtml } from "./escape-html.ts";

/**
 * Returns a whole page. `main` is HTML: text from outside must pass through {@link escapeHtml} first. `head` is HTML too, such as styles of
 * this page only.
 */
export function browserPage(title: string, main: string, head = ""): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>${head}
<main>
  ${main}
</main>
</html>`;
}

/** Returns the icon above the heading, for success or failure. */
export const pageMark = (kind: "good" | "bad"): string =>
  `<svg class="${kind}" viewBox="0 0 24 24" width="40" height="40" fill="none" stroke="currentColor" stroke-width="1.8" aria-hidden="true"><circle cx="12" cy="12" r="10"/><path d="${kind === "good" ? "m7.5 12.5 3 3 6-6.5" : "m8.5 8.5 7 7m0-7-7 7"}"/></svg>`;

const STYLE = `
  :root {
    color-scheme: light dark;
    --text: #1f2328; --muted: #59636e; --page: #f6f8fa; --card: #fff; --line: #d1d9e0; --button: #f6f8fa;
    --accent: #0969da; --good: #1a7f37; --bad: #cf222e; --notice: #fff8c5; --notice-line: #9a6700;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --text: #f0f6fc; --muted: #9198a1; --page: #0d1117; --card: #151b23; --line: #3d444d; --button: #212830;
      --accent: #1f6feb; --good: #3fb950; --bad: #f85149; --notice: #272115; --notice-line: #d29922;
    }
  }
  body { margin: 0; min-height: 100vh; box-sizing: border-box; padding: 1rem; display: grid; place-items: center;
    font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); }
  main { box-sizing: border-box; width: 100%; max-width: 32rem; padding: 2rem; overflow-wrap: anywhere;
    background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
  h1 { margin: 0 0 .75rem; font-size: 1.4rem; line-height: 1.3; }
  p { margin: .75rem 0; }
  p:last-child { margin-bottom: 0; }
  .good { color: var(--good); }
  .bad { color: var(--bad); }
  .notice { padding: .6rem 1rem; background: var(--notice); border: 1px solid var(--notice-line); border-radius: 8px; }
  code { font: .9em ui-monospace, monospace; }
  li { margin: .15rem 0; }
  form { display: flex; gap: .75rem; margin-top: 1.5rem; }
  button { font: inherit; font-weight: 600; padding: .5rem 1.5rem; cursor: pointer; color: var(--text); background: var(--button);
    border: 1px solid var(--line); border-radius: 8px; }
  button.main { color: #fff; background: var(--accent); border-color: var(--accent); }
  button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;
