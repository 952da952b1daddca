// What a probe of the escapes pack is made with, and the pack that it is added to.
import * as coda from "@codahq/packs-sdk";
import type { Anything } from "./reach.ts";

export const pack = coda.newPack();
pack.addNetworkDomain("example.com");

type Probe = (context: Anything, secretFile: string) => unknown;
let probes = 0;

/** A probe that leaves its process as it was, so that others may follow in it. */
export function probe(description: string, body: Probe, name = `Probe${++probes}`): void {
  pack.addFormula({
    name,
    description,
    parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "secretFile", description: "A file that nobody may read." })],
    resultType: coda.ValueType.String,
    connectionRequirement: coda.ConnectionRequirement.None,
    execute: async ([secretFile], context) => (await body(context, secretFile)) as string,
  });
}

/** A probe that bends what others rely on. */
export function probeAlone(description: string, body: Probe): void {
  probe(description, body, `Alone${++probes}`);
}

/** The global object, with whatever is on it. */
export const own: Anything = globalThis;
/** What the work throws; undefined where it throws nothing. */
export const caught = (work: () => unknown): Anything => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

/** Requests that the host of the tests refuses, and answers by 404 (`host.cjs`). */
export const REFUSED_REQUEST = { method: "GET", url: "https://example.com" };
export const NOT_FOUND = { method: "GET", url: "https://example.com/404" };
