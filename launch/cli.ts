// The entry of `pack-auth`.
import { launch } from "./code-cache.ts";
import { compileLess } from "./compile-less.ts";

const kind = process.argv[2] === "check" ? "check" : "cli";
if (kind === "check") compileLess();

launch("cli-main.cjs", { kind });
