// Runs of an agent that never end by themselves: they are stopped after the time of one execution, although the person has longer.
import assert from "node:assert/strict";
import { attacksOver, folderOf } from "../support/hostile.ts";
import { mcpResponder } from "../support/mcp-answers.ts";
import { wireOfSuite } from "../support/wire.ts";

describe("An agent's run that never ends", function () {
  this.timeout(200_000);
  const { attack } = attacksOver(wireOfSuite(), () => true);
  const MCP = 'pack.addMCPServer({ name: "Tools", endpointUrl: "https://good.example/mcp" } as any);';
  attack(
    "endless",
    folderOf({ formulas: { Loop: 'await get("x"); for (;;); return "";', Sleep: "await new Promise(() => {}); return '';" }, tail: MCP }),
    {
      "a loop after a yes": async (h) => assert.match(await h.run("Loop"), /time-limit/),
      "a promise that never settles": async (h) => assert.match(await h.run("Sleep"), /time-limit|never/),
      "an MCP server that answers another request": async (h) => {
        const answer = JSON.stringify({ jsonrpc: "2.0", id: 99, result: {} });
        h.api = mcpResponder({
          tools: [{ name: "get_task" }],
          instead: { "tools/call": (_request, response) => void response.setHeader("content-type", "application/json").end(answer) },
        });
        assert.match(await h.run("mcp:Tools:get_task"), /time-limit/);
      },
    },
  );
});
