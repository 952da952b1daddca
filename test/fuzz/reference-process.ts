// A fresh analysis for each question, in a process that never sees an edit.
import { createAnalysis } from "../../server/analysis/analysis.ts";
import { answerOf, wronglyUnasked } from "./answer.ts";
import type { Answer, Question } from "./reference.ts";

process.on("message", ({ files, paths, withFixes }: Question) => {
  const analysis = createAnalysis({ readFile: (path) => files[path] });
  for (const [path, text] of Object.entries(files)) analysis.open(path, text);
  const answer: Answer = { text: answerOf(analysis, paths, withFixes), wronglyUnasked: wronglyUnasked(analysis, paths) };
  process.send?.(answer);
});
