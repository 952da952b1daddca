// `pack-auth explain <name>`: prints the page of a rule or of a diagnosis, as the editor shows it.
import type { OutputOf } from "../../operations/operations.ts";
import { JSON_OPTION, operationVerb } from "../frame/operation-verb.ts";
import type { Paint } from "../terminal/colour.ts";
import { formatMessage, joined, type Printed, printable } from "../terminal/printable.ts";

export const explain = operationVerb(
  "explain",
  {
    usage: "explain [rule or diagnosis] [options]",
    options: JSON_OPTION,
    more: `Examples:
  pack-auth explain
  pack-auth explain field-missing
  pack-auth explain too-many-requests
`,
  },
  {
    print: ({ page, all }, { output }, { paint }) => output.write(all === undefined ? formatted(page, paint) : list(all, paint)),
  },
);

type List = NonNullable<OutputOf<"explain">["all"]>;

function list(all: List, paint: Paint): Printed {
  const width = Math.max(...all.map(({ id }) => id.length)) + 2;
  return joined(
    all.map(
      ({ id, kind, summary }) => formatMessage`${paint("bold", id.padEnd(width))}${printable(kind.padEnd(13))}${printable(summary)}\n`,
    ),
  );
}

/** Formats a page: headings in bold, sources indented. */
function formatted(page: string, paint: Paint): Printed {
  let inSource = false;
  const lines = page
    .trimEnd()
    .split("\n")
    .flatMap((line): Printed[] => {
      if (line.startsWith("```")) {
        inSource = !inSource;
        return [];
      }
      if (inSource) return [printable(line === "" ? "" : `    ${line}`)];
      const heading = /^#+ (.*)$/.exec(line)?.[1];
      return [heading === undefined ? printable(line) : paint("bold", heading)];
    });
  return formatMessage`${joined(lines, "\n")}\n`;
}
