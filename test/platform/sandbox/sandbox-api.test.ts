// The sandbox's API over real HTTP: each type's credential where the configuration puts it, and nothing else, opens it.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { injectCredential } from "../../../platform/requests/inject.ts";
import { readBody } from "../../../platform/sandbox/read-body.ts";
import type { Credential } from "../../../platform/secrets/credential.ts";
import type { AuthenticationDefinition } from "../../../protocol/definition.ts";
import { sandboxOfSuite } from "../../support/open-packs.ts";
import { type Auth, auth, definition, oauth2, registered, removeStubsFiles, signIn, writeStubsFile } from "../../support/sandbox.ts";

const REQUEST_URL = "https://api.shop.example/orders?page=1";

/** What the platform itself sends for the credential. */
function injected(credential: Credential, shape: Auth): { url: string; headers: Readonly<Record<string, string>> } {
  return injectCredential({ method: "GET", url: REQUEST_URL, headers: {} }, credential, auth(shape), randomUUID()).request;
}

/** The same credential, every value of it another one. */
function wrong(credential: Credential): Credential {
  if (credential.kind === "token") return { ...credential, token: `${credential.token}x` };
  if (credential.kind === "values")
    return { ...credential, values: Object.fromEntries(Object.entries(credential.values).map(([key, value]) => [key, `${value}x`])) };
  if (credential.kind === "basic") return { ...credential, username: `${credential.username}x` };
  throw new Error(credential.kind);
}

describe("The sandbox's API", () => {
  const sandbox = sandboxOfSuite();
  after(removeStubsFiles);

  const named = (name: string) => ({ name, description: name });
  const types: readonly Auth[] = [
    { type: "HeaderBearerToken" },
    { type: "CustomHeaderToken", headerName: "X-Api-Key" },
    { type: "CustomHeaderToken", headerName: "X-Api-Key", tokenPrefix: "Key" },
    { type: "CustomHeaderToken", headerName: "Authorization", tokenPrefix: "Token" },
    { type: "CustomHeaderToken", headerName: "Authorization", tokenPrefix: " Bearer" },
    { type: "CustomHeaderToken", headerName: "Authorization", tokenPrefix: "Bearer " },
    { type: "QueryParamToken", paramName: "api_key" },
    { type: "MultiHeaderToken", headers: [named("X-App"), { ...named("X-Key"), tokenPrefix: "Key" }] },
    { type: "MultiQueryParamToken", params: [named("app"), named("key")] },
    { type: "WebBasic" },
    { type: "WebBasic", uxConfig: { usernameOnly: true } },
  ];
  it("platform files and hosts outside networkDomain need no credential", async () => {
    const pack = await registered(sandbox, definition({ type: "HeaderBearerToken", networkDomain: "shop.example" }));
    for (const url of ["https://codahosted.io/docs/x/blobs/y", "https://files.example/x"]) assert.equal((await pack.api(url)).status, 200);
    assert.equal((await pack.api(REQUEST_URL)).status, 401);
  });

  for (const shape of types) {
    const { type, ...fields } = shape;
    it(`${type} ${JSON.stringify(fields)} accepts only its own credential and masks it in the echo`, async () => {
      const pack = await registered(sandbox, definition(shape));
      const { credential } = pack.user;
      assert.ok(credential);
      const request = injected(credential, shape);
      const apiResponse = await pack.api(request.url, { headers: request.headers });
      assert.equal(apiResponse.status, 200, JSON.stringify(apiResponse.body));
      assert.equal((apiResponse.body as { sandbox: string }).sandbox, "echo");
      assert.match((apiResponse.body as { url: string }).url, /^https:\/\/api\.shop\.example\/orders\?(?:.*&)?page=1(?:&|$)/);
      const secrets =
        credential.kind === "token"
          ? [credential.token]
          : credential.kind === "values"
            ? Object.values(credential.values)
            : credential.kind === "basic"
              ? [credential.password || credential.username]
              : [];
      assert.ok(secrets.length > 0);
      const bodyText = JSON.stringify(apiResponse.body);
      assert.match(bodyText, /••••/);
      for (const secret of secrets) {
        assert.ok(!bodyText.includes(secret), bodyText);
        assert.ok(!bodyText.includes(Buffer.from(secret).toString("base64").slice(4, -4)), bodyText);
      }
      const wrongRequest = injected(wrong(credential), shape);
      for (const attempt of [{ url: REQUEST_URL, headers: {} }, wrongRequest]) {
        const no = await pack.api(attempt.url, { headers: attempt.headers });
        assert.equal(no.status, 401);
        assert.ok(no.headers.get("www-authenticate"));
        assert.match(JSON.stringify(no.body), /sandbox did not find the credential: the (header|query parameter)/);
      }
    });
  }

  it("types with several headers or parameters need all of them", async () => {
    for (const shape of types.filter(({ type }) => type.startsWith("Multi"))) {
      const pack = await registered(sandbox, definition(shape));
      const { credential } = pack.user;
      assert.ok(credential?.kind === "values");
      for (const left of Object.keys(credential.values)) {
        const request = injected({ ...credential, values: { ...credential.values, [left]: "other" } }, shape);
        assert.equal((await pack.api(request.url, { headers: request.headers })).status, 401, left);
      }
    }
  });

  for (const own of [
    {},
    { tokenPrefix: "token" },
    { tokenPrefix: "" },
    { tokenPrefix: " " },
    { tokenPrefix: " token" },
    { tokenQueryParam: "oauth_token" },
  ] as Partial<AuthenticationDefinition>[]) {
    it(`OAuth2 ${JSON.stringify(own)} accepts an issued token only there and masks it in the echo`, async () => {
      const shape = oauth2(own);
      const pack = await registered(sandbox, definition(shape));
      const { access_token: accessToken } = await signIn(pack, shape);
      const request = injected({ kind: "oauth2", accessToken }, shape);
      const apiResponse = await pack.api(request.url, { headers: request.headers });
      assert.equal(apiResponse.status, 200, JSON.stringify(apiResponse.body));
      assert.ok(!JSON.stringify(apiResponse.body).includes(accessToken));
      const unknown = injected(
        { kind: "oauth2", accessToken: `${accessToken.slice(0, -1)}${accessToken.endsWith("_") ? "-" : "_"}` },
        shape,
      );
      assert.equal((await pack.api(unknown.url, { headers: unknown.headers })).status, 401);
      const elsewhere = own.tokenQueryParam ? { authorization: `Bearer ${accessToken}` } : { authorization: `Elsewhere ${accessToken}` };
      assert.equal((await pack.api(REQUEST_URL, { headers: elsewhere })).status, 401);
    });
  }

  it("Custom accepts a value anywhere and refuses wrong values and raw placeholders", async () => {
    const pack = await registered(sandbox, definition({ type: "Custom", params: [named("site"), named("apiKey")] }));
    const { credential } = pack.user;
    assert.ok(credential?.kind === "values");
    const { site = "", apiKey = "" } = credential.values;
    assert.match(site, /^[a-z0-9-]{1,63}$/);
    const good: readonly (readonly [string, RequestInit])[] = [
      [`https://${site}.shop.example/orders`, {}],
      [`https://api.shop.example/orders?key=${apiKey}`, {}],
      [`https://api.shop.example/${apiKey}/orders`, {}],
      ["https://api.shop.example/orders", { headers: { "x-key": apiKey } }],
      ["https://api.shop.example/orders", { method: "POST", body: JSON.stringify({ apiKey }) }],
      ["https://api.shop.example/orders", { method: "POST", body: new URLSearchParams({ apiKey, text: "{{greeting}}, {{ name }}" }) }],
    ];
    for (const [url, init] of good) assert.equal((await pack.api(url, init)).status, 200, url);
    const placeholder = `{{apiKey-${randomUUID()}}}`;
    const bad: readonly (readonly [string, RequestInit])[] = [
      ["https://api.shop.example/orders", {}],
      ["https://api.shop.example/orders?key=other", { headers: { "x-key": "sandbox-value-0" } }],
      [`https://${site}.shop.example/orders?key=${placeholder}`, {}],
      [`https://${site}.shop.example/orders`, { headers: { "x-key": placeholder } }],
      [`https://${site}.shop.example/orders`, { method: "POST", body: JSON.stringify({ key: `{{typo-${randomUUID()}}}` }) }],
      [`https://${site}.shop.example/orders`, { method: "POST", body: "{{apiKey}}" }],
    ];
    for (const [url, init] of bad) assert.equal((await pack.api(url, init)).status, 401, `${url} ${JSON.stringify(init)}`);
  });

  it("a pack without authentication, or None, is answered without a credential", async () => {
    for (const shape of [undefined, { type: "None" }])
      assert.equal((await (await registered(sandbox, definition(shape))).api(REQUEST_URL)).status, 200);
  });

  it("a type that cannot be checked is refused with the reason", async () => {
    const pack = await registered(sandbox, definition({ type: "GoogleServiceAccount" }));
    const apiResponse = await pack.api(REQUEST_URL);
    assert.equal(apiResponse.status, 401);
    assert.match(JSON.stringify(apiResponse.body), /GoogleServiceAccount cannot be checked in the sandbox/);
  });

  it("domains outside networkDomain need no credential", async () => {
    const shape: Auth = { type: "HeaderBearerToken", networkDomain: ["shop.example"] };
    const pack = await registered(sandbox, definition(shape, { networkDomains: ["shop.example", "cdn.example"] }));
    assert.equal((await pack.api("https://cdn.example/logo.png")).status, 200);
    assert.equal((await pack.api("https://api.shop.example/")).status, 401);
    assert.equal((await pack.api("https://evilshop.example/")).status, 200);
  });

  it("other domains than endpointDomain or the endpoint need no credential", async () => {
    const shapes: readonly Partial<AuthenticationDefinition>[] = [{ endpointDomain: "shop.example" }, { requiresEndpointUrl: true }];
    for (const shape of shapes) {
      const own = definition({ type: "HeaderBearerToken", ...shape }, { networkDomains: ["shop.example", "cdn.example"] });
      const pack = await registered(sandbox, own);
      assert.equal((await pack.api("https://cdn.example/logo.png")).status, 200, JSON.stringify(shape));
      assert.equal((await pack.api("https://sandbox.shop.example/")).status, 401);
    }
  });

  it("answers come from the current sandbox.json, with a credential unless authenticate is false", async () => {
    const file = writeStubsFile({
      answers: [
        { request: "GET https://api.shop.example/status", authenticate: false, body: "up" },
        { request: "POST https://api.shop.example/orders", status: 201, headers: { "X-Id": "7", "Content-Length": "1" }, body: { id: 7 } },
        { request: "DELETE https://api.shop.example/orders/*", status: 204 },
        { request: "GET https://api.shop.example/page", headers: { "content-type": "text/html" }, body: "<p>" },
        { request: "GET https://api.shop.example/nothing", body: null },
        { request: "GET https://api.shop.example/old", status: 302, headers: { location: "https://api.shop.example/status" } },
      ],
    });
    const pack = await sandbox
      .register({
        entry: "/packs/answers/pack.ts",
        name: "answers",
        definition: definition({ type: "HeaderBearerToken" }),
        stubsFile: file,
      })
      .then((response) => ({ response, token: response.user?.credential?.kind === "token" ? response.user.credential.token : "" }));
    const ask = async (method: string, path: string, authenticated = true) => {
      const headers = authenticated ? { authorization: `Bearer ${pack.token}` } : {};
      const fetchResponse = await fetch(`${pack.response.origin}/api.shop.example${path}`, { method, headers, redirect: "manual" });
      return {
        status: fetchResponse.status,
        type: fetchResponse.headers.get("content-type"),
        text: await fetchResponse.text(),
        headers: fetchResponse.headers,
      };
    };
    assert.deepEqual(pick(await ask("GET", "/status", false)), [200, "text/plain; charset=utf-8", "up"]);
    assert.equal((await ask("POST", "/orders", false)).status, 401);
    const created = await ask("POST", "/orders");
    assert.deepEqual(pick(created), [201, "application/json", '{"id":7}']);
    assert.equal(created.headers.get("x-id"), "7");
    assert.deepEqual(pick(await ask("DELETE", "/orders/7")), [204, null, ""]);
    assert.deepEqual(pick(await ask("GET", "/page")), [200, "text/html", "<p>"]);
    assert.deepEqual(pick(await ask("GET", "/nothing")), [200, "application/json", "null"]);
    assert.equal((await ask("GET", "/old")).headers.get("location"), "https://api.shop.example/status");
    writeFileSync(file, JSON.stringify({ answers: [{ request: "GET https://api.shop.example/status", body: "down" }] }));
    assert.deepEqual(pick(await ask("GET", "/status")), [200, "text/plain; charset=utf-8", "down"]);
    writeFileSync(file, "{");
    const broken = await ask("GET", "/status");
    assert.equal(broken.status, 500);
    assert.match(broken.text, /sandbox\.json, line 1: this is not valid JSON/);
  });

  it("the echo repeats any body and any URL whole", async () => {
    const pack = await registered(sandbox, definition(undefined));
    const body = 'ü "quoted" \u0000 %zz';
    const apiResponse = await pack.api("https://api.shop.example/a%zz/%E0%A4%A?q=%", { method: "PATCH", body });
    assert.equal(apiResponse.status, 200);
    assert.equal((apiResponse.body as { method: string }).method, "PATCH");
    assert.equal((apiResponse.body as { body: string }).body, body);
    const refusal = await pack.api("https://api.shop.example/", { method: "PUT", body: "x".repeat(33 * 1024 * 1024) });
    assert.equal(refusal.status, 500);
    assert.match(JSON.stringify(refusal.body), /larger than the sandbox takes \(32 MiB\)/);
    assert.equal((await pack.api("https://api.shop.example/")).status, 200);
  });

  it("an oversized body is read to its end before the refusal", async () => {
    const piece = Buffer.alloc(1024 * 1024);
    let pieceCount = 0;
    const pieces = function* () {
      for (; pieceCount < 40; pieceCount++) yield piece;
    };
    await assert.rejects(readBody(Readable.from(pieces()) as IncomingMessage), { code: "sandbox-failed", message: /32 MiB/ });
    assert.equal(pieceCount, 40);
  });

  it("requests under another host name or path are refused", async () => {
    const pack = await registered(sandbox, definition(undefined));
    const { request } = await import("node:http");
    const status = await new Promise<number | undefined>((resolve, reject) =>
      request(`${pack.origin}/api.shop.example/`, { headers: { host: "evil.example" } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end(),
    );
    assert.equal(status, 421);
    for (const path of ["/", "//x", "/a b%/"]) assert.equal((await fetch(`${pack.origin}${path}`)).status, 404, path);
  });
});

const pick = (apiResponse: { status: number; type: string | null; text: string }) => [
  apiResponse.status,
  apiResponse.type,
  apiResponse.text,
];
