// The tool of an MCP server to call, and the server's description of it.
import { html, nothing, type TemplateResult } from "lit";
import type { ToolForm } from "../../../protocol/panel.ts";
import type { Actions } from "../actions.ts";
import { AT_SANDBOX, type PanelState, TOOL } from "../state.ts";
import { needsNoAccount } from "./before-run.ts";
import { checkField } from "./check-field.ts";
import { labelled } from "./field.ts";
import { toolOf } from "./parameters.ts";

export function toolField(state: PanelState, actions: Actions): TemplateResult | typeof nothing {
  const { runnable, values } = state;
  if (runnable?.kind !== "mcpServer") return nothing;
  const tool = toolOf(runnable, values);
  const control = html`<select id="tool" data-testid="tool" aria-describedby="tool-help" @change=${(event: Event) => actions.setTool((event.target as HTMLSelectElement).value)}>
    <option value="" .selected=${tool === undefined}>${"List the tools"}</option>
    ${runnable.tools.map((each) => html`<option value=${each.name} .selected=${each === tool}>${each.name}${titleOf(each) === undefined ? "" : ` \u2014 ${titleOf(each)}`}</option>`)}
  </select>`;
  return html`${
    needsNoAccount(state) ? checkField("at-sandbox", AT_SANDBOX, "Use the sandbox instead of the server", values, actions) : nothing
  }${labelled(TOOL, "Tool", control, tool === undefined ? "Choose Run to list the server's tools." : aboutTool(tool))}`;
}

export const titleOf = ({ title, annotations }: ToolForm): string | undefined => title ?? annotations?.title;

/** Returns the description, and what the annotations mean on the platform. */
const aboutTool = (tool: ToolForm): string => [tool.description?.trim(), marksOf(tool)].filter(Boolean).join(" \u00b7 ");

/** Returns a tool's annotations in words. */
export function marksOf({ annotations = {} }: Pick<ToolForm, "annotations">): string {
  const { readOnlyHint, destructiveHint, idempotentHint } = annotations;
  if (readOnlyHint === true) return "read-only";
  const marks = [
    destructiveHint === false ? "only adds data" : "may change or remove data",
    ...(idempotentHint === true ? ["a repeated call changes nothing more"] : []),
    "the platform asks before each call",
  ];
  return marks.join(", ");
}
