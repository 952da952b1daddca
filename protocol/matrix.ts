// One formula or table run with every account, one row for each.
import type { ErrorReport } from "./run.ts";

export interface AccountRun {
  readonly account: string;
  readonly status: "succeeded" | "failed" | "cancelled" | "not run";
  /** Milliseconds. */
  readonly duration?: number;
  readonly error?: Pick<ErrorReport, "code" | "message" | "hint">;
  /** Masked. */
  readonly value?: unknown;
  /** Paths at which the result differs from the first account's, such as `items[2].name`; the empty path means the whole result. */
  readonly differences?: readonly string[];
  /** True if the list of differences is incomplete. */
  readonly more?: boolean;
}
