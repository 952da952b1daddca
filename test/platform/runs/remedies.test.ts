// What can be done at once about a run that failed: a domain to declare, a switch of the sandbox to take back.
import assert from "node:assert/strict";
import { checkUrl } from "../../../platform/network/url-policy.ts";
import { switchRemedies } from "../../../platform/sandbox/switch-remedies.ts";
import { type SandboxSwitches, SWITCHES_OFF } from "../../../platform/sandbox/switches.ts";
import type { RequestTrace } from "../../../protocol/run.ts";
import { formula, RUN_PACK, runsOfSuite } from "../../support/run-pack.ts";
import { OAUTH, shopOfSuite } from "../../support/shop.ts";

const URLS = {
  Other: "https://api.other.com/v1?a=b",
  Port: "https://other.com:8443/",
  Address: "https://10.0.0.1/",
  Plain: "http://other.com/",
  Declared: "http://api.good.com/",
  Redirected: "https://good.com/moved",
};

describe("The remedies of a run", function () {
  this.timeout(30_000);
  const { go, wire } = runsOfSuite(
    `${RUN_PACK}${Object.entries(URLS)
      .map(([name, url]) => `formula(${JSON.stringify(name)}, async (args: any, context: any) => get(context, ${JSON.stringify(url)}));`)
      .join("\n")}`,
  );
  const remediesOf = async (name: string) => {
    const { outcome } = await go(formula(name));
    assert.ok(outcome.status === "failed");
    return outcome.error;
  };

  it("an undeclared host offers to declare its domain", async () => {
    const { remedies, hint = "" } = await remediesOf("Other");
    assert.deepEqual(remedies, [{ kind: "addNetworkDomain", host: "api.other.com", label: "Add network domain" }]);
    assert.match(
      hint,
      /^The pack does not declare the domain of api\.other\.com\. Declare the domain of api\.other\.com with pack\.addNetworkDomain/,
    );
  });

  it("a redirect to an undeclared host hints at a sign-in page", async () => {
    wire.respond = (_request, response) => response.writeHead(302, { location: "https://login.other.com/?back=1" }).end();
    const { remedies, hint = "" } = await remediesOf("Redirected");
    assert.deepEqual(remedies, [{ kind: "addNetworkDomain", host: "login.other.com", label: "Add network domain" }]);
    assert.match(
      hint,
      /^A redirect led to login\.other\.com, .* If login\.other\.com is where people sign in, the API did not accept the credential: sign in again\. /,
    );
    assert.match(hint, /If the API answers from there, declare its domain with pack\.addNetworkDomain\.$/);
  });

  for (const name of ["Port", "Address", "Plain", "Declared"])
    it(`a URL that no domain would allow has no remedy: ${URLS[name as keyof typeof URLS]}`, async () => {
      assert.equal((await remediesOf(name)).remedies, undefined);
    });
});

describe("A request to this machine", () => {
  const step = (url: string, domain: string, allowLoopback = false): unknown => {
    const verdict = checkUrl(url, "GET", { domains: [domain], allowLoopback });
    return verdict.allowed ? undefined : verdict.nextStep;
  };

  it("a step allows it if the pack declares the machine as its domain", () => {
    assert.deepEqual(step("http://localhost:8080/me", "localhost"), { do: "allowLoopback" });
    assert.deepEqual(step("https://127.0.0.1/", "127.0.0.1"), { do: "allowLoopback" });
  });

  it("no step is named if it would not help", () => {
    assert.equal(step("http://localhost:8080/me", "localhost", true), undefined);
    assert.equal(step("http://localhost:8080/me", "good.com"), undefined);
    assert.equal(step("https://good.com:8080/me", "good.com"), undefined);
  });
});

describe("The remedies of a sign-in", function () {
  this.timeout(60_000);
  const { connected, open } = shopOfSuite();

  it("a getConnectionName that requests an undeclared host offers its domain", async () => {
    const name = `getConnectionName: async (context) => (await context.fetcher.fetch({ method: "GET", url: "https://api.other.example/me" })).body.name,`;
    const { signInNotes } = await connected(await open(`setUserAuthentication({ ${OAUTH} ${name} })`));
    assert.deepEqual((signInNotes[0]?.error as { remedies?: unknown } | undefined)?.remedies, [
      { kind: "addNetworkDomain", host: "api.other.example", label: "Add network domain" },
    ]);
  });
});

describe("The sandbox switches behind a failure", () => {
  const tracesWith = (status: number, sandbox = true) => [{ status, sandbox } as RequestTrace];
  const cases: readonly (readonly [string, Partial<SandboxSwitches>, string, readonly RequestTrace[], readonly string[]])[] = [
    ["a 429 of its switch", { api: "429" }, "StatusCodeError", tracesWith(429), ["api"]],
    ["a 500 of its switch", { api: "500" }, "StatusCodeError", tracesWith(500), ["api"]],
    ["a 429 without the switch", {}, "StatusCodeError", tracesWith(429), []],
    ["another failure", { api: "429" }, "StatusCodeError", tracesWith(404), []],
    ["a 429 of the real API", { api: "429" }, "StatusCodeError", tracesWith(429, false), []],
    ["a time limit of its slow API", { api: "slow" }, "time-limit", [], ["api"]],
    ["a refused token request", { token: "429" }, "token-exchange-failed", [], ["token"]],
    ["a refused refresh", { token: "429" }, "refresh-failed", [], ["token"]],
    ["a failure outside the token endpoint", { token: "429", clientAuthentication: "basic" }, "StatusCodeError", tracesWith(404), []],
    ["a client refused for its method", { clientAuthentication: "basic" }, "credentials-refused", [], ["clientAuthentication"]],
    ["a provider that refuses PKCE", { rejectPkce: true }, "authorization-denied", [], ["rejectPkce"]],
    ["a provider that grants fewer scopes", { grantFewer: true }, "StatusCodeError", tracesWith(403), ["grantFewer"]],
    ["a 404 with fewer scopes granted", { grantFewer: true }, "StatusCodeError", tracesWith(404), []],
    ["a provider that denies", { deny: true }, "authorization-denied", [], ["deny"]],
    ["a person who denies", {}, "authorization-denied", [], []],
  ];
  for (const [what, switches, code, requests, blamed] of cases)
    it(`${what} blames ${blamed[0] ?? "no switch"}`, () => {
      const remedies = switchRemedies({ ...SWITCHES_OFF, ...switches }, { code }, requests);
      assert.deepEqual(
        remedies.flatMap((remedy) => (remedy.kind === "resetSwitches" ? remedy.switches : [])),
        blamed,
      );
    });
});
