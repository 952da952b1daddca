// Finds responses with a successful status and without data: a web page, half of a JSON, or an error in JSON.
import type { AuthenticationDefinition } from "../../protocol/definition.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import { explain } from "./explain.ts";
import { NO_AUTHENTICATION } from "./failure.ts";
import { explanationText } from "./words.ts";

/** Returns why a successful response contains no data; undefined if it may contain data. */
export function explainMissingData(exchange: RequestTrace, auth: AuthenticationDefinition = NO_AUTHENTICATION): string | undefined {
  const { status = 0 } = exchange;
  if (status < 200 || status > 299) return undefined;
  const explanation = explain({ phase: "resource", auth, exchange });
  return explanation && explanationText(explanation);
}
