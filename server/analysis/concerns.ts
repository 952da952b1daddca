// Which rules are asked about a pack: most packs have little of what there are rules about, and a rule about something that is not
// there is not worth starting.
import type { CallFact, PackModel } from "./model.ts";
import type { Rule, Subject } from "./rule.ts";

/** Whether a rule may find anything in the pack, by what the rule says of itself. */
export function concernsOf(pack: PackModel): (rule: Pick<Rule, "about" | "types" | "fields">) => boolean {
  const types = new Set<string>();
  const fields = new Set<string>();
  for (const { type, config } of pack.auths) {
    if (type !== undefined) types.add(type);
    for (const { name } of config.properties) fields.add(name);
  }
  const has = subjectsOf(pack);
  return (rule) => (rule.about === undefined || has[rule.about]) && hasOneOf(types, rule.types) && hasOneOf(fields, rule.fields);
}

function hasOneOf(there: ReadonlySet<string>, asked: readonly string[] | undefined): boolean {
  if (asked === undefined) return true;
  for (const name of asked) if (there.has(name)) return true;
  return false;
}

function subjectsOf(pack: PackModel): Record<Subject, boolean> {
  const has: Record<Subject, boolean> = {
    authentication: pack.auths.length > 0,
    domain: pack.domains.declared.length > 0,
    request: false,
    runnable: pack.runnables.length > 0,
    placeholder: pack.placeholders.length > 0,
  };
  for (const { calls, contextCalls, endpointUses } of pack.facts) {
    if (contextCalls.length > 0 || endpointUses.length > 0) has.request = true;
    for (const { method } of calls) {
      const subject = SUBJECT_OF_CALL.get(method);
      if (subject !== undefined) has[subject] = true;
    }
  }
  return has;
}

/** Also where what they are given cannot be read. */
const SUBJECT_OF_CALL: ReadonlyMap<CallFact["method"], Subject> = new Map([
  ["setUserAuthentication", "authentication"],
  ["setSystemAuthentication", "authentication"],
  ["addNetworkDomain", "domain"],
  // Its server is asked by the platform.
  ["addMCPServer", "request"],
]);
