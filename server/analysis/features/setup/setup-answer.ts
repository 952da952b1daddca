// Writes a proposal into a pack and checks the result. The command line and the language server share it.

import { defined } from "../../../../base/defined.ts";
import { isPlainCode } from "../../../../base/plain-value.ts";
import type { Proposal } from "../../../../protocol/setup.ts";
import type { SetupAnswer, SetupFinding, WrittenFile } from "../../../../protocol/written-setup.ts";
import type { Analysis } from "../../analysis.ts";
import type { TextEdit } from "../../model/findings.ts";
import { rangeOf } from "../../text/lines.ts";
import { applyFixes } from "../fixes/fix-all.ts";
import { NO_PACK, writeSetup } from "./write-setup.ts";

type Read = (path: string) => string | undefined;

/** `analyse` returns an analysis of the entry and its files, which it reads through its argument. */
export function answerSetup(entry: string, proposal: Proposal, read: Read, analyse: (read: Read) => Analysis): SetupAnswer {
  const before = analyse(read);
  const [pack, other] = before.packsOf(entry);
  if (pack === undefined || other !== undefined) return { problem: NO_PACK };
  const written = writeSetup(pack, proposal);
  if ("problem" in written) return written;
  const { edits, formulaName } = written;
  const texts = applyFixes([{ title: "", edits }], (file) => before.text(file) ?? "");
  const after = analyse((path) => texts.get(path) ?? read(path));
  const former = new Set(pack.files.flatMap((path) => before.diagnostics(path)).map(keyOf));
  return {
    files: [...texts].map(([path, text]) => {
      const own = edits.filter(({ file }) => file === path);
      return { path, former: before.text(path) ?? "", text, edits: own.map(reported(before)) };
    }),
    findings: pack.files
      .flatMap((path) => after.diagnostics(path))
      .filter((diagnostic) => !former.has(keyOf(diagnostic)))
      .map(({ rule, severity, message, place }): SetupFinding => {
        const { line } = rangeOf(after.text(place.file) ?? "", place).start;
        return { rule, severity, message, path: place.file, line };
      }),
    ...defined({ formulaName }),
  };
}

const keyOf = ({ rule, message }: { readonly rule: string; readonly message: string }): string => `${rule} ${message}`;

const reported =
  (analysis: Analysis) =>
  (edit: TextEdit): WrittenFile["edits"][number] => {
    const text = analysis.text(edit.file) ?? "";
    const oldText = text.slice(edit.start, edit.end);
    return { range: rangeOf(text, edit), ...(isPlainCode(oldText) ? { oldText } : {}), newText: edit.text };
  };
