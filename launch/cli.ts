// `pack-auth`.
import { compileLess } from "./compile-less.ts";
import { launch } from "./launch.ts";

const [, , verb] = process.argv;
if (verb === "check") compileLess();

launch("cli-main.cjs", { keep: true, kind: verb === "check" ? "check" : "cli" });
