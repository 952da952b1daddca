import { t } from "@vscode/l10n";
import { propose } from "../configuration/config.ts";
import { whenSeen } from "../configuration/seen.ts";
import { pack, rule } from "../rule.ts";

export default rule({
  id: "seen-request-not-awaited",
  severity: "warning",
  source: "a sign-in or a run",
  docs: `A formula returned before its request was answered.

A run showed this. Put \`await\` before the request. The platform ends an execution when the formula returns. The request may then never be sent, and its error is lost.`,
  examples: [
    {
      bad: pack`
        pack.addFormula({
          name: "Read",
          description: "Reads.",
          parameters: [],
          resultType: coda.ValueType.String,
          execute: async function ([], context) {
            «context.fetcher.fetch({ method: "POST", url: "https://api.acme.example/" });»
            return "";
          },
        });
      `,
      seen: { code: "request-not-awaited", line: 9 },
      fixed: pack`
        pack.addFormula({
          name: "Read",
          description: "Reads.",
          parameters: [],
          resultType: coda.ValueType.String,
          execute: async function ([], context) {
            await context.fetcher.fetch({ method: "POST", url: "https://api.acme.example/" });
            return "";
          },
        });
      `,
    },
    {
      good: pack`
        pack.addFormula({
          name: "Read",
          description: "Reads.",
          parameters: [],
          resultType: coda.ValueType.String,
          execute: async function ([], context) {
            await context.fetcher.fetch({ method: "POST", url: "https://api.acme.example/" });
            return "";
          },
        });
      `,
    },
  ],
  on: {
    *seen(pack, { fact, line }) {
      if (fact.code !== "request-not-awaited" || line === undefined) return;
      yield {
        place: line,
        message: t`Put await before this request. The formula returned before it was answered, and the platform then ends the execution.${whenSeen(fact)}`,
        fixes: () => {
          // Alone on its line; of what else it may be a part, only its author knows.
          const call = /^(?:void )?(?=[\w.]*\bfetcher\.fetch\()/.exec(pack.text(line.file).slice(line.start, line.end))?.[0];
          return call === undefined
            ? []
            : [propose(t`Add await`, { file: line.file, start: line.start, end: line.start + call.length, text: "await " })];
        },
      };
    },
  },
});
