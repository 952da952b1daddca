// What the bench takes of the platform, as one bundle; see shipped-host.ts.
export { openPack } from "../../platform/process/pack.ts";
export { run } from "../support/run.ts";
