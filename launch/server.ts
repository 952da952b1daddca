// The entry of `pack-auth-language-server`, which VS Code starts too.
import { launch } from "./code-cache.ts";

// `--help` compiles little code, and caching that would replace the server's.
const isServing = process.argv.some((argument) => /^--(?:stdio|node-ipc|pipe|socket)/.test(argument));

launch("server-main.cjs", { kind: isServing ? "server" : undefined, after: 10_000 });
