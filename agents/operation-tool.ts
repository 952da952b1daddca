// The frame of a tool that is an operation: its input is the operation's, and so is its description.
import type { z } from "zod";
import { printable } from "../base/printable.ts";
import { shownPath } from "../operations/inside.ts";
import type { Operation } from "../operations/operation.ts";
import type { Person } from "../operations/person.ts";
import type { RunGround } from "../operations/run/run-ground.ts";
import { type Ground, inWorld } from "../operations/world.ts";
import { withId } from "../platform/accounts/account-name.ts";
import { packKey } from "../platform/accounts/accounts.ts";
import { PackAuthError } from "../platform/errors.ts";
import { hostOf } from "../platform/public-api/api-origin.ts";
import { storedApiOf } from "../platform/public-api/api-token.ts";
import { useTeamAccount } from "../platform/team/use-team-account.ts";
import type { SourceLocation } from "../protocol/run.ts";
import type { AgentHost } from "./agent-host.ts";
import type { AgentSession } from "./agent-session.ts";
import { type AgentTool, agentTool, type ToolCall } from "./agent-tool.ts";
import { nextStepText } from "./next-steps.ts";

/** What a tool says besides the inputs and the description of its operation. */
interface OperationTool<Input extends z.ZodObject> extends Omit<AgentTool, "description" | "input" | "call"> {
  /** What a language model needs to know, besides what the operation does. */
  readonly note: string;
  /** Returns what the agent reads. Throws PackAuthError. */
  call(input: z.output<Input>, call: ToolCall): Promise<object>;
}

/** Returns a tool with the inputs of the operation that agents have. */
export function operationTool<Input extends z.ZodObject>(
  { about, input, missing }: Pick<Operation<Input, unknown, never>, "about" | "input" | "missing">,
  { note, ...tool }: OperationTool<Input>,
): AgentTool {
  const names = Object.keys(missing.agents ?? {});
  const ownInput = input.omit(Object.fromEntries(names.map((name) => [name, true])) as never) as Input;
  return agentTool({ ...tool, description: note === "" ? about : `${about} ${note}`, input: ownInput });
}

/** Returns a tool that shows the output of the operation. An operation without an output was cancelled. */
export const outputTool = <Input extends z.ZodObject, Output, Part>(
  operation: Operation<Input, Output, Part>,
  { output, ...tool }: Omit<OperationTool<Input>, "call"> & { output(output: NonNullable<Output>, host: AgentHost): object },
): AgentTool =>
  operationTool(operation, {
    ...tool,
    async call(input, call) {
      const result = await runOperation(operation, input, call);
      if (result == null) throw new PackAuthError("consent-refused", "The person cancelled.");
      return output(result, call.session.host);
    },
  });

/** Returns a place with its path as an agent reads it. */
export const shownPlace = ({ folder }: AgentHost, place: SourceLocation | undefined): SourceLocation | undefined =>
  place && { ...place, path: shownPath(folder, place.path) };

/** Runs an operation in the agent's folder, by default for the host's person. */
export const runOperation = <Input extends z.ZodObject, Output, Part>(
  { input: schema, run }: Pick<Operation<Input, Output, Part>, "input" | "run">,
  input: unknown,
  { session, signal, progress }: ToolCall,
  part: (part: Part) => void = () => {},
  person: Person = session.host.person,
): Promise<Output> =>
  inWorld(groundOf(session), signal, (world) => run(schema.parse(input), world, person, { step: progress, note: progress, part }));

const groundOf = ({ host, consent }: AgentSession): Ground => {
  const { folder, sources, openAccounts } = host;
  return {
    ...host,
    boundary: folder,
    words: nextStepText,
    runs: runsOf(host, (run, signal) => consent.forRun(run, signal)),
    sourcesOf: () => ({ folder, ...sources }),
    async runningSandbox() {
      throw new PackAuthError("sandbox-failed", "An agent has no sandbox of the person.", { hint: "Run without an account." });
    },
    async openApi({ platform }, pack, asking) {
      const api = await storedApiOf(platform, pack);
      if (api !== undefined || asking === undefined) return api;
      throw new PackAuthError("credentials-missing", `No API token of ${hostOf(pack.origin)} is stored on this machine.`, {
        hint: "Ask the person to store one: pack-auth api-token add on a terminal, or “Add API token of the platform” in the editor. You never get it.",
      });
    },
    async openBuilder() {
      throw new PackAuthError("person-unreachable", "An agent uploads nothing.", { hint: "The person uploads with pack-auth upload." });
    },
    // The host's accounts stay open for the next tool.
    openStore: async () => ({ ...(await openAccounts()), close: () => {} }),
  };
};

/** Runs use the stored accounts and those of the account file. */
export const runsOf = ({ openAccounts }: Pick<AgentHost, "openAccounts">, guard: RunGround["guard"]): RunGround => ({
  guard,
  hasRunningSandbox: false,
  async openNetwork() {
    const { platform, behindProxy, allowLoopback } = await openAccounts();
    return { fetch: platform.fetch, lookup: platform.lookUp, behindProxy, allowLoopback };
  },
  storedAccounts: async (entry) => (await openAccounts()).accounts.list(packKey(entry)),
  environmentAccount: () => ({ variables: [], missingVariables: [] }),
  // Its references are resolved only if the person accepted them, so nobody is asked here.
  useFileAccount: async (pack, account, signal) => useTeamAccount(pack, account, (await openAccounts()).team, { signal }),
  noAccount: ({ name = "", accounts, problem }) =>
    problem ??
    new PackAuthError("account-required", `The pack has no account ${name}.`, {
      hint:
        accounts.length === 0
          ? "Leave account out to run in the sandbox, or call connect so that the person signs in."
          : `It has: ${printable(accounts.map(withId).join(", "))}. Leave account out to run in the sandbox.`,
    }),
});
