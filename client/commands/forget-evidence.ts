// `packAuth.forgetEvidence`: removes the findings that sign-ins and runs produced.
import { openEvidence } from "../../platform/evidence/evidence.ts";
import type { Services } from "../services.ts";
import { showInformation } from "../shown/messages.ts";

export async function forgetEvidence({ host }: Pick<Services, "host">): Promise<void> {
  await openEvidence(host()).forget();
  void showInformation("Pack Auth forgot what sign-ins and runs showed. The next ones may show it again.");
}
