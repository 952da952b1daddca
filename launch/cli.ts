// `pack-auth`.
import { launch } from "./launch.ts";

launch("cli-main.cjs", { keep: process.argv[2] === "check" });
