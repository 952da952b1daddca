// The errors of the analysis that decide what becomes of the pack, beside what the Packs SDK's validator says of it.
import type { PreflightLine } from "../../../protocol/preflight.ts";
import { PackAuthError } from "../../errors.ts";
import { locationIn, type PackSources, type PreflightFacts } from "../preflight-input.ts";

/** Returns a line for each error. If the validator accepts the pack, an error that the upload would reject is not judged. */
export async function mistakes({ sources, validate }: PreflightFacts): Promise<readonly PreflightLine[]> {
  const result = await validate();
  const isAccepted = result.isChecked && result.errors.length === 0;
  const lines = mistakesIn(sources).map((line): PreflightLine => {
    if (!isAccepted || line.verdict !== "will-be-rejected") return line;
    const text = `${line.text} The validator of the installed Packs SDK ${result.toolkitVersion} accepts it. Update the Packs SDK, and check the pack again.`;
    return { ...line, verdict: "not-judged", text };
  });
  if (lines.length > 0 || sources.findings instanceof PackAuthError) return lines;
  return [{ topic: "mistakes", verdict: "fits", text: "No error in the sources decides what becomes of the pack." }];
}

/** Returns a line for each error of the sources that decides what becomes of the pack; none if they could not be read. */
export function mistakesIn(sources: PackSources): readonly PreflightLine[] {
  const { findings } = sources;
  if (findings instanceof PackAuthError) return [];
  return findings.findings.flatMap((finding): readonly PreflightLine[] => {
    const { verdict, message } = finding;
    if (verdict === undefined || verdict === "needs-approval") return [];
    return [{ topic: "mistakes", verdict, text: message, location: locationIn(sources, finding) }];
  });
}
