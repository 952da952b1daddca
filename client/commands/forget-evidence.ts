// `packAuth.forgetEvidence`: the findings that came of sign-ins and runs go.
import { t } from "@vscode/l10n";
import { openEvidence } from "../../platform/evidence/evidence.ts";
import type { Services } from "../services.ts";
import { showInformation } from "../shown/messages.ts";

export async function forgetEvidence({ host }: Pick<Services, "host">): Promise<void> {
  await openEvidence(host()).forget();
  void showInformation(t`Pack Auth forgot what sign-ins and runs showed. The next ones may show it again.`);
}
