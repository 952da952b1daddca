// Runs the probes without isolation: in a context of Node's vm in this process, with the host's objects. A probe that finds nothing here is
// ineffective.
import { createContext, runInContext } from "node:vm";
import { bundlePack } from "../bundle-pack.ts";
import { escapeContext, escapesPack } from "./probes.ts";

interface Formula {
  readonly description: string;
  execute(parameters: readonly unknown[], context: unknown): unknown;
}

/** Returns the descriptions of the probes that escaped. */
export async function escapesWithoutWalls(): Promise<readonly string[]> {
  const { toolkit, code } = await bundlePack(escapesPack);
  const realm = createContext({
    console: { log: () => {} },
    crypto: { getRandomValues: (array: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(array) },
  });
  runInContext(toolkit, realm);
  runInContext("globalThis.Buffer = __packAuthToolkit.buffer.Buffer", realm);
  runInContext(code, realm);
  const refuse = (): Promise<never> => Promise.reject(new Error("refused"));
  const context = {
    ...escapeContext,
    logger: {},
    fetcher: { fetch: refuse },
    temporaryBlobStorage: { storeBlob: refuse, storeUrl: refuse },
  };
  const out: string[] = [];
  for (const { description, execute } of runInContext("__packAuthExports.pack.formulas", realm) as readonly Formula[]) {
    const verdict = await Promise.resolve(execute([""], context)).catch((error: Error) => error.message);
    if (verdict !== "kept") out.push(description);
  }
  return out;
}
