// The scopes of the selected account, with the functions that request them, and whether they are granted.
import { html, nothing, type TemplateResult } from "lit";
import type { ScopeRow } from "../../../protocol/scopes.ts";

export function scopesView(scopes: readonly ScopeRow[]): TemplateResult {
  const missing = scopes.filter(({ isGranted }) => !isGranted).length;
  return html`<details class="scopes" data-testid="scopes">
    <summary>${`Scopes: ${scopes.length - missing} of ${scopes.length} granted`}</summary>
    <div class="scroll" role="region" tabindex="0" aria-label=${"Scopes of the account"}>
      <table>
        <thead>
          <tr>
            <th scope="col">${"Scope"}</th>
            <th scope="col">${"Requested by"}</th>
            <th scope="col">${"Granted"}</th>
          </tr>
        </thead>
        <tbody>
          ${scopes.map(
            (row) =>
              html`<tr>
                <th scope="row">${row.scope}</th>
                <td>${row.requestedBy?.join(", ") || "nobody"}</td>
                <td>${row.isGranted ? "yes" : "no"}${row.remark === undefined ? nothing : html`<span class="help">${row.remark}</span>`}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </details>`;
}
