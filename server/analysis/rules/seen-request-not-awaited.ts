import { propose } from "../configuration/config.ts";
import type { FileSpan } from "../model/values.ts";
import { observationRule, pack } from "../rule.ts";

const REQUEST = "context.fetcher.fetch";

/** Returns the place of the only request on the line without `await`, if the line has other code; else the line. */
function notAwaited(text: string, line: FileSpan): FileSpan {
  const offsets: number[] = [];
  for (let at = text.indexOf(`${REQUEST}(`, line.start); at >= 0 && at < line.end; at = text.indexOf(`${REQUEST}(`, at + 1))
    if (!/\bawait $/.test(text.slice(Math.max(line.start, at - 7), at))) offsets.push(at);
  const [start, ...otherOffsets] = offsets;
  return start === undefined || start === line.start || otherOffsets.length > 0 ? line : { ...line, start, end: start + REQUEST.length };
}

export default observationRule({
  id: "seen-request-not-awaited",
  severity: "warning",
  docs: `A formula returned before its request was answered.

A run showed this. Put \`await\` before the request. The platform ends an execution when the formula returns. The request may then never be sent, and its error is lost.`,
  examples: [
    {
      bad: pack`
        formula Read {
          «context.fetcher.fetch({ method: "POST", url: "https://api.acme.example/" });»
          return "";
        }`,
      evidence: { code: "request-not-awaited", line: 9 },
      change: ["context.fetcher.fetch", "await context.fetcher.fetch"],
      good: ["context.fetcher.fetch", "await context.fetcher.fetch"],
    },
    {
      bad: pack`
        pack.addFormula({
          ...Read,
          execute: async ([], context) => { «context.fetcher.fetch»({ method: "POST", url: "https://api.acme.example/" }); await context.fetcher.fetch({ method: "GET", url: "https://api.acme.example/" }); return ""; },
        });`,
      evidence: { code: "request-not-awaited", line: 8 },
    },
  ],
  reports: {
    *"request-not-awaited"(pack, line) {
      yield {
        place: notAwaited(pack.text(line.file), line),
        message: "Put await before this request. The formula returned before it was answered, and the platform then ends the execution.",
        fixes: () => {
          // The fix is offered only for a statement: in a larger expression, only the author knows the intention.
          const call = /^(?:void )?(?=[\w.]*\bfetcher\.fetch\()/.exec(pack.text(line.file).slice(line.start, line.end))?.[0];
          return call === undefined
            ? []
            : [propose("Add await", { file: line.file, start: line.start, end: line.start + call.length, text: "await " })];
        },
      };
    },
  },
});
