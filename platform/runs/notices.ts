// What pack code used and the platform has otherwise, as its process told it, in words.
import { t } from "@vscode/l10n";
import { defined } from "../../protocol/defined.ts";
import type { Notice, NoticedUse } from "../../protocol/pack-process.ts";
import type { ParityNote } from "../../protocol/run.ts";
import type { Pack } from "../process/pack.ts";

const TEXTS: Readonly<Record<NoticedUse, (name: string) => string>> = {
  logger: () => t`Use console.log instead of context.logger. Packs SDK 0.5.0 removed it, so the call may fail on the platform.`,
  syncStateService: () =>
    t`Do not use context.syncStateService: it is not documented, and is meant for Superhuman Go. It is undefined here and in documents.`,
  previousCompletion: () =>
    t`Use context.sync.previousCompletion. context.previousCompletion is always undefined, so the sync is never incremental.`,
  continuation: () => t`Use context.sync.continuation. context.continuation is always undefined, so every page is the first one.`,
  responseHeader: (name) =>
    t`Expect <<<REDACTED by Superhuman>>> in the response header ${name}, or ask the platform's support for it. The platform shows packs only headers that it considers safe.`,
};

export function noticeNote({ what, name = "", stack }: Notice, pack: Pack): ParityNote {
  const location = stack === undefined ? undefined : pack.locate(stack);
  return { message: TEXTS[what](name), ...defined({ location }) };
}
