// `pack-auth`.
import { compileLess } from "./compile-less.ts";
import { launch } from "./launch.ts";

const [, , verb] = process.argv;
// A thread of a check comes later, and finds the flags set.
const isThread = verb === "--thread-of-check";
if (verb === "check") compileLess();

launch("cli-main.cjs", { keep: !isThread, kind: verb === "check" || isThread ? "check" : "cli" });
