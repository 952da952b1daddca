// A function behind a cast, or in parentheses, is read as the function that it is.
import assert from "node:assert/strict";
import { flagged, packOf } from "../support/flagged.ts";

const bearer = (getConnectionName: string): string =>
  packOf(`pack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: ${getConnectionName} });`);
const FETCH = 'return (await context.fetcher.fetch({ method: "GET", url: "https://" + host + "/me" })).body.name;';

const CASES: Readonly<Record<string, { readonly source: string; readonly expected: readonly string[] }>> = {
  "a constant account name": {
    source: bearer('(async () => "Acme") as any'),
    expected: ["warning connection-name-value: getConnectionName"],
  },
  "a constant account name, in the function of another cast": {
    source: bearer('<any>((async function () { return "Acme"; }))'),
    expected: ["warning connection-name-value: getConnectionName"],
  },
  "a name without a promise": {
    source: bearer("((context) => `${context.timezone}`) as any"),
    expected: ["warning connection-name-not-async: getConnectionName"],
  },
  "a host that the caller of a helper passes": {
    source: packOf(
      `const get = (async (context: any, host: string) => { ${FETCH} }) as any;\npack.setUserAuthentication({ type: coda.AuthenticationType.HeaderBearerToken, getConnectionName: async (context) => get(context, "api.other.example") });`,
    ),
    expected: ["error fetch-host-undeclared: api.other.example"],
  },
  "a correct function": {
    source: bearer(`(async (context) => { const host = "acme.example"; ${FETCH} }) as any`),
    expected: [],
  },
};

describe("functions behind a cast", () => {
  for (const [name, { source, expected }] of Object.entries(CASES))
    it(`the function behind the cast is checked: ${name}`, () => assert.deepEqual(flagged(source), expected));
});
