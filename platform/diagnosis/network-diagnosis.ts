// The form of a diagnosis that one kind of network failure decides.
import type { NetworkFailure } from "../network/network-failure.ts";
import { type Cause, type Diagnosis, diagnosis } from "./diagnosis.ts";
import { addressName } from "./facts.ts";

interface NetworkDiagnosis<Id extends string> extends Pick<Diagnosis<Id>, "id" | "docs" | "source">, Pick<Cause, "nextStep"> {
  /** The kind of failure that it explains. */
  readonly kind: NetworkFailure["kind"];
  /** What the explanation says of the example, whose host is api.acme.example and whose detail is `ECODE` by default. */
  readonly says: string;
  readonly detail?: string;
  reason(this: void, network: NetworkFailure): string;
  /** Gets the name of the field that has the address. */
  advice(this: void, address: string): string;
}

/** Makes a diagnosis that explains one kind of network failure. */
export function networkDiagnosis<const Id extends string>(definition: NetworkDiagnosis<Id>): Diagnosis<Id> {
  const { kind, says, detail = "ECODE", reason, advice, nextStep, ...page } = definition;
  const host = "api.acme.example";
  const otherKind = kind === "connection-refused" ? "host-unknown" : "connection-refused";
  return diagnosis({
    ...page,
    isGeneral: true,
    examples: [
      { network: { kind, host, detail }, says },
      { network: { kind: otherKind, host, detail: "" }, silent: true },
    ],
    when: ({ network, ...failure }) =>
      network?.kind === kind ? { reason: reason(network), advice: advice(addressName(failure)), nextStep } : undefined,
  });
}
