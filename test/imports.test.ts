// The walls of the house: which room may import which (ARCHITECTURE.md), and no path of anyone's machine in the sources.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, normalize } from "node:path";
import { ts } from "ts-morph";
import { root } from "./support/packs.ts";

const tracked = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  .stdout.split("\n")
  .filter(Boolean);

/** The room of a file: the longest prefix that the table knows. */
const ROOMS = [
  "spec",
  "protocol",
  "server/analysis",
  "server",
  "platform/runner",
  "platform",
  "client/webview",
  "client",
  "cli",
  "launch",
] as const;
type Room = (typeof ROOMS)[number];

interface Walls {
  readonly rooms: readonly Room[];
  /** Packages; "node" stands for Node's own modules. */
  readonly packages: readonly string[];
}

const WALLS: Readonly<Record<Room, Walls>> = {
  spec: { rooms: ["spec"], packages: [] },
  protocol: { rooms: ["protocol"], packages: [] },
  "server/analysis": { rooms: ["server/analysis", "spec", "protocol"], packages: ["ts-morph", "jsonc-parser"] },
  server: { rooms: ["server", "server/analysis", "spec", "protocol"], packages: ["node", "vscode-languageserver"] },
  "platform/runner": { rooms: ["platform/runner", "protocol"], packages: ["node"] },
  platform: {
    rooms: ["platform", "spec", "protocol"],
    packages: [
      "node",
      "esbuild",
      "oauth4webapi",
      "@smithy/signature-v4",
      "@aws-crypto/sha256-js",
      "fast-xml-parser",
      "proper-lockfile",
      "oidc-provider",
      "@jridgewell/trace-mapping",
      "jsonc-parser",
      "undici",
    ],
  },
  "client/webview": { rooms: ["client/webview", "protocol"], packages: ["lit", "@vscode-elements/elements"] },
  client: { rooms: ["client", "platform", "spec", "protocol"], packages: ["node", "vscode", "vscode-languageclient"] },
  cli: {
    rooms: ["cli", "platform", "server/analysis", "spec", "protocol"],
    packages: ["node", "picomatch", "undici", "@napi-rs/keyring"],
  },
  launch: { rooms: ["launch"], packages: ["node"] },
};

const roomOf = (path: string): Room | undefined => ROOMS.find((room) => path.startsWith(`${room}/`));

export function importsOf(source: string): readonly string[] {
  return ts.preProcessFile(source, true, true).importedFiles.map((file) => file.fileName);
}

/** Why the import may not stand there; undefined where it may. */
export function breach(file: string, specifier: string): string | undefined {
  const room = roomOf(file);
  if (room === undefined) return undefined;
  const walls = WALLS[room];
  if (specifier.startsWith(".")) {
    const target = normalize(join(dirname(file), specifier)).replaceAll("\\", "/");
    const to = roomOf(target);
    return to !== undefined && walls.rooms.includes(to) ? undefined : `${file} (${room}) imports ${target}`;
  }
  const isNode = specifier.startsWith("node:") || builtinModules.includes(specifier);
  const allowed = walls.packages.some((name) => (name === "node" ? isNode : specifier === name || specifier.startsWith(`${name}/`)));
  return allowed ? undefined : `${file} (${room}) imports ${specifier}`;
}

describe("the walls of the house", () => {
  const sources = tracked.filter((path) => /\.ts$/.test(path) && !path.endsWith(".d.ts"));

  it("every source stands in a known room", () => {
    const elsewhere = sources.filter((path) => roomOf(path) === undefined && !/^(test|scripts|examples)\//.test(path));
    assert.deepEqual(elsewhere, []);
  });

  it("no room imports what it may not", () => {
    const breaches = sources.flatMap((file) => {
      // Types for tools that the host gives do not count as imports at run time, but rooms do: all are looked at.
      return importsOf(readFileSync(join(root, file), "utf8")).flatMap((specifier) => breach(file, specifier) ?? []);
    });
    assert.deepEqual(breaches, []);
  });

  it("the check itself finds breaches", () => {
    assert.ok(breach("client/x.ts", "../server/main.ts"));
    assert.ok(breach("platform/x.ts", "vscode"));
    assert.ok(breach("platform/runner/x.ts", "../broker.ts"));
    assert.ok(breach("server/analysis/x.ts", "node:fs"));
    assert.ok(breach("client/webview/x.ts", "node:fs"));
    assert.equal(breach("client/x.ts", "../platform/run.ts"), undefined);
    assert.deepEqual(importsOf('import type { A } from "./a.ts";\nexport * from "b";\nimport "c";\nconst d = await import("d");'), [
      "./a.ts",
      "b",
      "c",
      "d",
    ]);
  });

  it("names no path of anyone's machine and no registry", () => {
    const found = tracked
      .filter((path) => /\.(ts|cjs|mjs|js|json|md|yml|css)$/.test(path) && path !== "test/imports.test.ts")
      .filter((path) =>
        /(^|[^A-Za-z0-9_.])\/(work|home|Users|root)\/[a-z]|registry\.npmjs|\/tmp\//.test(readFileSync(join(root, path), "utf8")),
      );
    assert.deepEqual(found, []);
  });
});
