// `pack-auth explain <name>`: prints the page of a rule or of a diagnosis, as the editor shows it.

import { closest } from "../base/closest.ts";
import type { Diagnosis } from "../platform/diagnosis/diagnosis.ts";
import { DIAGNOSES } from "../platform/diagnosis/order.ts";
import { diagnosisPage } from "../platform/diagnosis/page.ts";
import { EXPLAIN } from "./explain-options.ts";
import { readOptions } from "./options.ts";
import { hasColours, type Paint, painter } from "./terminal/colour.ts";
import { formatMessage, joined, type Printed, printable } from "./terminal/printable.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { UsageError } from "./usage-error.ts";

interface Page {
  readonly id: string;
  /** The severity of a rule, or “failure”. */
  readonly kind: string;
  readonly docs: string;
  /** Returns the page as Markdown. */
  readonly text: () => string;
}

/** Returns the pages of the rules, and of the diagnoses by name. The rules are in the bundle that reads sources, and `check` loads no more. */
async function readPages(): Promise<readonly Page[]> {
  const { RULES, rulePage } = await import("./analysis.ts");
  return [
    ...RULES.map((rule) => ({ id: rule.id, kind: rule.severity, docs: rule.docs, text: () => rulePage(rule) })),
    ...DIAGNOSES.map((diagnosis: Diagnosis) => ({ ...diagnosis, kind: "failure", text: () => diagnosisPage(diagnosis) })).toSorted(
      (one, other) => one.id.localeCompare(other.id),
    ),
  ];
}

export async function explain(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = readOptions(EXPLAIN, args, terminal);
  if (options === undefined) return 0;
  const paint = painter(hasColours(terminal.output, terminal.environment));
  const [id, ...extraArguments] = options.positionals;
  if (extraArguments.length > 0) throw new UsageError(`Name one rule or diagnosis only: remove ${extraArguments.join(" ")}.`);
  const pages = await readPages();
  if (id === undefined) {
    terminal.output.write(list(pages, paint));
    return 0;
  }
  const page = pages.find((candidate) => candidate.id === id);
  if (page === undefined) {
    const near = closest(
      id,
      pages.map((candidate) => candidate.id),
    );
    throw new UsageError(
      `There is no rule or diagnosis ${id}. ${near === undefined ? "" : `Did you mean ${near}? `}See pack-auth explain for all of them.`,
    );
  }
  terminal.output.write(describe(page, paint));
  return 0;
}

function list(pages: readonly Page[], paint: Paint): Printed {
  const width = Math.max(...pages.map((page) => page.id.length)) + 2;
  return joined(
    pages.map(
      ({ id, kind, docs }) => formatMessage`${paint("bold", id.padEnd(width))}${printable(kind.padEnd(13))}${printable(summaryOf(docs))}\n`,
    ),
  );
}

/** Returns the first sentence of the first line. */
const summaryOf = (docs: string): string => (docs.split("\n")[0] ?? "").split(/(?<=[.!?])\s/)[0]?.replaceAll("`", "") ?? "";

/** Formats a page: headings in bold, sources indented. */
function describe(page: Page, paint: Paint): Printed {
  let inSource = false;
  const lines = page
    .text()
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
