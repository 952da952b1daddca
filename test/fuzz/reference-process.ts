// A fresh analysis for each question, in a process that never sees an edit.
import { createAnalysis } from "../../server/analysis/analysis.ts";
import { describeAnalysis, digestOf } from "./answer.ts";
import type { Question, ReferenceResult } from "./reference.ts";

function readReference({ disk, open, paths, withFixes, whole }: Question): ReferenceResult {
  const analysis = createAnalysis({ readFile: (path) => disk[path] });
  analysis.addCandidates(paths);
  for (const [path, text] of Object.entries(open)) analysis.open(path, text);
  const text = describeAnalysis(analysis, paths, withFixes);
  return { digest: digestOf(text), ...(whole ? { text } : {}) };
}

// Who asked may have ended meanwhile: without a function to tell, that would be an error that nobody catches.
process.on("message", (questions: readonly Question[]) => process.send?.(questions.map(readReference), () => undefined));
