// The platform's host for tests: stores in memory, a scripted person, and a browser that really follows the addresses.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nextStepText } from "../../client/shown/next-steps.ts";
import type { PlatformHost, SecretStore, StateStore } from "../../platform/host.ts";
import { browse } from "./browser.ts";

export interface TestHost extends PlatformHost {
  readonly secretValues: Map<string, string>;
  readonly states: Map<string, unknown>;
  readonly logged: string[];
  readonly prompts: string[];
  /** Labels, descriptions and details of the offered choices. */
  readonly offered: string[];
  readonly openedUrls: string[];
  readonly copied: string[];
  readonly workspaceStates: Map<string, unknown>;
}

export interface TestHostOptions {
  /**
   * Replies to prompts, by a text that the prompt or placeholder contains. The reply to a choice is its value or label. Of a list, each
   * prompt gets the next reply; the last one repeats.
   */
  readonly replies?: Readonly<Record<string, string | readonly (string | undefined)[] | undefined>>;
  /** Called with every prompt before the reply. */
  readonly onAsk?: (text: string) => void;
  readonly globalState?: Partial<StateStore>;
  readonly decision?: "approve" | "deny" | "ignore";
  readonly workspace?: string;
  readonly secrets?: Partial<SecretStore>;
  readonly fetch?: PlatformHost["fetch"];
  readonly lookUp?: PlatformHost["lookUp"];
  readonly openBrowser?: PlatformHost["openBrowser"];
  readonly externalAddress?: PlatformHost["externalAddress"];
}

/** The characters that the editor shows of a choice, and of its detail; longer texts are cut. */
const WIDEST_ROW = 90;

function memoryState(values: Map<string, unknown>): StateStore {
  return {
    get: (key) => values.get(key),
    set: async (key, value) => {
      values.set(key, structuredClone(value));
    },
  };
}

export function makeHost(options: TestHostOptions = {}): TestHost {
  const secretValues = new Map<string, string>();
  const states = new Map<string, unknown>();
  const workspace = new Map<string, unknown>();
  const logged: string[] = [];
  const prompts: string[] = [];
  const offered: string[] = [];
  const openedUrls: string[] = [];
  const copied: string[] = [];
  const turns = new Map<string, number>();
  const replyTo = (text: string): string | undefined => {
    prompts.push(text);
    options.onAsk?.(text);
    const key = Object.keys(options.replies ?? {}).find((candidate) => text.includes(candidate));
    if (key === undefined) return undefined;
    const reply = options.replies?.[key];
    if (reply === undefined || typeof reply === "string") return reply;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    return reply[Math.min(turn, reply.length - 1)];
  };
  return {
    secretValues,
    states,
    logged,
    prompts,
    offered,
    openedUrls,
    copied,
    workspaceStates: workspace,
    secrets: {
      get: async (key) => secretValues.get(key),
      set: async (key, value) => {
        secretValues.set(key, value);
      },
      delete: async (key) => {
        secretValues.delete(key);
      },
      ...options.secrets,
    },
    globalState: { ...memoryState(states), ...options.globalState },
    workspaceState: memoryState(workspace),
    home: "editor",
    words: nextStepText,
    prompter: {
      async input({ prompt, placeholder, validate }) {
        const reply = replyTo(`${prompt} ${placeholder ?? ""}`);
        const problem = reply === undefined ? undefined : validate?.(reply);
        if (problem !== undefined) throw new Error(`the answer ${reply} was refused: ${problem}`);
        return reply;
      },
      async pick({ placeholder, items }) {
        for (const { label, description = "", detail = "" } of items) {
          offered.push(label, description, detail);
          const widest = Math.max(`${label} ${description}`.length, detail.length);
          if (widest > WIDEST_ROW) throw new Error(`the editor cuts a row of ${widest} characters: ${label} ${description}, ${detail}`);
        }
        const reply = replyTo(placeholder);
        return items.find((item) => item.value === reply || item.label === reply)?.value;
      },
    },
    openBrowser: async (url) => {
      openedUrls.push(url);
      if (options.openBrowser) return options.openBrowser(url);
      if (options.decision !== "ignore") void browse(url, options.decision ?? "approve").catch((error) => logged.push(String(error)));
      return true;
    },
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
    copy: async (text) => void copied.push(text),
    userName: () => "os-user",
    log: (message) => void logged.push(message),
    progress: (message) => void logged.push(message),
    now: Date.now,
    storageFolder: storageFolder(),
    ...(options.lookUp === undefined ? {} : { lookUp: options.lookUp }),
    ...(options.externalAddress === undefined ? {} : { externalAddress: options.externalAddress }),
    ...(options.workspace === undefined ? {} : { workspace: options.workspace }),
  };
}

const folders: string[] = [];

/** Returns a temporary folder that is deleted when the process ends, because a full temporary folder slows every build in it. */
function storageFolder(): string {
  if (folders.length === 0)
    process.once("exit", () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-test-"));
  folders.push(folder);
  return folder;
}
