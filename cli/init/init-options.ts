// The options of `pack-auth init`.
import type { EvidenceKind } from "../../platform/setup/evidence-kind.ts";
import { choiceOf, readOptions, type VerbHelp } from "../options.ts";
import { ENTRY_OPTIONS, type EntryOptions } from "../pack-entry.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { UsageError } from "../usage-error.ts";

const KINDS = ["curl", "openapi", "issuer", "mcp", "address", "provider"] as const satisfies readonly EvidenceKind[];

export const INIT = {
  usage: "init [folder] --from <file|url|name|-> [options]",
  about: `Sets up the authentication of a pack. The source is a cURL command, an OpenAPI file, an OAuth issuer, an MCP server, an address or the name of a provider.
[folder] is the pack's folder or file (default: .). Without a pack there, a new one is written. A pasted credential is written nowhere.`,
  options: {
    from: { argument: "SOURCE", help: "a file, a URL, the name of a provider, or - for standard input" },
    kind: { argument: KINDS.join("|"), help: "what the source is (default: it is recognised)" },
    answer: { argument: "ID=VALUE", isList: true, help: "the answer to a question; for several questions, write it again" },
    "look-up": { argument: "HOST", isList: true, help: "a host that may get a request without a credential; may be repeated" },
    yes: { help: "write without asking, once it is proved" },
    json: { help: "print the result as JSON, and ask nothing" },
    "allow-loopback": { help: "let look-ups reach this machine" },
    ...ENTRY_OPTIONS,
  },
  more: `Without a terminal nothing is asked: the first open question is printed with its ID, and the exit code is 2.

Exit code: 0 written, 1 not possible on the platform or not proved, 2 an open question or a wrong command, 130 cancelled.

Examples:
  pack-auth init --from request.txt
  pbpaste | pack-auth init my-pack --from - --yes
  pack-auth init --from https://acme.example/openapi.json --look-up acme.example
`,
} as const satisfies VerbHelp;

export interface InitCall extends EntryOptions {
  readonly path: string;
  readonly from: string;
  readonly kind: EvidenceKind | undefined;
  readonly answers: Readonly<Record<string, string>>;
  readonly hosts: readonly string[];
  readonly isAgreed: boolean;
  readonly asJson: boolean;
  readonly allowLoopback: boolean;
}

/** Returns undefined if only the help was requested. Throws UsageError. */
export function readInitCall(args: readonly string[], terminal: Terminal): InitCall | undefined {
  const options = readOptions(INIT, args, terminal);
  if (options === undefined) return undefined;
  const [path = ".", ...extraArguments] = options.positionals;
  const { from, kind, answer = [], "look-up": hosts = [], yes, json, "allow-loopback": allowLoopback, ...entryOptions } = options.values;
  if (extraArguments.length > 0) throw new UsageError(`Name one folder. There is also ${extraArguments[0]}.`);
  if (from === undefined) throw new UsageError("Add --from with a file, a URL, the name of a provider, or -. See pack-auth init --help.");
  return {
    path,
    from,
    kind: kind === undefined ? undefined : choiceOf("--kind", KINDS, kind),
    answers: Object.fromEntries(answer.map(readAnswer)),
    hosts,
    isAgreed: yes === true,
    asJson: json === true,
    allowLoopback: allowLoopback === true,
    ...entryOptions,
  };
}

function readAnswer(text: string): readonly [string, string] {
  const [, id, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (id === undefined || value === undefined)
    throw new UsageError("Write --answer ID=VALUE: the ID of the question, an equals sign and the answer.");
  return [id, value];
}
