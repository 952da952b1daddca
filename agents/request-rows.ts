// The requests of a run in a table, without bodies.
import { defined } from "../base/defined.ts";
import { printable } from "../base/printable.ts";
import type { RequestTrace } from "../protocol/run.ts";
import { fromOutside } from "./outside.ts";

/** Characters of an address. That of a redirect is a text of the API. */
const LONGEST_ADDRESS = 1_000;

/** Masked requests, as a run reports them. */
export const requestRows = (requests: readonly RequestTrace[]) =>
  requests.map(({ id, method, url, status, failure, credentials, sandbox, redirectedFrom }) => ({
    id,
    method,
    url: redirectedFrom === undefined ? printable(url.slice(0, LONGEST_ADDRESS)) : fromOutside(url, LONGEST_ADDRESS),
    carried: credentials.map(({ carrier }) => carrier),
    answeredBySandbox: sandbox === true,
    ...defined({ status, failure }),
  }));
