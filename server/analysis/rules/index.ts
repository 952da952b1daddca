// All rules, in the order of their ids.

import type { ObservationRule, Rule } from "../rule.ts";
import * as ALL from "./all-rules.ts";

export const RULES: readonly Rule[] = Object.values(ALL);

type CodeOf<Each> = Each extends ObservationRule<infer Code> ? Code : never;
/** The facts that a rule reports. */
export type ReportedCode = CodeOf<(typeof ALL)[keyof typeof ALL]>;
