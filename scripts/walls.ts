// The walls of the house: which room may import which. A test checks the sources against them, and ARCHITECTURE.md's picture shows them.

/** A file belongs to the first of these rooms that contains or is the file. */
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
  "server/analysis/responses",
  "server/analysis/features",
  "server/analysis",
  "server",
  "platform/runner",
  "platform/files",
  "platform/child-process",
  "platform/secrets",
  "platform/bodies",
  "platform/network",
  "platform/diagnosis",
  "platform/accounts",
  "platform/oauth",
  "platform/aws",
  "platform/requests",
  "platform/evidence",
  "platform/bundle",
  "platform/process",
  "platform/mcp",
  "platform/runs",
  "platform/sandbox",
  "platform/connect",
  "platform/recordings",
  "platform/drill",
  "platform/setup",
  "platform/team",
  "platform/public-api",
  "platform/upload",
  "platform/production",
  "platform/preflight",
  "platform",
  "operations",
  "agents",
  "client/webview",
  "client/shown",
  "client/window",
  "client/packs",
  "client/services.ts",
  "client/accounts",
  "client/agents",
  "client/commands",
  "client/debugging",
  "client/lenses",
  "client/panel",
  "client/preflight",
  "client/production",
  "client/setup",
  "client/testing",
  "client/views",
  "client",
  "cli/terminal",
  "cli/sources",
  "cli/frame",
  "cli/accounts",
  "cli/check",
  "cli/run",
  "cli/test",
  "cli/publishing",
  "cli/init",
  "cli/mcp",
  "cli",
  "launch",
] as const;
export type Room = (typeof ROOMS)[number];

interface Walls {
  readonly rooms: readonly Room[];
  /** Names of packages; "node" means Node's own modules. */
  readonly packages: readonly string[];
}

/** The rooms that every room may import: helpers, the authentication model, and the types of the boundaries. */
const MODEL = ["base", "spec", "protocol"] as const satisfies readonly Room[];

const ANALYSIS = ROOMS.filter((room) => room.startsWith("server/analysis"));

const wordsOf = (text: string): readonly string[] => text.split(" ").filter(Boolean);

/** Returns rooms of a part of the house by their names, with a space between them. Throws if there is no such room. */
const roomsIn = (part: string, names: string): readonly Room[] =>
  wordsOf(names).map((name) => {
    const room = ROOMS.find((each) => each === `${part}/${name}`);
    if (room === undefined) throw new Error(`There is no room ${part}/${name}.`);
    return room;
  });

/** A room of the analysis, with the other rooms of the analysis that it may import. Every room may import types of ts-morph. */
const analysis = (rooms: string): Walls => ({ rooms: [...MODEL, ...roomsIn("server/analysis", rooms)], packages: [] });

const PLATFORM = ROOMS.filter((room) => room.startsWith("platform") && room !== "platform/runner");

/** A room of the platform, with the other rooms of the platform and the additional packages that it may import. */
const platform = (rooms: string, packages = ""): Walls => ({
  rooms: [...MODEL, "platform", ...roomsIn("platform", rooms)],
  packages: ["node", ...wordsOf(packages)],
});

/** What a host may import. */
const HOST = [...MODEL, ...PLATFORM, "operations", "agents"] as const satisfies readonly Room[];

const CLIENT = ROOMS.filter((room) => room.startsWith("client") && room !== "client/webview");

/** A room of the client, with the other rooms of the client and the additional packages that it may import. */
const client = (rooms: string, packages = ""): Walls => ({
  rooms: [...HOST, ...roomsIn("client", rooms)],
  packages: ["node", "vscode", ...wordsOf(packages)],
});

const CLI = ROOMS.filter((room) => room.startsWith("cli/") || room === "cli");

/** A room of the command line, with the other rooms of it and the additional packages that it may import. It reads sources in its process. */
const cli = (rooms: string, packages = ""): Walls => ({
  rooms: [...HOST, ...ANALYSIS, ...roomsIn("cli", rooms)],
  packages: ["node", ...wordsOf(packages)],
});

export const WALLS: Readonly<Record<Room, Walls>> = {
  base: { rooms: ["base"], packages: [] },
  spec: { rooms: ["spec", "base"], packages: [] },
  protocol: { rooms: ["protocol", "spec", "base"], packages: [] },
  "server/analysis/typescript.ts": { rooms: [], packages: ["ts-morph"] },
  "server/analysis/wrap.ts": { rooms: [], packages: ["ts-morph"] },
  "server/analysis/rule.ts": analysis("model configuration requests"),
  "server/analysis/model": analysis("model"),
  "server/analysis/text": analysis("text model typescript.ts"),
  "server/analysis/syntax": analysis("syntax model text typescript.ts"),
  "server/analysis/modules": { ...analysis("modules model text syntax typescript.ts"), packages: ["jsonc-parser"] },
  "server/analysis/domains": analysis("domains model"),
  "server/analysis/configuration": analysis("configuration model text syntax modules domains"),
  "server/analysis/pack": analysis("pack model text syntax modules configuration typescript.ts"),
  "server/analysis/requests": analysis("requests model syntax domains configuration pack"),
  "server/analysis/source": analysis("source model text syntax modules"),
  "server/analysis/settings": { ...analysis("settings model text modules"), packages: ["ignore", "jsonc-parser", "picomatch"] },
  "server/analysis/rules": analysis("rules rule.ts model text syntax modules domains configuration pack requests"),
  "server/analysis/checking": analysis("typescript.ts checking rule.ts rules model text modules configuration pack requests settings"),
  "server/analysis/responses": analysis("responses syntax text modules typescript.ts"),
  "server/analysis/features": { rooms: [...MODEL, ...ANALYSIS], packages: [] },
  "server/analysis": { rooms: [...MODEL, ...ANALYSIS.filter((room) => room !== "server/analysis/features")], packages: [] },
  server: { rooms: ["server", ...ANALYSIS, ...MODEL], packages: ["node", "vscode-languageserver", "vscode-languageserver-textdocument"] },
  "platform/runner": { rooms: ["platform/runner", "protocol", "base"], packages: ["node"] },
  "platform/files": platform("files", "proper-lockfile"),
  "platform/child-process": platform("child-process files"),
  "platform/secrets": platform("secrets files"),
  "platform/bodies": platform("bodies secrets", "fast-xml-parser jsonc-parser"),
  "platform/network": platform("network"),
  "platform/diagnosis": platform("diagnosis secrets bodies network"),
  "platform/accounts": platform("accounts files secrets network"),
  "platform/oauth": platform("diagnosis oauth files secrets bodies network accounts", "oauth4webapi"),
  "platform/aws": platform("diagnosis aws secrets network", "@smithy/signature-v4 @aws-crypto/sha256-js fast-xml-parser"),
  "platform/requests": platform("diagnosis requests secrets bodies network accounts oauth aws", "undici"),
  "platform/evidence": platform("diagnosis evidence files network accounts oauth requests"),
  "platform/bundle": platform("bundle files child-process", "esbuild @jridgewell/trace-mapping jsonc-parser picomatch"),
  "platform/process": platform("process files child-process bodies accounts bundle"),
  "platform/mcp": platform("diagnosis mcp bodies network process", "@modelcontextprotocol/client @cfworker/json-schema zod"),
  "platform/runs": platform("diagnosis runs secrets bodies network accounts oauth requests process mcp"),
  "platform/sandbox": platform(
    "sandbox files child-process secrets bodies network accounts oauth aws requests bundle runs",
    "jsonc-parser oidc-provider",
  ),
  "platform/connect": platform(
    "diagnosis connect files secrets network accounts oauth requests evidence process runs sandbox",
    "oauth4webapi",
  ),
  "platform/recordings": platform("diagnosis recordings files secrets bodies network accounts aws requests bundle process runs sandbox"),
  "platform/drill": platform("drill process runs sandbox connect"),
  "platform/setup": platform(
    "setup files secrets bodies network diagnosis accounts oauth bundle process runs sandbox connect",
    "js-yaml shell-quote",
  ),
  "platform/team": platform("team files child-process secrets network accounts"),
  "platform/public-api": platform("diagnosis public-api files secrets bodies network accounts"),
  "platform/upload": platform(
    "diagnosis upload public-api files child-process secrets bodies network accounts bundle process",
    "@jridgewell/trace-mapping esbuild",
  ),
  "platform/production": platform(
    "production public-api upload files secrets network diagnosis accounts oauth requests evidence bundle process sandbox drill",
  ),
  "platform/preflight": platform(
    "preflight public-api production files secrets network accounts evidence bundle process runs recordings drill",
  ),
  platform: { rooms: ["platform", ...MODEL], packages: [] },
  operations: { rooms: ["operations", ...PLATFORM, ...MODEL], packages: ["node", "zod"] },
  agents: { rooms: ["agents", "operations", ...PLATFORM, ...MODEL], packages: ["node", "jsonc-parser", "zod"] },
  "client/webview": { rooms: ["client/webview", "protocol", "base"], packages: ["lit", "@vscode-elements/elements"] },
  "client/shown": client("shown"),
  "client/window": client("shown window", "vscode-languageclient"),
  "client/packs": client("window packs"),
  "client/services.ts": client("window packs"),
  "client/accounts": client("shown window services.ts accounts"),
  "client/agents": client("shown window packs services.ts accounts agents"),
  "client/commands": client("shown window packs services.ts accounts agents commands"),
  "client/debugging": client("shown window debugging"),
  "client/lenses": client("shown window services.ts accounts lenses"),
  "client/panel": client("shown window packs services.ts accounts commands debugging panel"),
  "client/preflight": client("shown window services.ts commands panel preflight"),
  "client/production": client("shown services.ts production"),
  "client/setup": client("shown window services.ts commands panel setup"),
  "client/testing": client("shown packs services.ts commands debugging testing"),
  "client/views": client("shown window services.ts accounts commands panel production views"),
  client: { rooms: [...HOST, ...CLIENT], packages: ["node", "vscode"] },
  "cli/terminal": cli("terminal", "undici @napi-rs/keyring"),
  "cli/sources": cli("terminal sources", "picomatch"),
  "cli/frame": cli("terminal sources frame", "zod"),
  "cli/accounts": cli("terminal frame accounts"),
  "cli/check": cli("terminal sources frame check"),
  "cli/run": cli("terminal sources frame run"),
  "cli/test": cli("terminal frame test"),
  "cli/publishing": cli("terminal frame publishing"),
  "cli/init": cli("terminal frame accounts init"),
  "cli/mcp": cli("terminal sources frame mcp", "zod @modelcontextprotocol/server"),
  cli: { rooms: [...HOST, ...CLI], packages: ["node"] },
  launch: { rooms: ["launch", "platform/files"], packages: ["node"] },
};
