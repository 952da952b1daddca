// Shows what a run waits for: on a terminal a dim line for each pending request and one for the rows so far. The lines stay below all other
// output, and disappear when the run ends.
import type { Paint } from "./colour.ts";
import { formatMessage, joined, type Printed, printable } from "./printable.ts";
import { columnsOf } from "./width.ts";

interface RunProgress {
  /** Prints a text that stays. */
  print(text: Printed): void;
  begin(request: { readonly id: number; readonly method: string; readonly url: string }): void;
  end(id: number): void;
  rows(text: string): void;
  close(): void;
}

interface ProgressStream {
  readonly isTTY: boolean;
  readonly width: number;
  write(text: Printed): void;
}

/** Milliseconds: requests with a faster response are not shown. */
const DELAY = 300;
const MOST_LINES = 5;

/** On a stream that is not a terminal, the only progress is a line with the number of rows for each page. */
export function createRunProgress(paint: Paint, stream: ProgressStream): RunProgress {
  const pending = new Map<number, string>();
  let rows: string | undefined;
  let drawn = 0;
  let timer: NodeJS.Timeout | undefined;

  function erase(): void {
    if (drawn > 0) stream.write(formatMessage`\u001b[${drawn}A\u001b[0J`);
    drawn = 0;
  }

  function draw(): void {
    timer = undefined;
    const requests = [...pending.values()].map((request) => `waiting for ${request}`);
    const more = requests.length > MOST_LINES ? [`waiting for ${requests.length - MOST_LINES} more requests`] : [];
    const lines = [...(rows === undefined ? [] : [rows]), ...requests.slice(0, MOST_LINES), ...more];
    erase();
    stream.write(joined(lines.map((line) => formatMessage`${paint("dim", oneRow(line, stream.width))}\n`)));
    drawn = lines.length;
  }

  const schedule = (): void => {
    if (stream.isTTY) timer ??= setTimeout(draw, DELAY);
  };

  return {
    print(text) {
      erase();
      stream.write(text);
      schedule();
    },
    begin({ id, method, url }) {
      pending.set(id, `${method} ${url}`);
      schedule();
    },
    end(id) {
      pending.delete(id);
      schedule();
    },
    rows(text) {
      rows = text;
      if (stream.isTTY) schedule();
      else stream.write(formatMessage`${printable(text)}\n`);
    },
    close() {
      clearTimeout(timer);
      erase();
    },
  };
}

/** Cuts the line to one row of the screen, because erasing needs the exact number of rows. */
function oneRow(line: string, width: number): string {
  if (columnsOf(line) < width) return line;
  let row = "";
  let columns = 1;
  for (const character of line) {
    columns += columnsOf(character);
    if (columns >= width) break;
    row += character;
  }
  return `${row}…`;
}
