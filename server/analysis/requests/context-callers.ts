// The calls of a pack that send requests or hand the context on: what each calls, and who calls a function.
import type { ContextCall } from "../model/context-facts.ts";
import type { Place, Value } from "../model/values.ts";
import { isFetcherName } from "../syntax/context-facts.ts";
import type { Surroundings } from "./read-request.ts";

/** What a call comes to. */
export interface KnownCall {
  readonly call: ContextCall;
  readonly isRequest: boolean;
  /** The function that is called, where it is one of the pack's. */
  readonly target: Place | undefined;
}

/** Reads what is called, and nothing of what it is given. */
export function readCall(call: ContextCall, resolve: (value: Value) => Value): KnownCall {
  const { callee, fetches } = call;
  if (fetches === "yes") return { call, isRequest: true, target: undefined };
  const meant = callee.kind === "reference" ? resolve(callee) : callee;
  const path = fetches === "maybe" && meant.kind === "unknown" ? meant.path : undefined;
  const isRequest = path !== undefined && path[path.length - 1] === "fetch" && isFetcherName(path[path.length - 2]);
  return { call, isRequest, target: !isRequest && meant.kind === "function" ? meant.place : undefined };
}

/** The place of a function → the calls of it. */
export function callersIn(calls: readonly KnownCall[]): Surroundings["callers"] {
  let byTarget: Map<string, ContextCall[]> | undefined;
  return (owner) => {
    byTarget ??= byTargetOf(calls);
    return byTarget.get(keyOf(owner)) ?? [];
  };
}

function byTargetOf(calls: readonly KnownCall[]): Map<string, ContextCall[]> {
  const byTarget = new Map<string, ContextCall[]>();
  for (const { call, target } of calls) {
    if (target === undefined) continue;
    const list = byTarget.get(keyOf(target));
    if (list === undefined) byTarget.set(keyOf(target), [call]);
    else list.push(call);
  }
  return byTarget;
}

/** A function, by where it starts. */
export const keyOf = ({ file, start }: { readonly file: string; readonly start: number }): string => `${start}:${file}`;
