// Reads the sources in an agent's folder through the language server, which knows the texts that are open in the editor.
import { pathToFileURL } from "node:url";
import { resultOf } from "../../agents/source-answer.ts";
import type { SourceReader } from "../../operations/source-reader.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { spelling } from "../../platform/files/file-names.ts";
import type { LanguageServer } from "../window/language-client.ts";

/** `folder` is the workspace folder as the editor opened it. The server knows files by that spelling. */
export function createSourceReader(
  server: Pick<LanguageServer, "checkSources" | "outlineSources" | "rulePages">,
  folder: string,
): Pick<SourceReader, "check" | "outline" | "rules"> {
  const inFolder = spelling(folder);
  const uriOf = (path: string): string => pathToFileURL(inFolder(path)).href;
  const folderUri = uriOf(folder);
  return {
    async check(paths, signal) {
      return resultOf(ofRunning(await server.checkSources({ folder: folderUri, uris: paths.map(uriOf) }, signal)));
    },
    async outline(entry, signal) {
      return resultOf(ofRunning(await server.outlineSources({ folder: folderUri, entry: uriOf(entry) }, signal))) ?? undefined;
    },
    rules: async () => ofRunning(await server.rulePages()),
  };
}

function ofRunning<T>(answer: T | undefined): T {
  if (answer !== undefined) return answer;
  throw new PackAuthError("language-server-unavailable", "The language server is not running, so sources cannot be read.", {
    hint: "Run “Pack Auth: Restart language server”, and try again.",
  });
}
