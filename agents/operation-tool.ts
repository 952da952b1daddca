// The frame of a tool that is an operation: its input is the operation's, and so is its description.
import type { z } from "zod";
import type { Operation } from "../operations/operation.ts";
import { type Ground, inWorld } from "../operations/world.ts";
import { PackAuthError } from "../platform/errors.ts";
import type { AgentHost } from "./agent-host.ts";
import type { ToolCall } from "./agent-tool.ts";

/** Returns the operation's inputs that agents have. */
export function agentInput<Input extends z.ZodObject>({ input, missing }: Pick<Operation<Input, unknown, never>, "input" | "missing">) {
  const names = Object.keys(missing.agents ?? {});
  return input.omit(Object.fromEntries(names.map((name) => [name, true])) as never) as Input;
}

/** Runs an operation in the agent's folder. */
export const runOperation = <Input extends z.ZodObject, Output, Part>(
  { input: schema, run }: Pick<Operation<Input, Output, Part>, "input" | "run">,
  input: unknown,
  { session: { host }, signal, progress }: ToolCall,
  part: (part: Part) => void = () => {},
): Promise<Output> =>
  inWorld(groundOf(host), signal, (world) => run(schema.parse(input), world, host.person, { step: progress, note: progress, part }));

const groundOf = ({ folder, storageFolder, sources, openPack, openSandbox, findTests, openAccounts }: AgentHost): Ground => ({
  folder,
  boundary: folder,
  storageFolder,
  sources,
  openPack,
  openSandbox,
  findTests,
  async runningSandbox() {
    throw new PackAuthError("sandbox-failed", "An agent has no sandbox of the person.", { hint: "Run without an account." });
  },
  async openNetwork() {
    const { platform, allowLoopback } = await openAccounts();
    return { ...platform, allowLoopback };
  },
  // The host's accounts stay open for the next tool.
  openStore: async () => ({ ...(await openAccounts()), close: () => {} }),
});
