// The verbs that few runs use. With the platform they are larger than everything that a check needs, so they have a bundle of their own.
export { accounts } from "./accounts/accounts.ts";
export { apiToken } from "./accounts/api-token.ts";
export { connectVerb } from "./accounts/connect.ts";
export { credentials } from "./accounts/credentials.ts";
export { explain } from "./check/explain.ts";
export { init } from "./init/init.ts";
export { drift } from "./publishing/drift.ts";
export { logs } from "./publishing/logs.ts";
export { preflight } from "./publishing/preflight.ts";
export { uploadVerb } from "./publishing/upload.ts";
export { drill } from "./run/drill.ts";
export { run } from "./run/run.ts";
export { sandbox } from "./run/sandbox.ts";
export { test } from "./test/test.ts";
