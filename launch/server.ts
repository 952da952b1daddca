// `pack-auth-language-server`, which VS Code starts too.
import { launch } from "./launch.ts";

launch("server-main.cjs", { keep: process.argv.some((argument) => /^--(?:stdio|node-ipc|pipe|socket)/.test(argument)), after: 10_000 });
