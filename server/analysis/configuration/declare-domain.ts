// The edit that declares one more network domain: of the rule that finds a host undeclared, and of a run that was refused one.

import { hasCredential } from "../../../spec/auth-types.ts";
import { bareDomain, declaredHosts, domainOf, isPublic, isUnder } from "../domains/hosts.ts";
import type { CallFact } from "../model/facts.ts";
import type { Fix, TextEdit } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { ListValue } from "../model/values.ts";
import { insertItem, insertProperty, insertStatementBefore } from "../text/edit.ts";
import { allAuths, propertyOf, propose, valueIn } from "./config.ts";

/** Nothing where the host is declared, or it cannot be told where the domain belongs. */
export function declareHost(pack: PackModel, host: string): readonly Fix[] {
  return declaredHosts(pack).some((domain) => isUnder(host, domain)) ? [] : addDomain(pack, domainOf(host));
}

/** Declares the domain; where it becomes the second, credentials go on going to the first alone. */
export function addDomain(pack: PackModel, domain: string): readonly Fix[] {
  const declared = [...new Set(pack.domains.declared.map(({ value }) => value))];
  const statement = isPublic(domain) ? declaration(pack, domain) : undefined;
  if (statement === undefined) return [];
  const [only] = declared;
  const choices =
    declared.length !== 1 || only === undefined || bareDomain(only) !== only.toLowerCase()
      ? []
      : allAuths(pack)
          .filter(({ type, config }) => hasCredential(type) && !config.open && propertyOf(config, "networkDomain") === undefined)
          .map(({ config }) => insertProperty(pack, config, `networkDomain: ${JSON.stringify(only)}`));
  const title =
    choices.length === 0 ? `Add network domain ${domain}` : `Add network domain ${domain}, and send credentials to ${String(only)} alone`;
  return [propose(title, statement, ...choices)];
}

/** The statement, behind the last one of its kind, else before the authentication or behind the pack itself; where a list declares domains, in that. */
export function declaration(pack: PackModel, domain: string): TextEdit | undefined {
  const calls = pack.facts.flatMap((facts) => facts.calls);
  const list = listOfDomains(pack, calls);
  if (list !== undefined) return insertItem(pack, list, JSON.stringify(domain));
  const last = calls.findLast(
    (call) => call.method === "addNetworkDomain" && call.statement !== undefined && !call.conditional && !call.loop,
  );
  if (last?.statement !== undefined) {
    const source = pack.text(last.place.file);
    const line = source.lastIndexOf("\n", last.place.start - 1) + 1;
    const indent = /^[ \t]*/.exec(source.slice(line))?.[0] ?? "";
    const eol = source.includes("\r\n") ? "\r\n" : "\n";
    const { end } = last.statement;
    return { file: last.place.file, start: end, end, text: `${eol}${indent}${last.receiver}.addNetworkDomain(${JSON.stringify(domain)});` };
  }
  const first = calls.find(
    (call) => call.method !== "newPack" && call.receiver !== "" && call.statement !== undefined && !call.conditional,
  );
  if (first?.statement === undefined) return undefined;
  const text = `${first.receiver}.addNetworkDomain(${JSON.stringify(domain)});`;
  return insertStatementBefore(pack, first.statement, text);
}

/** `networkDomains: […]` of a definition, or of what is written to the pack, where the list stands in its own place. */
function listOfDomains(pack: PackModel, calls: readonly CallFact[]): ListValue | undefined {
  const packDefinitions = calls.flatMap(({ method, arguments: [argument] }) =>
    method === "newPack" && argument !== undefined ? pack.resolve(argument) : [],
  );
  const assignedDefinitions = pack.facts.flatMap(({ definitions }) => definitions.map(({ definition }) => definition));
  const manifests = pack.auths.flatMap(({ definition }) => definition ?? []);
  for (const definition of [...packDefinitions, ...assignedDefinitions, ...manifests]) {
    const list = definition.kind === "object" ? valueIn(pack, definition, "networkDomains") : undefined;
    if (list?.kind === "array" && pack.text(list.place.file)[list.place.start] === "[") return list;
  }
  return undefined;
}
