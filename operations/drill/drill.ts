// Runs a formula or a sync table on ten bad days in the sandbox.
import { z } from "zod";
import { packName } from "../../platform/bundle/entry-file.ts";
import { drill as drillTarget } from "../../platform/drill/drill.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { recordDrillOf } from "../../platform/evidence/run-record.ts";
import { stubsFilePath } from "../../platform/sandbox/stubs.ts";
import { dynamicUrlInput, input, packInput, parametersInput, wordsInput } from "../inputs.ts";
import { operation } from "../operation.ts";
import { readTarget } from "../run/target.ts";

export const drill = operation({
  about: `Runs a formula or a sync table with ten problems ("bad days") in the sandbox: expired or revoked tokens, refusals (401, 403, 429, 500), slow
and broken answers, another endpoint. It shows what the pack's user would see, and whether the pack recovers. Nothing is sent to a real API.
An action runs once for each day.`,
  input: z.strictObject({
    pack: packInput,
    target: input(z.string(), "A formula or a sync table by its name.", { place: "word" }),
    words: wordsInput,
    parameters: parametersInput,
    dynamicUrl: dynamicUrlInput,
  }),
  missing: {
    agents: { words: "An agent writes values as JSON." },
    editor: { words: "The panel's form has a field for each parameter." },
  },
  async run({ pack: path, ...request }, world, _person, { step, note }) {
    const entry = world.entryOf(path);
    // The answers are read from this file, which may be a link.
    world.pathOf(stubsFilePath(entry));
    const folder = world.openFolder("pack-auth-drill-");
    step("Building the pack");
    const pack = await world.openPack(entry);
    const call = readTarget(request, pack.definition, { note, isSandbox: true });
    const { target } = call;
    if (target.kind !== "formula" && target.kind !== "syncTable")
      throw new PackAuthError("invalid-parameter", `${request.target} is neither a formula nor a sync table.`, { field: "target" });
    const sandbox = await world.openSandbox();
    const { signal, storageFolder } = world;
    const report = await drillTarget(
      pack,
      { ...call, target },
      { sandbox, folder, packName: packName(entry), signal, onDay: ({ title }) => step(title) },
    );
    // The drill has ended, and its report matters more than its record.
    if (storageFolder !== undefined) await recordDrillOf({ storageFolder }, entry, target, report).catch(() => {});
    return report;
  },
});
