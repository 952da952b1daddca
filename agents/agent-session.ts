// What one client of the agents' tools has done: its permissions, its last run, and the sign-ins that the person refused.
import type { RunReport } from "../protocol/run.ts";
import type { AgentHost } from "./agent-host.ts";
import type { CallUnderWay } from "./call-under-way.ts";
import { ConsentLedger } from "./consent.ts";

export class AgentSession {
  readonly host: AgentHost;
  readonly consent: ConsentLedger;
  /** The report of the last run, for the tool `requests`. Masked. */
  lastRun: RunReport | undefined;
  /** The packs for which the person refused to sign in, by their entries; see `connect`. */
  readonly refusedSignIns = new Set<string>();
  /** The person's answers about look-ups, by the ID of the question. */
  readonly lookUps = new Map<string, "yes" | "no">();
  /** Calls that answered before their end, by tool and input; see {@link CallUnderWay}. */
  readonly callsUnderWay = new Map<string, CallUnderWay>();
  /** True while the person is asked to sign in. */
  isSigningIn = false;

  constructor(host: AgentHost) {
    this.host = host;
    this.consent = new ConsentLedger(host.person, host.folder);
  }
}
