// `pack-auth upload`: builds, validates and uploads a version of a pack. The API token comes from the secret store only.
import { JSON_OPTION, operationVerb, writeJson } from "../frame/operation-verb.ts";
import { ENTRY_OPTIONS } from "../frame/pack-entry.ts";
import { stop } from "../frame/verb.ts";
import { formatMessage, printable } from "../terminal/printable.ts";

const help = {
  usage: "upload <pack> [options]",
  options: { ...JSON_OPTION, ...ENTRY_OPTIONS },
  more: `<pack> is the file that builds the pack, or its folder.

The API token is asked for once per host, and comes from the secret store. Neither it nor PACK_AUTH_PASSPHRASE may be in the environment,
because the build runs code of the workspace. If PACK_AUTH_SECRET_STORE is file, the passphrase is asked for on the terminal.

Exit code: 0 the platform lists the version, 1 it failed, 2 the command is wrong, 130 it was cancelled.

Examples:
  pack-auth upload .
  pack-auth upload packs/crm --notes "Adds a table of contacts."
`,
} as const;

export const uploadVerb = operationVerb("upload", help, {
  stopped: "No version was sent.",
  showsStopped: true,
  show(result, { terminal, values }) {
    if (!result.isUploaded) return stop(terminal, result.sent);
    const { output, errorOutput } = terminal;
    const { isUploaded: _, version: packVersion, ...rest } = result;
    const { findings, deprecationWarnings, link, mapProblem } = rest;
    if (values.json) writeJson(terminal, { packVersion, ...rest });
    else {
      output.write(formatMessage`Version ${printable(packVersion)} is uploaded: ${printable(link)}\n`);
      for (const { finding } of findings) output.write(formatMessage`  ${printable(finding)}\n`);
    }
    for (const { path, message } of deprecationWarnings)
      errorOutput.write(formatMessage`Deprecated: ${printable(path === undefined ? message : `${path}: ${message}`)}\n`);
    if (mapProblem !== undefined) errorOutput.write(formatMessage`The source map was not stored: ${printable(mapProblem)}\n`);
    return 0;
  },
});
