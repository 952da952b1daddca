// The walls of the house: which room may import which. A test holds the sources to them, and ARCHITECTURE.md's picture is drawn of them.

/** A file's room is the first of these that it stands in, or is. */
export const ROOMS = [
  "base",
  "spec",
  "protocol",
  "server/analysis/typescript.ts",
  "server/analysis/wrap.ts",
  "server/analysis/rule.ts",
  "server/analysis/model",
  "server/analysis/text",
  "server/analysis/syntax",
  "server/analysis/modules",
  "server/analysis/domains",
  "server/analysis/configuration",
  "server/analysis/pack",
  "server/analysis/requests",
  "server/analysis/source",
  "server/analysis/settings",
  "server/analysis/rules",
  "server/analysis/checking",
  "server/analysis/answers",
  "server/analysis/features",
  "server/analysis",
  "server",
  "platform/runner",
  "platform",
  "client/webview",
  "client",
  "cli",
  "launch",
] as const;
export type Room = (typeof ROOMS)[number];

interface Walls {
  readonly rooms: readonly Room[];
  /** Packages; "node" stands for Node's own modules. */
  readonly packages: readonly string[];
}

/** Gives messages in the user's language; whoever writes one imports it. */
const MESSAGES = "@vscode/l10n";

/** What everyone may import: helpers, the authentication model, and the types of the boundaries. */
const MODEL = ["base", "spec", "protocol"] as const satisfies readonly Room[];

const ANALYSIS = ROOMS.filter((room) => room.startsWith("server/analysis"));

/** A room of the analysis: what of it may be imported there. All may import types of ts-morph. */
const analysis = (...rooms: readonly string[]): Walls => ({
  rooms: [...MODEL, ...ANALYSIS.filter((room) => rooms.some((name) => room === `server/analysis/${name}`))],
  packages: [MESSAGES],
});

export const WALLS: Readonly<Record<Room, Walls>> = {
  base: { rooms: ["base"], packages: [] },
  spec: { rooms: ["spec", "base"], packages: [MESSAGES] },
  protocol: { rooms: ["protocol", "spec", "base"], packages: [MESSAGES] },
  "server/analysis/typescript.ts": { rooms: [], packages: ["ts-morph"] },
  "server/analysis/wrap.ts": { rooms: [], packages: ["ts-morph"] },
  "server/analysis/rule.ts": analysis("model", "configuration", "requests"),
  "server/analysis/model": analysis("model"),
  "server/analysis/text": analysis("text", "model", "typescript.ts"),
  "server/analysis/syntax": analysis("syntax", "model", "text", "typescript.ts"),
  "server/analysis/modules": {
    ...analysis("modules", "model", "text", "syntax", "typescript.ts"),
    packages: ["jsonc-parser", MESSAGES],
  },
  "server/analysis/domains": analysis("domains", "model"),
  "server/analysis/configuration": analysis("configuration", "model", "text", "syntax", "modules", "domains"),
  "server/analysis/pack": analysis("pack", "model", "text", "syntax", "modules", "configuration", "typescript.ts"),
  "server/analysis/requests": analysis("requests", "model", "syntax", "domains", "configuration", "pack"),
  "server/analysis/source": analysis("source", "model", "text", "syntax", "modules"),
  "server/analysis/settings": { ...analysis("settings", "model", "text", "modules"), packages: ["jsonc-parser", MESSAGES] },
  "server/analysis/rules": analysis(
    "rules",
    "rule.ts",
    "model",
    "text",
    "syntax",
    "modules",
    "domains",
    "configuration",
    "pack",
    "requests",
  ),
  "server/analysis/checking": analysis(
    "checking",
    "rule.ts",
    "rules",
    "model",
    "text",
    "modules",
    "configuration",
    "pack",
    "requests",
    "settings",
  ),
  "server/analysis/answers": analysis("answers", "syntax", "text", "modules", "typescript.ts"),
  "server/analysis/features": { rooms: [...MODEL, ...ANALYSIS], packages: [MESSAGES] },
  "server/analysis": { rooms: [...MODEL, ...ANALYSIS], packages: [MESSAGES] },
  server: {
    rooms: ["server", ...ANALYSIS, ...MODEL],
    packages: ["node", "vscode-languageserver", "vscode-languageserver-textdocument", MESSAGES],
  },
  "platform/runner": { rooms: ["platform/runner", "protocol", "base"], packages: ["node"] },
  platform: {
    rooms: ["platform", ...MODEL],
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
      "@modelcontextprotocol/client",
      "@cfworker/json-schema",
      "zod",
      MESSAGES,
    ],
  },
  "client/webview": { rooms: ["client/webview", "protocol", "base"], packages: ["lit", "@vscode-elements/elements", MESSAGES] },
  client: { rooms: ["client", "platform", ...MODEL], packages: ["node", "vscode", "vscode-languageclient", MESSAGES] },
  cli: {
    rooms: ["cli", "platform", ...ANALYSIS, ...MODEL],
    packages: ["node", "picomatch", "undici", "@napi-rs/keyring"],
  },
  launch: { rooms: ["launch"], packages: ["node"] },
};
