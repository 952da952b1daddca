// The network domains that a pack declares, and whether the list is complete.

import { isNoText } from "../configuration/config.ts";
import type { CallFact, FileFacts } from "../model/facts.ts";
import type { PackModel } from "../model/pack.ts";
import type { Expression, ObjectValue, Resolve } from "../model/values.ts";
import { isPassedUnchanged } from "../syntax/index-loop.ts";
import { unknownAt } from "../syntax/names/mutations.ts";
import { listGoneThrough } from "./loop-items.ts";
import { callersOf, type ParameterBinding } from "./parameter-binding.ts";
import type { Resolver } from "./resolve.ts";

/** Lists that contain another list twice double at each level; domains beyond this limit are unknown. */
const MOST_LOOKS = 10_000;

export function domainsOf(
  calls: readonly CallFact[],
  definitions: readonly ObjectValue[],
  { resolve, options }: Resolver,
  bound: ParameterBinding,
  mayHaveMore: boolean,
  facts: readonly FileFacts[],
): PackModel["domains"] {
  let complete = !mayHaveMore;
  let looks = 0;
  const factsOf = (name: string): FileFacts | undefined => facts.find(({ file }) => file === name);
  const declared: { value: string; expression: Expression; conditional: boolean }[] = [];
  const noTexts: Expression[] = [];
  /** Adds the value for each item of the loop's list. All items share the enclosing lists. */
  const addEach = (iteration: LoopValue, conditional: boolean, within: readonly Expression[]): void => {
    const items = resolve(iteration.list);
    if (items.kind !== "array" || !isPassedUnchanged(iteration.item, factsOf(iteration.item.place.file)))
      add(unknownAt(items.place), conditional, within);
    else if (iteration.of === iteration.item) add(items, conditional, within);
    else {
      if (items.open) complete = false;
      for (const item of items.items) add(iteration.with(item), conditional, within);
    }
  };
  /** Adds the domains in a value. `within` are the lists that contain it, so that a list that contains itself is walked once. */
  const add = (value: Expression | undefined, conditional: boolean, within: readonly Expression[] = [], loop?: CallFact["loop"]): void => {
    if (++looks > MOST_LOOKS) {
      complete = false;
      return;
    }
    const [only, ...remaining] = value === undefined ? [] : options(value);
    if (only !== undefined && remaining.length > 0) {
      for (const option of [only, ...remaining]) add(option, true, within);
      return;
    }
    const resolved = value === undefined ? undefined : resolve(value);
    const looped = value === undefined ? undefined : loopValue(value, resolve);
    if (looped !== undefined) addEach(looped, loop?.conditional ?? true, within);
    else if (value !== undefined && resolved?.kind === "string") declared.push({ value: resolved.value, expression: value, conditional });
    else if (resolved?.kind === "array") {
      const isOwnItem = within.some((list) => list.place.file === resolved.place.file && list.place.start === resolved.place.start);
      if (resolved.open || isOwnItem) complete = false;
      if (!isOwnItem) for (const item of resolved.items) add(item, conditional, [...within, resolved]);
    } else {
      complete = false;
      // A value that is undefined or null may get another value under a condition.
      if (value !== undefined && resolved !== undefined && !conditional && (isNoText(resolved) || value.kind === "undefined"))
        noTexts.push(value);
    }
  };
  for (const call of calls) {
    if (call.method !== "addNetworkDomain") continue;
    // It is unknown whether, or how often, a helper function is called.
    const isSure =
      !call.conditional && (call.within === undefined || callersOf(call.within, facts, resolve).some(({ site }) => !site.conditional));
    for (const argument of call.arguments)
      for (const value of bound(call, argument)) add(value, !isSure || value !== argument, [], call.loop);
  }
  for (const definition of definitions) {
    const property = definition.properties.findLast((candidate) => candidate.name === "networkDomains");
    if (property !== undefined) add(property.value, false);
    else if (definition.open) complete = false;
  }
  // Code that replaces the list may take domains away.
  const isReplaced = calls.some(({ method }) => method === "addNetworkDomain") && facts.some(replacesDomains);
  if (isReplaced) return { declared: [], noTexts, complete: false, any: true };
  return { declared, noTexts, complete, any: declared.length > 0 || !complete };
}

const replacesDomains = ({ uses }: FileFacts): boolean =>
  uses("assigns", "networkDomains") || (uses("assigns", "length") && uses("reads", "networkDomains"));

/** A value with a name in it that refers to each item of a list in turn. */
interface LoopValue {
  readonly of: Expression;
  readonly item: Expression;
  readonly list: Expression;
  with(item: Expression): Expression;
}

function loopValue(value: Expression, resolve: Resolve): LoopValue | undefined {
  const each = listGoneThrough(value, resolve);
  if (each !== undefined) return { of: value, item: value, list: each, with: (item) => item };
  if (value.kind !== "template") return undefined;
  for (const [index, item] of value.parts.entries()) {
    const list = listGoneThrough(item, resolve);
    if (list !== undefined)
      return { of: value, item, list, with: (one) => ({ ...value, parts: value.parts.map((part, at) => (at === index ? one : part)) }) };
  }
  return undefined;
}
