// Runs a formula on ten bad days in the sandbox.
import { z } from "zod";
import { defined } from "../../../base/defined.ts";
import { DEFAULT_ROWS } from "../../../protocol/row-limits.ts";
import { packName } from "../../bundle/entry-file.ts";
import { drill as drillTarget } from "../../drill/drill.ts";
import { PackAuthError } from "../../errors.ts";
import { makeTemporary } from "../../files/make-temporary.ts";
import { removeTemporary } from "../../files/remove-temporary.ts";
import { stubsFilePath } from "../../sandbox/stubs.ts";
import { agentTool } from "../agent-tool.ts";
import { entryInside, pathInside, shownPath } from "../inside.ts";
import { fromOutside, outsideText } from "../outside.ts";
import { runInputOf } from "../run-target.ts";
import { location, packPath } from "../schemas.ts";

export const drill = agentTool({
  title: "Run on bad days",
  description:
    "Runs a formula or a sync table in the sandbox under ten problems: expired or revoked tokens, refusals, slow and broken answers. Shows what the pack's user would see on each day, and how to improve it. Needs an answer for the good day in sandbox.json. Sends nothing to a real API.",
  input: z.strictObject({
    pack: packPath,
    target: z.string().describe("A formula or a sync table by its name."),
    parameters: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]).default({}),
  }),
  output: z.strictObject({
    days: z.array(
      z.strictObject({
        day: z.string(),
        title: z.string(),
        verdict: z.string().optional().describe("Absent if the day does not apply to the formula."),
        sees: outsideText.describe("What the pack's user would see."),
        remedy: z.string().optional(),
        location: location.optional(),
      }),
    ),
  }),
  runsCode: true,
  isReadOnly: true,
  isOpenWorld: false,
  async call({ pack: path, target, parameters }, { session: { host }, signal, progress }) {
    const entry = entryInside(host.folder, path);
    progress("Building the pack");
    const pack = await host.openPack(entry);
    const folder = makeTemporary("pack-auth-drill-");
    try {
      const input = runInputOf({ target, parameters, rowLimit: DEFAULT_ROWS }, pack.definition);
      if (input.target.kind !== "formula" && input.target.kind !== "syncTable")
        throw new PackAuthError("tool-call-invalid", `${target} is neither a formula nor a sync table.`, { hint: "outline lists both." });
      pathInside(host.folder, stubsFilePath(entry));
      const sandbox = await host.openSandbox();
      try {
        const report = await drillTarget(
          pack,
          { ...input, target: input.target },
          { sandbox, folder, packName: packName(entry), signal, onDay: ({ title }) => progress(title) },
        );
        return {
          days: report.scenarios.map(({ day, title, verdict, sees, remedy, location: place }) => ({
            day,
            title,
            sees: fromOutside(sees),
            ...defined({ verdict, remedy, location: place && { ...place, path: shownPath(host.folder, place.path) } }),
          })),
        };
      } finally {
        sandbox.stop();
      }
    } finally {
      removeTemporary(folder);
      pack.dispose();
    }
  },
});
