// What this window brings into the world of an operation that the person started by a command.
import { join } from "node:path";
import { runsOf } from "../../agents/operation-tool.ts";
import { defined } from "../../base/defined.ts";
import type { Person } from "../../operations/person.ts";
import type { Ground } from "../../operations/world.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { sourcesFolder } from "../../platform/preflight/preflight-input.ts";
import { openApiOf, storedApiOf } from "../../platform/public-api/api-token.ts";
import { buildWithToolkit } from "../../platform/upload/toolkit-build.ts";
import { windowParts } from "../agents/agent-host.ts";
import { folderOf } from "../packs/packs.ts";
import type { Services } from "../services.ts";
import { askModal } from "../shown/messages.ts";
import { nextStepText } from "../shown/next-steps.ts";
import { prompter } from "../shown/questions.ts";
import { openWebPage } from "../shown/web-page.ts";
import { toolkitModules } from "../window/settings.ts";

/** `report` receives the steps of what the operation opens. */
export function editorGround(services: Services, entry: string, report?: (step: string) => void): Ground {
  const { context, packs } = services;
  const opened = folderOf(entry)?.uri.fsPath;
  const folder = opened ?? sourcesFolder(entry);
  const { openAccounts, ...parts } = windowParts(services, folder, report);
  return {
    ...parts,
    folder,
    boundary: undefined,
    words: nextStepText,
    runs: runsOf({ openAccounts }, undefined),
    sourcesOf: () => ({ folder, ...parts.sources }),
    // The window's pack stays open for the next command.
    openPack: async (path) => ({ ...(await packs.saveAndOpen(path)), dispose: () => {} }),
    async runningSandbox() {
      throw new PackAuthError("sandbox-failed", "The sandbox of the window starts with a sign-in.", { hint: "Sign in with the sandbox." });
    },
    openStore: async () => ({ ...(await openAccounts()), close: () => {} }),
    openApi: ({ platform }, pack, asking) => (asking === undefined ? storedApiOf(platform, pack) : openApiOf(platform, pack, asking)),
    openBuilder: async (path) => ({
      build: (signal) =>
        buildWithToolkit(path, {
          program: join(context.extensionPath, "dist/toolkit-build.cjs"),
          toolkitModules: toolkitModules(),
          signal,
          ...defined({ folder: opened }),
        }),
      validate: (bundle, signal) => packs.validateBundle(path, bundle, signal),
    }),
  };
}

/** The person in front of the window, who started the operation. */
export const PERSON: Person = {
  async ask({ title, facts, warnings, agree, typed }) {
    const detail = [...facts.map(({ label, text }) => `${label}: ${text}`), ...warnings].join("\n");
    // The first button is the one that Enter presses.
    const refusals = typed === undefined ? [] : [`Do not ${agree.toLowerCase()}`];
    return (await askModal(title, detail, ...refusals, agree)) === agree ? "agreed" : "unanswered";
  },
  withPrompts: (_notice, work) => work({ prompter, openBrowser: openWebPage }),
};
