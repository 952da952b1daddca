// The platform's host for tests: stores in memory, a person who answers from a script, and a browser that really goes there.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlatformHost, SecretStore, StateStore } from "../../platform/host.ts";
import { browse } from "./browser.ts";

export interface TestHost extends PlatformHost {
  readonly secretValues: Map<string, string>;
  readonly states: Map<string, unknown>;
  readonly logged: string[];
  readonly asked: string[];
  /** Labels, descriptions and details of what could be picked. */
  readonly offered: string[];
  readonly opened: string[];
  readonly copied: string[];
  readonly workspaceStates: Map<string, unknown>;
}

export interface TestHostOptions {
  /**
   * Answers to prompts, by a text that the prompt or placeholder contains; a pick's answer is the value or label. Of a list, each
   * time the next one, and the last for ever.
   */
  readonly answers?: Readonly<Record<string, string | readonly (string | undefined)[] | undefined>>;
  /** Told of every prompt before it is answered. */
  readonly onAsk?: (text: string) => void;
  readonly globalState?: Partial<StateStore>;
  readonly decision?: "approve" | "deny" | "ignore";
  readonly workspace?: string;
  readonly secrets?: Partial<SecretStore>;
  readonly fetch?: PlatformHost["fetch"];
  readonly lookUp?: PlatformHost["lookUp"];
  readonly openBrowser?: PlatformHost["openBrowser"];
}

/** Characters that the editor's pick shows of a row, and of its detail; what is longer is cut. */
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
  const asked: string[] = [];
  const offered: string[] = [];
  const opened: string[] = [];
  const copied: string[] = [];
  const turns = new Map<string, number>();
  const answerTo = (text: string): string | undefined => {
    asked.push(text);
    options.onAsk?.(text);
    const key = Object.keys(options.answers ?? {}).find((candidate) => text.includes(candidate));
    if (key === undefined) return undefined;
    const answer = options.answers?.[key];
    if (answer === undefined || typeof answer === "string") return answer;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    return answer[Math.min(turn, answer.length - 1)];
  };
  return {
    secretValues,
    states,
    logged,
    asked,
    offered,
    opened,
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
    prompter: {
      async input({ prompt, placeholder, validate }) {
        const answer = answerTo(`${prompt} ${placeholder ?? ""}`);
        const problem = answer === undefined ? undefined : validate?.(answer);
        if (problem !== undefined) throw new Error(`the answer ${answer} was refused: ${problem}`);
        return answer;
      },
      async pick({ placeholder, items }) {
        for (const { label, description = "", detail = "" } of items) {
          offered.push(label, description, detail);
          const widest = Math.max(`${label} ${description}`.length, detail.length);
          if (widest > WIDEST_ROW) throw new Error(`the editor cuts a row of ${widest} characters: ${label} ${description}, ${detail}`);
        }
        const answer = answerTo(placeholder);
        return items.find((item) => item.value === answer || item.label === answer)?.value;
      },
    },
    openBrowser: async (url) => {
      opened.push(url);
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
    ...(options.workspace === undefined ? {} : { workspace: options.workspace }),
  };
}

const folders: string[] = [];

/** Gone with the process: a folder for temporary files that fills up makes every build in it slower. */
function storageFolder(): string {
  if (folders.length === 0)
    process.once("exit", () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    });
  const folder = mkdtempSync(join(tmpdir(), "pack-auth-test-"));
  folders.push(folder);
  return folder;
}
