// The tools of an MCP server, and the content of a tool's result beside its value. A server's description is shown as text, and an image
// only after a click.
import { html, nothing, type TemplateResult } from "lit";
import type { McpContent, McpTool } from "../../../protocol/mcp.ts";
import type { Actions } from "../actions.ts";
import { marksOf, titleOf } from "../form/tool-field.ts";
import { treeView } from "./tree.ts";

/** `filter`: the search text. */
export function toolsView(tools: readonly McpTool[], filter: string, actions: Actions): TemplateResult {
  const query = filter.trim().toLowerCase();
  const matchingTools = tools.filter(({ name, title = "", description = "" }) =>
    `${name} ${title} ${description}`.toLowerCase().includes(query),
  );
  if (matchingTools.length === 0)
    return html`<p class="empty" data-testid="tools">${tools.length === 0 ? "The server has no tools." : "No tool matches the filter."}</p>`;
  return html`<ul class="tools" data-testid="tools">
    ${matchingTools.map((tool) => {
      const form = { ...tool, parameters: [] };
      return html`<li>
        <button type="button" class="link" data-testid="use-tool" @click=${() => actions.useTool(tool.name)}>${tool.name}</button>
        ${titleOf(form) === undefined ? nothing : html`<span>${titleOf(form)}</span>`}
        <span class="help">${marksOf(tool)}</span>
        ${tool.description === undefined ? nothing : html`<p>${tool.description.trim()}</p>`}
      </li>`;
    })}
  </ul>`;
}

/** `value`: the value that is already shown, as text or structured. */
export function contentView(content: readonly McpContent[], value: unknown): TemplateResult | typeof nothing {
  const parts = content.filter((part) => part.type !== "text" || !(typeof value === "string" || isSame(part.text, value)));
  if (parts.length === 0) return nothing;
  return html`<div class="content" data-testid="tool-content">${parts.map(partView)}</div>`;
}

/** The most characters of a text that is compared. */
const LONGEST = 500_000;

/** Servers repeat structured content as text for clients that do not support it. */
function isSame(text: string, value: unknown): boolean {
  if (text.length > LONGEST) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(value);
  } catch {
    return false;
  }
}

function partView(part: McpContent): TemplateResult {
  switch (part.type) {
    case "text":
      return html`<pre tabindex="0">${part.text}</pre>`;
    case "image":
      return IMAGE.test(part.mimeType)
        ? html`<p><pack-auth-image .url=${`data:${part.mimeType};base64,${part.data}`} .label=${`Show image (${part.mimeType})`}></pack-auth-image></p>`
        : html`<p class="help">${`Images of type ${part.mimeType} are not shown here.`}</p>`;
    case "audio":
      return html`<p class="help">${`Sounds of type ${part.mimeType} are not played here.`}</p>`;
    case "other":
      return html`<div class="tree">${treeView(undefined, part.value, true)}</div>`;
  }
}

/** Image types that a page shows without running code. */
const IMAGE = /^image\/(?:png|jpeg|gif|webp|avif|bmp)$/;
