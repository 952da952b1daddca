// The form's first field: the account of a run, and what to do if it cannot be used.
import { html, nothing, type TemplateResult } from "lit";
import { needsSignIn, stateText } from "../../../protocol/account-state.ts";
import type { PanelAccount } from "../../../protocol/panel.ts";
import type { Actions } from "../actions.ts";
import { ACCOUNT, type PanelState } from "../state.ts";
import { labelled } from "./field.ts";
import { scopesView } from "./scopes.ts";

export function accountField(state: PanelState, actions: Actions): TemplateResult {
  return html`${state.accountRequirement === "none" ? nothing : userField(state, actions)}
  ${state.systemAccount === undefined || state.account ? nothing : systemField(state.systemAccount, actions)}`;
}

const isEnded = (account: PanelAccount | undefined | null): account is PanelAccount =>
  account !== undefined && account !== null && needsSignIn(account.state);

const nameOf = ({ label, sandbox }: PanelAccount): string => (sandbox ? `${label} (sandbox)` : label);

function userField(state: PanelState, actions: Actions): TemplateResult {
  const { accounts, accountRequirement } = state;
  const isRequired = accountRequirement === "required";
  const problem = state.problems[ACCOUNT];
  const picked = accounts.find(({ id }) => id === state.account);
  const none = accounts.length === 0 ? "No account connected" : isRequired ? "Choose an account" : "None";
  const help = picked === undefined || picked.state.state === "ready" ? "" : stateText(picked.state);
  const content = html`<span class="beside">
      <select
        id="account"
        data-testid="account"
        aria-required=${isRequired}
        aria-invalid=${problem !== undefined}
        aria-describedby="account-help"
        title=${picked === undefined ? nothing : nameOf(picked)}
        @change=${(event: Event) => actions.setAccount((event.target as HTMLSelectElement).value)}
      >
        ${picked === undefined || !isRequired ? html`<option value="" .selected=${picked === undefined}>${none}</option>` : nothing}
        ${accounts.map(
          (account) =>
            html`<option value=${account.id} .selected=${account === picked}>${nameOf(account)}${isEnded(account) ? " — sign in again" : ""}</option>`,
        )}
      </select>
      ${isEnded(picked) ? html`<vscode-button data-testid="sign-in-again" @click=${() => actions.connect("user", picked.id)}>${"Sign in again"}</vscode-button>` : nothing}
      <vscode-button secondary data-testid="connect" title=${"Connect another account"} @click=${() => actions.connect("user")}>${"Connect"}</vscode-button>
    </span>`;
  const label = `Account${isRequired ? "" : " (optional)"}`;
  const below = picked?.scopes === undefined ? nothing : scopesView(picked.scopes);
  return labelled(ACCOUNT, label, content, help, { isRequired, problem, below });
}

/** Shows a button below a failed run for each account of the form that must be signed in again: the primary one, if no remedy mends it. */
export function signInAgainView(
  { accounts, account: id, systemAccount }: PanelState,
  hasRemedy: boolean,
  actions: Actions,
): TemplateResult {
  const user = accounts.find((account) => account.id === id);
  const accountsToSignIn = (
    [
      ["user", user],
      ["system", systemAccount],
    ] as const
  ).flatMap(([scope, account]) => (isEnded(account) ? [{ scope, account }] : []));
  return html`${accountsToSignIn.map(({ scope, account }) => html`<p><vscode-button ?secondary=${hasRemedy} data-testid="sign-in-again-below" title=${`${nameOf(account)}: ${stateText(account.state)}`} @click=${() => actions.connect(scope, account.id)}>${scope === "user" ? "Sign in again" : "Sign in again for the system"}</vscode-button></p>`)}`;
}

/** Shows the system account, which every run uses, so there is nothing to choose. */
function systemField(account: PanelAccount | null, actions: Actions): TemplateResult {
  const name = account === null ? "None yet" : nameOf(account);
  const again = isEnded(account) ? account.id : undefined;
  return html`<div class="field" role="group" aria-labelledby="system-account-label">
    <span class="label" id="system-account-label">${"System account"}</span>
    <span class="beside">
      <span class="text" data-testid="system-account">${name}</span>
      ${
        account === null || again !== undefined
          ? html`<vscode-button secondary data-testid="connect-system" @click=${() => actions.connect("system", again)}>${again === undefined ? "Connect" : "Sign in again"}</vscode-button>`
          : nothing
      }
    </span>
    <span class="help">${account === null || account.state.state === "ready" ? "Every run of the pack uses its credentials." : stateText(account.state)}</span>
  </div>`;
}
