// The entry of `pack-auth`.
import { launch } from "./code-cache.ts";

launch("cli-main.cjs", { kind: process.argv[2] === "check" ? "check" : "cli" });
