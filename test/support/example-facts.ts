// The evidence of a rule's example.
import assert from "node:assert/strict";
import { fingerprintOf } from "../../base/fingerprint.ts";
import type { Fact } from "../../protocol/evidence.ts";
import type { RuleExample } from "../../server/analysis/rule.ts";
import { judgedBy } from "../../spec/evidence.ts";
import { isConfigurationCode } from "../../spec/evidence-codes.ts";
import type { Files } from "./analyse.ts";
import { pack } from "./open-packs.ts";
import { packFiles } from "./pack-file.ts";

/** As the pack's own process says it, started once for each text. */
const configurations = new Map<string, Promise<Readonly<Record<string, unknown>>>>();

function configurationOf(text: string): Promise<Readonly<Record<string, unknown>>> {
  const read = async () => ({ ...(await pack(packFiles({ "pack.ts": text }))).definition.userAuthentication });
  const configuration = configurations.get(text) ?? read();
  configurations.set(text, configuration);
  return configuration;
}

/** What was seen of an example: of its configuration as the pack itself says it, in its own process, or of its line. */
export async function factsOf({ evidence }: RuleExample, files: Files): Promise<readonly Fact[]> {
  const [entry = "", text = ""] = Object.entries(files)[0] ?? [];
  if (evidence === undefined) return [];
  const { code, names = [], line, formula } = evidence;
  const fact = { code, entry, names, seenAt: Date.UTC(2026, 10, 23), account: "ada@example.org" };
  if (line !== undefined) return [{ ...fact, at: { path: entry, line }, fingerprint: fingerprintOf(text.split("\n")[line]?.trim()) }];
  if (formula !== undefined) return [{ ...fact, formula, fingerprint: fingerprintOf(names) }];
  assert.ok(isConfigurationCode(code));
  const auth = await configurationOf(text);
  return [{ ...fact, scope: "user", fingerprint: fingerprintOf(judgedBy(code, (field) => auth[field])) }];
}
