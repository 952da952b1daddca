// The functions that define a probe, and the escapes pack that contains the probes.
import * as coda from "@codahq/packs-sdk";
import type { Anything } from "./reach.ts";

export const pack = coda.newPack();
pack.addNetworkDomain("example.com");

type Probe = (context: Anything, secretFile: string) => unknown;
let probes = 0;

/** Adds a probe that leaves its process unchanged, so that other probes can run in it. */
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

/** Adds a probe that changes built-ins that other probes rely on. */
export function probeAlone(description: string, body: Probe): void {
  probe(description, body, `Alone${++probes}`);
}

/** The global object of the realm. */
export const own: Anything = globalThis;
/** Returns the thrown value, or undefined if nothing was thrown. */
export const caught = (work: () => unknown): Anything => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
};

/** A request that the host refuses, and a request that it answers with 404 (`probes.ts`, and `sandbox.json` in an editor). */
export const REFUSED_REQUEST = { method: "GET", url: "https://example.com" };
export const NOT_FOUND = { method: "GET", url: "https://example.com/404" };
