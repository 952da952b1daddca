// `pack-auth`.
import { compileLess } from "./compile-less.ts";
import { launch } from "./launch.ts";
import { THREAD } from "./thread-name.ts";

const [, , verb] = process.argv;
// A thread of a check comes later; it starts with V8's usual flags (cli/threads.ts).
const isThread = verb === THREAD;
if (verb === "check" || isThread) compileLess();

launch("cli-main.cjs", { keep: !isThread, kind: verb === "check" || isThread ? "check" : "cli" });
