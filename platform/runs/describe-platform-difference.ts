// Describes the members that pack code used and that differ on the platform, as the pack process reported them.
import { defined } from "../../base/defined.ts";
import type { PlatformDifferenceAccess } from "../../protocol/pack-process.ts";
import type { PlatformDifference } from "../../protocol/run.ts";
import { UNDECLARED_MEMBERS } from "../../spec/context-members.ts";
import type { Pack } from "../process/pack.ts";

const responseHeader = (name: string): string =>
  name === "set-cookie"
    ? HIDDEN_COOKIE
    : `Expect <<<REDACTED by Superhuman>>> in the response header ${name}, or ask the platform's support for it. The platform shows packs only headers that it considers safe.`;

const HIDDEN_COOKIE =
  "Use another way to sign in than a cookie. Set-Cookie is hidden from the pack here, and the platform shows packs only headers that it considers safe.";

export function describePlatformDifference({ what, name = "", stack }: PlatformDifferenceAccess, pack: Pack): PlatformDifference {
  const location = stack === undefined ? undefined : pack.locate(stack);
  return { message: what === "responseHeader" ? responseHeader(name) : UNDECLARED_MEMBERS[what], ...defined({ location }) };
}
