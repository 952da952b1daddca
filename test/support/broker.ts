// A broker on a wire, and the values that its tests share.
import assert from "node:assert/strict";
import { type Broker, type BrokerOptions, createBroker } from "../../platform/requests/broker.ts";
import type { Credential } from "../../platform/secrets/credential.ts";
import { createRedactor } from "../../platform/secrets/redact.ts";
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { FetchFailure, FetchRequest, FetchResponse } from "../../protocol/pack-process.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import type { Wire } from "./wire.ts";

export const TOKEN = "canary-token-8d1f";
export const INVOCATION = "11111111-2222-4333-8444-555555555555";
export const STALE = "99999999-2222-4333-8444-555555555555";

export const placeholder = (name: string, token = INVOCATION): string => `{{${name}-${token}}}`;

export const auth = (type: string, more: Partial<AuthenticationDefinition> = {}): AuthenticationDefinition => ({
  type,
  hasGetConnectionName: false,
  postSetup: [],
  ...more,
});

export const named = (name: string, tokenPrefix?: string) => ({
  name,
  description: name,
  ...(tokenPrefix === undefined ? {} : { tokenPrefix }),
});

export interface WiredBroker {
  readonly broker: Broker;
  readonly traces: RequestTrace[];
  readonly platformDifferences: string[];
  /** Sends a request (GET by default) and returns the response. */
  send(request: Partial<FetchRequest> & { readonly url: string }, signal?: AbortSignal): Promise<FetchResponse | FetchFailure>;
}

export interface BrokerSetup extends Partial<BrokerOptions> {
  readonly domains?: readonly string[];
}

/** By default, `good.com` and `other.com` are declared, and only `good.com` gets the bearer token. */
export function onWire(wire: Pick<Wire, "fetch" | "lookup">, setup: BrokerSetup = {}): WiredBroker {
  const traces: RequestTrace[] = [];
  const platformDifferences: string[] = [];
  const { domains = ["good.com", "other.com"], ...options } = setup;
  const credential: Credential = { kind: "token", token: TOKEN };
  const broker = createBroker({
    definition: { networkDomains: domains, formulas: [], syncTables: [] },
    authentication: auth("HeaderBearerToken", { networkDomain: "good.com" }),
    credential,
    endpoint: undefined,
    refresh: undefined,
    permit: undefined,
    allowLoopback: false,
    connectionRequirement: "required",
    invocationToken: INVOCATION,
    fetch: wire.fetch,
    lookup: wire.lookup,
    redactor: createRedactor(),
    onTrace: (trace) => traces.push(trace),
    onPlatformDifference: (message) => platformDifferences.push(message),
    onRefreshFailed: () => {},
    ...options,
  });
  return {
    broker,
    traces,
    platformDifferences,
    send: (request, signal = new AbortController().signal) => broker.fetch({ method: "GET", ...request }, signal),
  };
}

export function failure(response: FetchResponse | FetchFailure): string {
  assert.ok("message" in response, `it was not refused: ${JSON.stringify(response)}`);
  return response.message;
}

export function success(response: FetchResponse | FetchFailure): FetchResponse {
  assert.ok("status" in response, `it failed: ${JSON.stringify(response)}`);
  return response;
}
