// `pack-auth drift`: compares the published pack's OAuth configuration with this source. It only reads, unless a person at the terminal
// hands over the client ID and secret.
import { sealedClient } from "../operations/accounts/sealed-client.ts";
import { packKey } from "../platform/accounts/accounts.ts";
import { packName } from "../platform/bundle/entry-file.ts";
import { PackAuthError } from "../platform/errors.ts";
import { type Drift, driftOf, oauthScopeOf } from "../platform/production/drift.ts";
import { handOver } from "../platform/production/hand-over.ts";
import { environmentToken, openApiOf } from "../platform/public-api/api-token.ts";
import { publishedPack } from "../platform/public-api/published-pack.ts";
import type { VerbHelp } from "./options.ts";
import { ENTRY_OPTIONS, entryArgument } from "./pack-entry.ts";
import { fail } from "./terminal/failure.ts";
import { STOPPED } from "./terminal/interrupt.ts";
import { formatMessage, joined, type Printed, printable } from "./terminal/printable.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { UsageError } from "./usage-error.ts";
import { verb } from "./verb.ts";

export const DRIFT = {
  usage: "drift <pack> [options]",
  about: `Compares the OAuth configuration of the published pack with this source: client ID, secret, scopes, addresses, token prefix.
<pack> is the file that builds the pack, or its folder. The platform masks the client ID, so only its visible characters are compared.

The API token of the platform is asked for once, or read from PACK_AUTH_API_TOKEN. It goes only to the host that it was entered for.`,
  options: {
    format: { argument: "pretty|json", help: "format of the report (default: pretty)" },
    "send-credentials": { help: "send the client ID and secret that worked here to the published pack; asks on the terminal" },
    ...ENTRY_OPTIONS,
  },
  more: `Exit code: 0 the same, 1 it differs or failed, 2 the command is wrong, 130 it was cancelled.

Examples:
  pack-auth drift .
  pack-auth drift packs/crm --format json
`,
} as const satisfies VerbHelp;

export const drift = verb(DRIFT, async ({ terminal, signal, positionals, values, openPack, openHost }) => {
  const { format = "pretty" } = values;
  if (format !== "pretty" && format !== "json") throw new UsageError(`--format must be pretty or json, not ${format}.`);
  const sends = values["send-credentials"] === true;
  if (sends && !(terminal.stdin.isTTY && terminal.stderr.isTTY))
    throw new UsageError("--send-credentials needs a terminal, because a person has to agree. Nothing was sent.");
  const entry = entryArgument(terminal, "drift", positionals);
  const { definition } = await openPack(entry, values);
  const scope = oauthScopeOf(definition);
  const auth = scope && definition[`${scope}Authentication`];
  if (scope === undefined || auth === undefined) {
    report(terminal, driftOf(undefined, definition, undefined), format);
    return 0;
  }
  const host = await openHost();
  const published = publishedPack(entry);
  const api = await openApiOf(host, published, {
    title: "Compare with the published pack",
    environmentToken: environmentToken(terminal.environment),
    signal,
  });
  if (api === undefined) return STOPPED;
  if (await host.accounts.hasSealedClient(packKey(entry), scope)) throw sealedClient(entry);
  const client = await host.accounts.clientCredentials(packKey(entry), scope);
  const compared = driftOf(await api.oauthConfig(published.packId, signal), definition, client);
  report(terminal, compared, format);
  if (!sends) return compared.differs ? 1 : 0;
  const { accounts, prompter } = host;
  let isCancelled = false;
  const sent = await handOver({
    entry,
    packName: packName(entry),
    scope,
    auth,
    accounts,
    api,
    published,
    whileSending: (requests) => requests(signal),
    async agree({ message, detail, packId }) {
      const typed = await prompter.input({ title: message, prompt: `${detail} Type the pack ID ${packId} to agree.`, signal });
      isCancelled = typed === undefined;
      return typed?.trim() === String(packId);
    },
  }).catch(async (error: unknown) => {
    // A stopped hand-over says what it knows of the platform.
    if (signal.aborted && error instanceof PackAuthError) await fail(terminal, error, entry);
    throw error;
  });
  terminal.errorOutput.write(sent === undefined ? formatMessage`Nothing was sent.\n` : formatMessage`${printable(sent)}\n`);
  return isCancelled ? STOPPED : sent === undefined ? 1 : 0;
});

function report({ output }: Terminal, compared: Drift, format: "pretty" | "json"): void {
  if (format === "json") output.writeJson(`${JSON.stringify(compared, undefined, 2)}\n`);
  else output.write(formatMessage`${printable(compared.summary)}\n${joined(compared.lines.map(lineOf))}`);
}

const lineOf = ({ subject, there, here, isSame, advice }: Drift["lines"][number]): Printed => {
  const verdict = isSame === undefined ? "" : isSame ? "same" : "differs";
  return formatMessage`  ${printable(subject.padEnd(28))}${printable(verdict.padEnd(9))}there: ${printable(there)} · here: ${printable(here)}${printable(advice === undefined ? "" : ` · ${advice}`)}\n`;
};
