// `pack-auth-language-server`, which VS Code starts too.
import { launch } from "./code-cache.ts";

// A call for help compiles little, and that would be kept.
const isServing = process.argv.some((argument) => /^--(?:stdio|node-ipc|pipe|socket)/.test(argument));

launch("server-main.cjs", { kind: isServing ? "server" : undefined, after: 10_000 });
