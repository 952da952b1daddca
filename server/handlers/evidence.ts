// Receives what sign-ins and runs showed. The client sends all of it whenever a part changes.
import { EVIDENCE_NOTIFICATION, type EvidenceParams, type Fact, isFact } from "../../protocol/evidence.ts";
import type { Session } from "../session.ts";
import { diagnosticsChanged } from "./diagnostics.ts";

export function handleEvidence(session: Session): void {
  const { connection, analysis } = session;
  connection.onNotification(EVIDENCE_NOTIFICATION, (params?: EvidenceParams) =>
    session.safely("evidence", undefined, () => {
      const facts = params?.facts;
      session.evidence = Array.isArray(facts) ? facts.filter(isFact).flatMap((fact) => withPaths(session, fact)) : [];
      analysis.setEvidence(session.evidence);
      diagnosticsChanged(session);
    }),
  );
}

function withPaths({ path }: Session, { at, ...fact }: Fact): readonly Fact[] {
  const entry = path(fact.entry);
  const file = at && path(at.path);
  if (entry === undefined || (at !== undefined && file === undefined)) return [];
  return [{ ...fact, entry, ...(at === undefined || file === undefined ? {} : { at: { ...at, path: file } }) }];
}
