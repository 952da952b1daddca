// The verbs that few runs use. With the platform they are larger than everything that a check needs, so they have a bundle of their own.
export { openEvidence } from "../platform/evidence/evidence.ts";
export { accounts } from "./accounts.ts";
export { apiToken } from "./api-token.ts";
export { connectVerb } from "./connect.ts";
export { credentials } from "./credentials.ts";
export { drift } from "./drift.ts";
export { drill } from "./drill.ts";
export { explain } from "./explain.ts";
export { init } from "./init/init.ts";
export { logs } from "./logs.ts";
export { preflight } from "./preflight/preflight.ts";
export { run } from "./run/run.ts";
export { sandbox } from "./sandbox.ts";
export { test } from "./test/test.ts";
export { uploadVerb } from "./upload.ts";
