// Remedies for a failure that is caused by a switch of the sandbox.
import type { ErrorReport, Remedy, RequestTrace } from "../../protocol/run.ts";
import type { SandboxSwitches } from "./switches.ts";

/** Returns a remedy that resets the switches that caused the failure. */
export function switchRemedies(
  switches: SandboxSwitches,
  { code }: Pick<ErrorReport, "code">,
  requests: readonly RequestTrace[],
): readonly (Remedy & { readonly kind: "resetSwitches" })[] {
  const { api, token, clientAuthentication, deny, rejectPkce, grantFewer } = switches;
  const isOfToken = code === "token-exchange-failed" || code === "refresh-failed";
  const isOfClient = isOfToken || code === "credentials-refused";
  const blamed: Readonly<Record<keyof SandboxSwitches, boolean>> = {
    api: requests.some(({ sandbox, status }) => sandbox === true && String(status) === api) || (api === "slow" && code === "time-limit"),
    token: token !== "none" && isOfToken,
    clientAuthentication: clientAuthentication !== "any" && isOfClient,
    deny: deny && code === "authorization-denied",
    rejectPkce: rejectPkce && code === "authorization-denied",
    grantFewer: grantFewer && requests.some(({ sandbox, status }) => sandbox === true && status === 403),
    // These switches do not cause a failure of their own.
    rotate: false,
    tokenResponse: false,
    mcp: false,
  };
  const names = Object.entries(blamed).flatMap(([name, isBlamed]) => (isBlamed ? [name] : []));
  return names.length === 0 ? [] : [{ kind: "resetSwitches", switches: names, label: "Reset the switch" }];
}
