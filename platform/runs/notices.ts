// What pack code used and the platform has otherwise, as its process told it, in words.
import { defined } from "../../protocol/defined.ts";
import type { Notice, NoticedUse } from "../../protocol/pack-process.ts";
import type { ParityNote } from "../../protocol/run.ts";
import type { Pack } from "../process/pack.ts";

const TEXTS: Readonly<Record<NoticedUse, (name: string) => string>> = {
  logger: () =>
    "context.logger was taken out of the Packs SDK with version 0.5.0: on the platform there may be none, and the call fails. Write console.log and the like.",
  syncStateService: () =>
    "context.syncStateService is not documented, and meant for Superhuman Go: here, as in a document, it is undefined.",
  previousCompletion: () =>
    "context.previousCompletion is always undefined: the Packs SDK has it at context.sync.previousCompletion. Read from here the sync is never incremental.",
  continuation: () =>
    "context.continuation is always undefined: the Packs SDK has it at context.sync.continuation. Read from here every page is the first one.",
  responseHeader: (name) =>
    `The pack reads the response header ${name}. The platform shows pack code only the headers that it knows to be safe, and <<<REDACTED by Superhuman>>> in place of every other value; which those are is not documented. Be ready for that text, or ask the platform's support for the header.`,
};

export function noticeNote({ what, name = "", stack }: Notice, pack: Pack): ParityNote {
  const location = stack === undefined ? undefined : pack.locate(stack);
  return { message: TEXTS[what](name), ...defined({ location }) };
}
