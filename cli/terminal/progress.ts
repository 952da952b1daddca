// Shows the progress of a long check: one line on a terminal, after the first second, which disappears at the end.
import { formatMessage, type Printed } from "./printable.ts";

interface Progress {
  show(checkedCount: number, of: number): void;
  end(): void;
}

const PATIENCE = 1000;
const INTERVAL = 100;

/** Shows nothing if the stream is not a terminal. */
export function createProgress(
  stream: { readonly isTTY?: boolean; write(text: Printed): unknown },
  now: () => number = Date.now,
): Progress {
  let next = now() + PATIENCE;
  let isShown = false;
  return {
    show(checkedCount, of) {
      if (stream.isTTY !== true || now() < next) return;
      next = now() + INTERVAL;
      isShown = true;
      stream.write(formatMessage`\r\u001b[KChecked ${checkedCount} of ${of} files\u2026`);
    },
    end() {
      if (isShown) stream.write(formatMessage`\r\u001b[K`);
    },
  };
}
