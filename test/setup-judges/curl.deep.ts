// curlconverter reads each fixture too: its method, URL, headers and account are those that set-up reads.
import assert from "node:assert/strict";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readCommand } from "../../platform/setup/curl/command.ts";
import { OPTIONS } from "../../platform/setup/curl/options.ts";
import { curlArguments } from "../../platform/setup/curl/words.ts";
import { installFolder } from "../../scripts/npm-packages.ts";
import { CURL_FIXTURES } from "../support/curl-fixtures.ts";
import { root } from "../support/packs.ts";

/** What both readers say of a request. */
interface Reading {
  readonly method: string;
  readonly url: string;
  readonly query: readonly (readonly string[])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly account: string | undefined;
}

/** The output of curlconverter for JSON. */
interface Converted {
  readonly raw_url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth?: { readonly user: string; readonly password: string };
}

/** What curlconverter cannot read, and set-up does. */
const UNREADABLE_TO_JUDGE: readonly string[] = ["a Bearer token", "a Bearer token in a variable", "Chrome's form for cmd.exe"];

/** A variable or the output of a command, however it is written. */
const withoutVariables = (text: string): string => text.replaceAll(/\0\w+\0|\$\([^)]*\)|\$\{?\w+\}?/g, "…");

function reading(method: string, address: string, headers: readonly (readonly [string, string])[], account: string | undefined): Reading {
  const [url = "", query = ""] = withoutVariables(address)
    .replace(/^https?:\/\/(?:[^/@]*@)?/, "")
    .split("?");
  return {
    method: method.toUpperCase(),
    url,
    query: [...new URLSearchParams(query)],
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), withoutVariables(value)])),
    account: account === undefined ? undefined : withoutVariables(account),
  };
}

function ours(command: string): Reading {
  const { method, url, headers, user, bearer, body } = readCommand(curlArguments(command));
  const inUrl = /^https?:\/\/([^/@]*)@/.exec(url)?.[1];
  return reading(
    method,
    url,
    [
      ...headers.map(({ name, value }) => [name, value] as const),
      ...(bearer === undefined ? [] : [["Authorization", `Bearer ${bearer}`] as const]),
      // The judge names the type of a body that is in a file, of which set-up reads nothing.
      ...(body === undefined && method === "POST" ? [["Content-Type", "application/x-www-form-urlencoded"] as const] : []),
    ],
    user ?? inUrl,
  );
}

describe("curlconverter, a reader of cURL commands that others wrote", function () {
  this.timeout(120_000);
  let toJsonString: (command: string) => string;
  let judged = 0;

  before(async () => {
    assert.ok(await installFolder("test/setup-judges"));
    const entry = join(root, "test/setup-judges/node_modules/curlconverter/dist/src/index.js");
    ({ toJsonString } = (await import(pathToFileURL(entry).href)) as { toJsonString: typeof toJsonString });
  });

  for (const [name, { command, outcome }] of Object.entries(CURL_FIXTURES)) {
    if (outcome.startsWith("unreadable") || UNREADABLE_TO_JUDGE.includes(name)) continue;
    it(`${name} is read alike`, () => {
      const { method, raw_url, headers = {}, auth } = JSON.parse(toJsonString(command)) as Converted;
      const account = auth === undefined ? undefined : `${auth.user}:${auth.password}`;
      assert.deepEqual(ours(command), reading(method, raw_url, Object.entries(headers), account));
      judged++;
    });
  }

  it("each option of curl that the judge lists is listed, and has an argument in both lists or in none", async () => {
    const entry = join(root, "test/setup-judges/node_modules/curlconverter/dist/src/curl/opts.js");
    const { curlLongOpts, curlShortOpts } = (await import(pathToFileURL(entry).href)) as {
      readonly curlLongOpts: Readonly<
        Record<string, { readonly type: "string" | "bool"; readonly removed?: string; readonly expand?: false }>
      >;
      readonly curlShortOpts: Readonly<Record<string, string>>;
    };
    // Options of debug builds, and former names.
    const former = new Set("wdebug test-event krb4 ftp-ssl ftp-ssl-reqd".split(" "));
    const long = Object.entries(curlLongOpts).filter(
      ([name, { removed, expand }]) => removed === undefined && expand === undefined && !former.has(name),
    );
    assert.ok(long.length > 200, `${long.length}`);
    assert.deepEqual(
      long.filter(([name, { type }]) => OPTIONS.get(`--${name}`)?.hasArgument !== (type === "string")).map(([name]) => name),
      [],
    );
    assert.deepEqual(
      Object.entries(curlShortOpts).filter(([short, name]) => OPTIONS.get(`-${short}`)?.name !== `--${name}`),
      [],
    );
  });

  it("most fixtures are judged", () => assert.ok(judged >= 50, `${judged}`));

  it("commands that the judge cannot read are no others than these", () => {
    for (const name of UNREADABLE_TO_JUDGE) assert.throws(() => toJsonString(CURL_FIXTURES[name]?.command ?? ""), name);
  });
});
