// Reads the sources in an agent's folder from disk, for `pack-auth mcp`. The analysis is a bundle of its own, loaded with the first call.
import { setImmediate } from "node:timers/promises";
import { resultOf } from "../../agents/source-answer.ts";
import type { SourceReader } from "../../operations/source-reader.ts";

/** `folder` is the agent's, with its links resolved; `environment` names the folder of the evidence. */
export function createSourceReader(folder: string, environment: NodeJS.ProcessEnv): SourceReader {
  return {
    async check(paths, signal) {
      const { readFindings, storedFacts } = await import("./analysis.ts");
      // The pause lets an abort arrive.
      const pause = async (): Promise<void> => void (await setImmediate(undefined, { signal }));
      return resultOf(await readFindings(paths, folder, await storedFacts(environment), pause));
    },
    async outline(entry, signal) {
      const { readOutline } = await import("./analysis.ts");
      signal.throwIfAborted();
      return resultOf(readOutline(entry, folder)) ?? undefined;
    },
    async declareDomain(entry, host) {
      return (await import("./analysis.ts")).readDomainEdits(entry, host, folder);
    },
    async writeSetup(entry, proposal, text) {
      return (await import("./analysis.ts")).writeSetup(entry, proposal, text, folder);
    },
    async responseReads(calls) {
      return (await import("./analysis.ts")).readsOf(calls);
    },
    async metadataPlaces(entry, paths) {
      return (await import("./analysis.ts")).metadataPlaces(entry, paths);
    },
    async rules() {
      return (await import("./analysis.ts")).rulePages();
    },
  };
}
