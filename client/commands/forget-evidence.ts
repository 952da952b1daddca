// `packAuth.forgetEvidence`: the findings that came of sign-ins and runs go, and what was kept for them.
import { t } from "@vscode/l10n";
import { openEvidence } from "../../platform/evidence/evidence.ts";
import type { Services } from "../services.ts";
import { showInformation } from "../shown/messages.ts";

export async function forgetEvidence({ host, accounts }: Pick<Services, "host" | "accounts">): Promise<void> {
  await openEvidence(host()).forget();
  for (const { id, scopeUses } of await accounts.list()) if (scopeUses !== undefined) await accounts.countScopes(id, undefined);
  void showInformation(t`Pack Auth forgot what sign-ins and runs showed. The next ones may show it again.`);
}
