// How far a long check has come: one line on a terminal, after the first second, gone when it ends.
import { errorOutput } from "./output.ts";
import { type Printed, told } from "./printable.ts";

interface Progress {
  show(done: number, of: number): void;
  end(): void;
}

const PATIENCE = 1000;
const INTERVAL = 100;

/** Shows nothing where standard error is no terminal. */
export function createProgress(
  stream: { readonly isTTY?: boolean; write(text: Printed): unknown } = errorOutput,
  now: () => number = Date.now,
): Progress {
  let next = now() + PATIENCE;
  let isShown = false;
  return {
    show(done, of) {
      if (stream.isTTY !== true || now() < next) return;
      next = now() + INTERVAL;
      isShown = true;
      stream.write(told`\r\u001b[KChecked ${done} of ${of} files\u2026`);
    },
    end() {
      if (isShown) stream.write(told`\r\u001b[K`);
    },
  };
}
