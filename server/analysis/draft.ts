// A draft of a file: the result of successive edits and its diagnostics, while the file itself stays unchanged.
import { type Analysis, createAnalysis } from "./analysis.ts";
import type { TextEdit } from "./model/findings.ts";
import type { PackModel } from "./model/pack.ts";
import { composeEdits } from "./text/compose-edits.ts";

export interface Draft {
  readonly analysis: Analysis;
  /** Returns the packs of the edited file. */
  packs(): readonly PackModel[];
  readonly text: string;
  /** Applies edits that do not overlap. Edits of other files are ignored. */
  apply(edits: readonly TextEdit[]): void;
  /** Returns the edits from the original text to the current one. */
  edits(): readonly TextEdit[];
}

/** Creates a draft of a file. `configure` gives the draft's analysis the settings of the original one. */
export function createDraft(from: Analysis, file: string, configure: (analysis: Analysis) => void): Draft {
  const composed = composeEdits(from.text(file) ?? "");
  const analysis = createAnalysis({
    readFile: (path) => (path === file ? composed.text : from.text(path)),
    realPath: (path) => from.realPath(path),
  });
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
