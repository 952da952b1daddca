// A draft of a file: what becomes of it, and of its diagnostics, when edits are made one after another, while the file itself stays as it is.
import { type Analysis, createAnalysis } from "./analysis.ts";
import type { TextEdit } from "./model/findings.ts";
import type { PackModel } from "./model/pack.ts";
import { composeEdits } from "./text/compose-edits.ts";

export interface Draft {
  readonly analysis: Analysis;
  /** The packs of the file as it is now. */
  packs(): readonly PackModel[];
  readonly text: string;
  /** Edits of this file that do not overlap; those of other files are no part of a draft. */
  apply(edits: readonly TextEdit[]): void;
  /** From the file as it was to the file as it is now. */
  edits(): readonly TextEdit[];
}

/** `configure` gives the draft's analysis the settings of the other. */
export function createDraft(from: Analysis, file: string, configure: (analysis: Analysis) => void): Draft {
  const composed = composeEdits(from.text(file) ?? "");
  const analysis = createAnalysis({ readFile: (path) => (path === file ? composed.text : from.text(path)), realPath: from.realPath });
  configure(analysis);
  analysis.addCandidates([...new Set([file, ...from.packsOf(file).flatMap(({ files }) => files)])]);
  return {
    analysis,
    packs: () => analysis.packsOf(file),
    get text() {
      return composed.text;
    },
    apply(edits) {
      const own = edits.filter((edit) => edit.file === file).sort((a, b) => b.start - a.start || b.end - a.end);
      for (const edit of own) composed.replace(edit);
      analysis.filesChanged([file]);
    },
    edits: () => composed.edits().map((edit) => ({ file, ...edit })),
  };
}
