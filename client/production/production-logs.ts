// The production logs that the person asked for, by pack. Nothing is read before that, and nothing is stored but the doc.
import * as vscode from "vscode";
import { packKey } from "../../platform/accounts/accounts.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { openEvidence } from "../../platform/evidence/evidence.ts";
import { showsAllSignIns } from "../../platform/production/log-filter.ts";
import { readAgent, readDoc } from "../../platform/production/log-source.ts";
import { type LogFilter, type LogReader, openLogs } from "../../platform/production/logs.ts";
import { recordProductionSignIns } from "../../platform/production/sign-in-evidence.ts";
import { openApiOf } from "../../platform/public-api/api-token.ts";
import type { LogEntry, LogSource } from "../../platform/public-api/public-api.ts";
import { type PublishedPack, publishedPack } from "../../platform/public-api/published-pack.ts";
import type { Services } from "../services.ts";
import { showCancellable } from "../shown/messages.ts";
import { prompter } from "../shown/questions.ts";

/** Entries that are read at once. */
const AT_ONCE = 100;

export interface PackLogs {
  /** Path of the pack's entry file. */
  readonly entry: string;
  readonly source: LogSource;
  readonly filter: LogFilter;
  readonly entries: readonly LogEntry[];
  readonly reader: LogReader;
}

/** The logs of this window's packs. */
export class ProductionLogs implements vscode.Disposable {
  readonly #services: Services;
  readonly #packs = new Map<string, PackLogs>();
  readonly #changeEmitter = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changeEmitter.event;

  constructor(services: Services) {
    this.#services = services;
  }

  list(): readonly PackLogs[] {
    return [...this.#packs.values()];
  }

  /** Reads the newest entries, and asks for the doc and the API token if they are missing. Throws PackAuthError. */
  async read(entry: string, filter: LogFilter = this.#packs.get(packKey(entry))?.filter ?? {}): Promise<void> {
    const published = publishedPack(entry);
    const source = this.#rememberedSource(entry, published) ?? (await this.#askSource(entry, published));
    if (source === undefined) return;
    const api = await openApiOf(this.#services.host(), published, { title: titleOf(entry) });
    if (api === undefined) return;
    const reader = openLogs(api, source, filter);
    await this.#readOn({ entry, source, filter, entries: [], reader });
  }

  /** Adds older entries. Throws PackAuthError. */
  more(logs: PackLogs): Promise<void> {
    return this.#readOn(logs);
  }

  /** Asks for another doc or agent, and reads its logs. Throws PackAuthError. */
  async chooseSource(entry: string): Promise<void> {
    if ((await this.#askSource(entry, publishedPack(entry))) !== undefined) await this.read(entry);
  }

  dispose(): void {
    this.#changeEmitter.dispose();
  }

  async #readOn(logs: PackLogs): Promise<void> {
    const entries = await showCancellable(titleOf(logs.entry), (reportStep, signal) => {
      reportStep("reading…");
      return logs.reader.more(AT_ONCE, signal);
    });
    if (entries === undefined) return;
    const read = { ...logs, entries: [...logs.entries, ...entries] };
    this.#packs.set(packKey(logs.entry), read);
    this.#changeEmitter.fire();
    await this.#recordSignIns(read);
  }

  /** A pack that does not build gets no evidence: reading its logs has worked nevertheless. */
  async #recordSignIns({ entry, source, filter, entries }: PackLogs): Promise<void> {
    const { host, packs } = this.#services;
    if (!vscode.workspace.isTrusted || !showsAllSignIns(source, filter) || !entries.some(({ type }) => type === "auth")) return;
    const platform = host();
    const pack = await packs.open(entry).catch(() => undefined);
    if (pack === undefined) return;
    const { definition } = pack;
    await recordProductionSignIns(entries, { entry, definition, evidence: openEvidence(platform), now: platform.now() });
  }

  async #askSource(entry: string, published: PublishedPack): Promise<LogSource | undefined> {
    const memory = this.#services.host().workspaceState;
    const before = memory.get(sourceKey(entry));
    const text = await prompter.input({
      title: titleOf(entry),
      prompt: "The address of a doc that uses the pack, or TENANT/INSTANCE of an agent.",
      placeholder: `${published.origin}/d/Name_dABC…`,
      ...(typeof before === "string" ? { value: before } : {}),
      validate(value) {
        const source = readSource(value, published);
        return "problem" in source ? source.problem : undefined;
      },
    });
    if (text === undefined) return undefined;
    await memory.set(sourceKey(entry), text.trim());
    return this.#rememberedSource(entry, published);
  }

  #rememberedSource(entry: string, published: PublishedPack): LogSource | undefined {
    const text = this.#services.host().workspaceState.get(sourceKey(entry));
    const source = typeof text === "string" ? readSource(text, published) : undefined;
    return source === undefined || "problem" in source ? undefined : source;
  }
}

const titleOf = (entry: string): string => `Logs of ${packName(entry)}`;

const sourceKey = (entry: string): string => `packAuth.logSource.${packKey(entry)}`;

const readSource = (text: string, published: PublishedPack): LogSource | { readonly problem: string } =>
  readAgent(text) ?? readDoc(text, published);
