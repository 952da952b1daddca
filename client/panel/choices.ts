// What a field of the form may hold, asked of the pack itself: a parameter's autocomplete, or the tables of a dynamic sync table.

import type { Fetch } from "../../platform/host.ts";
import type { Pack } from "../../platform/pack.ts";
import { execute, type RunAccount } from "../../platform/run.ts";
import type { Choice, FromPanel } from "../../protocol/panel.ts";
import type { RunTarget } from "../../protocol/run.ts";
import type { RunnableArgument } from "./formula-panel.ts";

const MOST = 100;

export interface ChoiceOptions {
  readonly fetch: Fetch;
  readonly account?: RunAccount;
  readonly signal: AbortSignal;
  readonly allowLoopback?: boolean;
  readonly timezone?: string;
}

/** Undefined where it was stopped. Throws PackAuthError. */
export async function findChoices(
  pack: Pack,
  target: RunnableArgument,
  question: FromPanel & { type: "choices" },
  options: ChoiceOptions,
): Promise<readonly Choice[] | undefined> {
  const asked: RunTarget =
    question.parameter === undefined
      ? { kind: "table", name: target.name, function: "listDynamicUrls" }
      : {
          kind: "autocomplete",
          formula: target.name,
          parameter: question.parameter,
          search: question.search,
          values: question.values,
          ...(target.kind === "syncTable" ? { ofSyncTable: true } : {}),
        };
  const answer = await execute(pack, asked, [], options);
  if (answer === undefined) return undefined;
  const found = Array.isArray(answer.value) ? answer.value.map(choiceOf).filter((choice) => choice !== undefined) : [];
  const wanted = question.search.trim().toLowerCase();
  // The platform filters too: a pack may answer with everything that it has.
  return found.filter(({ display, value }) => `${display} ${value}`.toLowerCase().includes(wanted)).slice(0, MOST);
}

function choiceOf(item: unknown): Choice | undefined {
  if (typeof item === "string" || typeof item === "number") return { display: String(item), value: String(item) };
  if (item === null || typeof item !== "object") return undefined;
  const { display, value } = item as { display?: unknown; value?: unknown };
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return { display: typeof display === "string" ? display : String(value), value: String(value) };
}
