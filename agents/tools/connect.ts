// Asks the person to sign in to a pack's account. The agent gets the account's label and state only.
import { defined } from "../../base/defined.ts";
import { connect as operation } from "../../operations/connect/connect.ts";
import { AGENT_WARNING } from "../../operations/consent-question.ts";
import { entryInside } from "../../operations/inside.ts";
import type { Person } from "../../operations/person.ts";
import { PackAuthError } from "../../platform/errors.ts";
import type { Prompter } from "../../platform/host.ts";
import { refusal } from "../../platform/network/refusal.ts";
import { methodText, type Permit } from "../../platform/requests/permit.ts";
import { accountRowOf } from "../account-row.ts";
import type { ToolCall } from "../agent-tool.ts";
import { operationTool, runOperation } from "../operation-tool.ts";
import { OUTSIDE_NOTE, sentences } from "../outside.ts";

const NOT_AGAIN = "Do not ask again in this session. Use the sandbox.";

export const connect = operationTool(operation, {
  title: "Ask the person to sign in",
  note: `You get the account's label and state, never a credential. Check the pack and run it in the sandbox first. After a refusal do not ask again. ${OUTSIDE_NOTE}`,
  runsCode: true,
  isReadOnly: false,
  isOpenWorld: true,
  async call(input, call) {
    const { session, signal, progress } = call;
    const entry = entryInside(session.host.folder, input.pack);
    if (session.isSigningIn)
      throw new PackAuthError("consent-refused", "The person is already signing in.", { hint: "Wait for that call to end." });
    if (session.refusedSignIns.has(entry))
      throw new PackAuthError("consent-refused", "The person refused to sign in for this pack.", { hint: NOT_AGAIN });
    session.isSigningIn = true;
    try {
      progress("Building the pack");
      const connected = await runOperation(operation, input, call, undefined, consentingPerson(call));
      if (connected !== undefined) {
        const { account, state, signInNotes } = connected;
        const notes = signInNotes.map(({ message }) => sentences(message));
        return { status: "connected", account: accountRowOf(account, state), notes };
      }
      if (signal.aborted) throw unanswered();
      session.refusedSignIns.add(entry);
      return { status: "refused", code: "consent-refused", hint: NOT_AGAIN, notes: [] };
    } finally {
      session.isSigningIn = false;
    }
  },
});

/** A call that ended before the person answered is no refusal: the agent may ask again. */
const unanswered = (): PackAuthError =>
  new PackAuthError("consent-refused", "The person has not answered.", { hint: "Call connect again when the person is there." });

/** The person, who has to agree first. What the pack wants to send is a further question. */
const consentingPerson = ({ session: { consent, host }, signal, progress }: ToolCall): Person => ({
  ask: (question, askSignal) => consent.ask(question, askSignal),
  async withPrompts(notice, work) {
    progress("Waiting for the person");
    const warnings = [
      AGENT_WARNING,
      ...notice.warnings,
      "The pack may read your account's name from the API. The agent gets that name and the account's state, never a credential.",
    ];
    const answer = await consent.ask({ ...notice, warnings }, signal);
    if (answer === "unanswered") throw unanswered();
    if (answer === "refused") return undefined;
    return host.person.withPrompts({ ...notice, warnings }, ({ prompter, openBrowser }) =>
      work({ prompter: withoutLinks(prompter), openBrowser, permit: permitBy(prompter) }),
    );
  },
});

/**
 * The person agreed to the hosts of the sign-in, where getConnectionName may read. A request that may act is a further question of the sign-in,
 * since some APIs read by POST. A no ends all that wait or follow.
 */
function permitBy(prompter: Prompter): Permit {
  let last: Promise<void> = Promise.resolve();
  return (request, signal) => {
    const { url, host, body, isRead } = request;
    if (isRead) return Promise.resolve();
    const method = methodText(request);
    const ask = async (): Promise<void> => {
      const choice = await prompter.pick({
        title: `The pack wants to send ${method} to ${host} during the sign-in`,
        placeholder: `Send ${method} ${url}?`,
        items: [
          { label: "Do not send", value: "no" },
          { label: "Send", ...defined({ detail: body }), value: "yes" },
        ],
        signal,
      });
      if (choice !== "yes") throw refusal(`the person did not agree to ${method} during the sign-in`);
    };
    last = last.then(ask);
    return last;
  };
}

/** The address of the pack's instructions is no link here, since the agent may have written it. */
const withoutLinks = ({ input, pick }: Prompter): Prompter => ({ input: ({ link: _, ...options }) => input(options), pick });
