// Shows on a terminal what an operation does: its present step in a line that disappears, and its notes.
import type { Observer } from "../../operations/observer.ts";
import { formatMessage, printable } from "../terminal/printable.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** `end` removes the line of the step. In a pipe or a file there are no steps. */
export function terminalObserver<Part>(
  { errorOutput }: Terminal,
  isQuiet: boolean,
  part: (part: Part) => void | Promise<void>,
): Observer<Part> & { end(): void } {
  let isShown = false;
  const end = (): void => {
    if (isShown) errorOutput.write(formatMessage`\r\u001b[K`);
    isShown = false;
  };
  return {
    end,
    step(message) {
      if (isQuiet || !errorOutput.isTTY) return;
      errorOutput.write(formatMessage`\r\u001b[K${printable(message.slice(0, errorOutput.width - 2))}\u2026`);
      isShown = true;
    },
    note(message) {
      if (isQuiet) return;
      end();
      errorOutput.write(formatMessage`${printable(message)}\n`);
    },
    part(each) {
      end();
      return part(each);
    },
  };
}
