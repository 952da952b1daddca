// One formula or table with every account: a row for each.
import type { ErrorReport } from "./run.ts";

export interface AccountRun {
  readonly account: string;
  readonly status: "succeeded" | "failed" | "cancelled" | "not run";
  /** Milliseconds. */
  readonly duration?: number;
  readonly error?: Pick<ErrorReport, "code" | "message" | "hint">;
  /** Masked. */
  readonly value?: unknown;
  /** Where the result is another than the first account's: paths such as `items[2].name`, the empty one for all of it. */
  readonly differences?: readonly string[];
  /** There are more differences. */
  readonly more?: boolean;
}
