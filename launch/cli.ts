// The entry of `pack-auth`.
import { launch } from "./code-cache.ts";
import { compileLess } from "./compile-less.ts";

/** Milliseconds after which a server has called what most clients need. Clients often kill it. */
const SERVER_STARTED = 5_000;

const [, , verb] = process.argv;
if (verb === "check") compileLess();
if (verb === "mcp") launch("cli-main.cjs", { kind: "mcp", after: SERVER_STARTED });
else launch("cli-main.cjs", { kind: verb === "check" ? "check" : "cli" });
