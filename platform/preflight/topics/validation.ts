// What the Packs SDK's own upload validator says of the pack.
import { defined } from "../../../base/defined.ts";
import type { PreflightLine } from "../../../protocol/preflight.ts";
import type { ValidationMessage } from "../../../protocol/validation.ts";
import type { PreflightFacts } from "../preflight-input.ts";

/** The validator may name a large pack's every formula. */
const MOST_MESSAGES = 200;

/** Returns a line for each message of the validator, and one if it accepts the pack. */
export async function validation({ input, validate }: PreflightFacts): Promise<readonly PreflightLine[]> {
  const result = await validate();
  if (!result.isChecked)
    return [{ topic: "validation", verdict: "not-judged", text: `${result.reason} Update the Packs SDK, or run packs validate.` }];
  const { toolkitVersion, errors, warnings } = result;
  const messages = [
    ...errors.map((message) => ({ verdict: "will-be-rejected" as const, message })),
    ...warnings.map((message) => ({ verdict: "differs-there" as const, message })),
  ];
  const [further] = messages.splice(MOST_MESSAGES);
  const locations = messages.length === 0 ? [] : await input.locate(messages.map(({ message }) => message.at));
  const lines = messages.map(
    ({ verdict, message }, index): PreflightLine => ({
      topic: "validation",
      verdict,
      text: textOf(message),
      ...defined({ location: locations[index] }),
    }),
  );
  if (further !== undefined)
    lines.push({
      topic: "validation",
      verdict: further.verdict,
      text: "The validator has more messages. Correct these first, and check the pack again.",
    });
  if (errors.length > 0) return lines;
  return [
    { topic: "validation", verdict: "fits", text: `The upload validator of the Packs SDK ${toolkitVersion} accepts the pack.` },
    ...lines,
  ];
}

/** The path is a part of the message: what it names may be on no line of its own. */
const textOf = ({ message, path }: ValidationMessage): string => (path === undefined || path === "" ? message : `${path}: ${message}`);
