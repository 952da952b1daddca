// `pack-auth upload`: builds, validates and uploads a version of a pack. The API token comes from the secret store only.
import { join } from "node:path";
import { programsOnPath, THIS_MACHINE } from "../platform/files/programs.ts";
import { chooseNode } from "../platform/process/choose-node.ts";
import { validateBundle } from "../platform/process/validate-bundle.ts";
import { openApiOf } from "../platform/public-api/api-token.ts";
import { publishedPack } from "../platform/public-api/published-pack.ts";
import { buildWithToolkit } from "../platform/upload/toolkit-build.ts";
import { notesOf, type UploadPlan, type UploadResult, upload } from "../platform/upload/upload.ts";
import type { VerbHelp } from "./options.ts";
import { ENTRY_OPTIONS, entryArgument } from "./pack-entry.ts";

import type { CliHost } from "./terminal/host.ts";
import { STOPPED } from "./terminal/interrupt.ts";
import { formatMessage, printable } from "./terminal/printable.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { verb } from "./verb.ts";

export const UPLOAD = {
  usage: "upload <pack> [options]",
  about: `Builds the pack with the Packs SDK, validates and uploads it, and asks the platform whether the version is there.
<pack> is the file that builds the pack, or its folder.

The API token is asked for once per host, and comes from the secret store. Neither it nor PACK_AUTH_PASSPHRASE may be in the environment,
because the build runs code of the workspace. If PACK_AUTH_SECRET_STORE is file, the passphrase is asked for on the terminal.`,
  options: {
    notes: { argument: "TEXT", help: "the notes of the version (default: what changed, in the platform's words)" },
    "allow-older-sdk": { help: "upload although the last version was built with a newer Packs SDK" },
    yes: { help: "do not ask before the upload" },
    ...ENTRY_OPTIONS,
  },
  more: `Exit code: 0 the platform lists the version, 1 it failed, 2 the command is wrong, 130 it was cancelled.

Examples:
  pack-auth upload .
  pack-auth upload packs/crm --notes "Adds a table of contacts."
`,
} as const satisfies VerbHelp;

export const uploadVerb = verb(
  UPLOAD,
  async ({ terminal, signal, positionals, values, openPack, openHost }) => {
    const entry = entryArgument(terminal, "upload", positionals);
    const published = publishedPack(entry);
    const runner = join(terminal.assets, "runner.cjs");
    const node =
      values.node ??
      (
        await chooseNode(
          { own: process.execPath, onPath: programsOnPath("node", { ...THIS_MACHINE, environment: terminal.environment }) },
          runner,
        )
      ).node;
    // Opening the pack refuses files that are not the pack's own, before anything is built for the platform.
    await openPack(entry, { ...values, node });
    const host = await openHost();
    const bundling = { esbuildWasm: join(terminal.assets, "esbuild-wasm"), workspaceEsbuild: values["workspace-esbuild"] === true };
    const result = await upload({
      published,
      build: (signal) => buildWithToolkit(entry, { program: join(terminal.assets, "toolkit-build.cjs"), signal }),
      validate: (bundle, signal) => validateBundle(entry, bundle, { process: { runner, node }, ...bundling }, signal),
      openApi: () => openApiOf(host, published, { title: "Upload pack", signal }),
      confirm: async (plan) => {
        const notes = values.notes ?? notesOf(plan.findings);
        const isAgreed = values.yes === true || (await agree(host, plan, notes, signal));
        return isAgreed ? { notes, allowOlderSdkVersion: values["allow-older-sdk"] === true } : undefined;
      },
      host,
      signal,
    });
    return print(terminal, result);
  },
  "No version was sent.",
);

async function agree(
  { prompter }: CliHost,
  { origin, packId, version, newerToolkit }: UploadPlan,
  notes: string,
  signal: AbortSignal,
): Promise<boolean> {
  const older = newerToolkit === undefined ? "" : ` The last version was built with the newer Packs SDK ${newerToolkit}.`;
  const answer = await prompter.pick({
    title: "Upload pack",
    placeholder: `Upload version ${version} of pack ${packId} to ${new URL(origin).host}?${older}${notes === "" ? "" : ` Notes: ${notes}`}`,
    items: [
      { label: "No", value: "no" },
      { label: "Yes", value: "yes" },
    ],
    signal,
  });
  return answer === "yes";
}

function print({ output, errorOutput }: Terminal, result: UploadResult): number {
  if (!result.isUploaded) {
    errorOutput.write(formatMessage`Cancelled. ${printable(result.sent)}\n`);
    return STOPPED;
  }
  const { version, findings, deprecationWarnings, link, mapProblem } = result;
  output.write(formatMessage`Version ${printable(version)} is uploaded: ${printable(link)}\n`);
  for (const { finding } of findings) output.write(formatMessage`  ${printable(finding)}\n`);
  for (const { path, message } of deprecationWarnings)
    errorOutput.write(formatMessage`Deprecated: ${printable(path === undefined ? message : `${path}: ${message}`)}\n`);
  if (mapProblem !== undefined) errorOutput.write(formatMessage`The source map was not stored: ${printable(mapProblem)}\n`);
  return 0;
}
