// The table of the tools for agents.
import type { AgentTool } from "./agent-tool.ts";
import { accounts } from "./tools/accounts.ts";
import { check } from "./tools/check.ts";
import { connect } from "./tools/connect.ts";
import { drift } from "./tools/drift.ts";
import { drill } from "./tools/drill.ts";
import { explain } from "./tools/explain.ts";
import { logs } from "./tools/logs.ts";
import { outline } from "./tools/outline.ts";
import { preflight } from "./tools/preflight.ts";
import { requests } from "./tools/requests.ts";
import { run } from "./tools/run.ts";
import { setUp } from "./tools/set-up.ts";
import { test } from "./tools/test.ts";

export const AGENT_TOOLS = {
  setup: setUp,
  check,
  explain,
  outline,
  run,
  requests,
  test,
  drill,
  accounts,
  connect,
  preflight,
  drift,
  logs,
} satisfies Readonly<Record<string, AgentTool>>;

export type AgentToolName = keyof typeof AGENT_TOOLS;
