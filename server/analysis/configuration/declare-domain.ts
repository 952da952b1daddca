// The edit that declares one more network domain, for the rule about undeclared hosts and for a run whose request was refused.

import { hasCredential } from "../../../spec/auth-types.ts";
import { bareDomain, declaredHosts, domainOf, isPublic, isUnder } from "../domains/hosts.ts";
import type { Fix, TextEdit } from "../model/findings.ts";
import type { PackModel } from "../model/pack.ts";
import type { ListValue } from "../model/values.ts";
import { indentOf, insertAfterStatement, insertItem, insertProperty, insertStatementBefore } from "../text/edit.ts";
import { allAuths, propertyOf, propose, valueIn } from "./config.ts";

/** Returns the fix, or nothing if the host is declared or there is no place for the declaration. */
export function declareHost(pack: PackModel, host: string): readonly Fix[] {
  return declaredHosts(pack).some((domain) => isUnder(host, domain)) ? [] : addDomain(pack, domainOf(host));
}

/** Declares the domain. If it becomes the second, the fix also keeps the credentials restricted to the first. */
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

/**
 * Returns the edit that adds the domain to a list that declares domains. Otherwise it inserts a statement after the last declaration, or
 * before the first call on the pack.
 */
export function declaration(pack: PackModel, domain: string): TextEdit | undefined {
  const list = domainListOf(pack);
  if (list !== undefined) return insertItem(pack, list, JSON.stringify(domain));
  const calls = pack.facts.flatMap((facts) => facts.calls);
  const last = calls.findLast(
    (call) => call.method === "addNetworkDomain" && call.statement !== undefined && !call.conditional && !call.loop,
  );
  if (last?.statement !== undefined) {
    const indent = indentOf(pack.text(last.place.file), last.place.start);
    return insertAfterStatement(pack, last.statement, `${indent}${last.receiver}.addNetworkDomain(${JSON.stringify(domain)});`);
  }
  const first = calls.find(
    (call) => call.method !== "newPack" && call.receiver !== "" && call.statement !== undefined && !call.conditional,
  );
  if (first?.statement === undefined) return undefined;
  const text = `${first.receiver}.addNetworkDomain(${JSON.stringify(domain)});`;
  return insertStatementBefore(pack, first.statement, text);
}

/** Returns the literal list of `networkDomains: […]` in a definition or in an assignment to the pack. */
export function domainListOf(pack: PackModel): ListValue | undefined {
  const calls = pack.facts.flatMap((facts) => facts.calls);
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
