// Operations and their hosts: each input is in every host that offers the act, or its record says why not. A host that does not offer an act
// has its reason here.
import assert from "node:assert/strict";
import { AGENT_TOOLS, type AgentToolName } from "../../agents/agent-tools.ts";
import { INPUTS } from "../../cli/frame/inputs.ts";
import type { HostName } from "../../operations/operation.ts";
import { OPERATIONS, type OperationId } from "../../operations/operations.ts";

const PERSON_ONLY = "Only a person does this.";
const IN_PANEL = "The panel and its session run with the editor's own form.";
const VIEW = "A view of the editor does this, with the parts of the platform.";
const LSP = "The editor's live diagnostics and hovers are the language server's.";

/**
 * The name of the tool, `command` for what the editor runs as the operation, or why the host does not offer the act. The compiler wants each
 * input of an operation that the editor runs, since `run` takes the whole output of the schema.
 */
interface Offers {
  readonly agents: AgentToolName | { readonly no: string };
  readonly editor: "command" | { readonly no: string };
}

const OFFERS: Readonly<Record<OperationId, Offers>> = {
  "accounts list": { agents: "accounts", editor: { no: VIEW } },
  "accounts refresh": { agents: { no: PERSON_ONLY }, editor: { no: VIEW } },
  "accounts remove": { agents: { no: PERSON_ONLY }, editor: { no: VIEW } },
  "api-token add": { agents: { no: PERSON_ONLY }, editor: { no: VIEW } },
  "api-token list": { agents: { no: PERSON_ONLY }, editor: { no: VIEW } },
  "api-token remove": { agents: { no: PERSON_ONLY }, editor: { no: VIEW } },
  check: { agents: "check", editor: { no: LSP } },
  connect: { agents: "connect", editor: { no: VIEW } },
  "credentials add": { agents: { no: PERSON_ONLY }, editor: { no: VIEW } },
  "credentials remove": { agents: { no: PERSON_ONLY }, editor: { no: VIEW } },
  drift: { agents: "drift", editor: "command" },
  drill: { agents: "drill", editor: { no: "The switches of the sandbox view are one day each." } },
  explain: { agents: "explain", editor: { no: LSP } },
  handOver: { agents: { no: PERSON_ONLY }, editor: "command" },
  logs: { agents: "logs", editor: { no: VIEW } },
  outline: { agents: "outline", editor: { no: LSP } },
  preflight: { agents: "preflight", editor: "command" },
  run: { agents: "run", editor: { no: IN_PANEL } },
  sandbox: { agents: { no: "A run without an account starts its own." }, editor: { no: VIEW } },
  setUp: { agents: "setup", editor: { no: "The editor shows the change in its own diff between the two halves." } },
  testLive: { agents: { no: PERSON_ONLY }, editor: { no: "Only the command line compares with the real API." } },
  testRecordAgain: { agents: { no: PERSON_ONLY }, editor: "command" },
  testReplay: { agents: "test", editor: { no: VIEW } },
  upload: { agents: { no: PERSON_ONLY }, editor: "command" },
};

describe("Operations in their hosts", () => {
  const rows: string[] = [];
  after(() => console.log(rows.join("\n")));

  for (const [id, { agents, editor }] of Object.entries(OFFERS) as [OperationId, Offers][])
    it(`each input of ${id} is in every host that offers it, or its record says why not`, async () => {
      const { input, missing } = await OPERATIONS[id]();
      const reasons = missing as Readonly<Partial<Record<HostName, Readonly<Record<string, string>>>>>;
      const names = Object.keys(input.shape);
      for (const [host, absent] of Object.entries(reasons))
        for (const [name, reason] of Object.entries(absent)) {
          assert.ok(names.includes(name), `${id} has no input ${name}, which ${host} is said to lack`);
          assert.match(reason, /\.$/);
        }
      const inHost = (host: HostName): readonly string[] => names.filter((name) => reasons[host]?.[name] === undefined).sort();
      assert.deepEqual(INPUTS[id].inputs.map(({ name }) => name).sort(), inHost("terminal"), "the command line");
      if (typeof agents === "string") assert.deepEqual(Object.keys(AGENT_TOOLS[agents].input.shape).sort(), inHost("agents"), "agents");
      const cell = (offer: string | { readonly no: string }): string => (typeof offer === "string" ? offer : `no: ${offer.no}`);
      rows.push(`      ${id.padEnd(19)} ${names.join(", ").padEnd(60)} agents: ${cell(agents).padEnd(45)} editor: ${cell(editor)}`);
    });

  it("every tool for agents is an operation", () => {
    const tools = Object.values(OFFERS).flatMap(({ agents }) => (typeof agents === "string" ? [agents] : []));
    // The requests of the last run are no act of their own.
    assert.deepEqual([...tools, "requests"].sort(), Object.keys(AGENT_TOOLS).sort());
  });
});
