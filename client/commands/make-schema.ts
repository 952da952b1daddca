// *Make a schema*: makeObjectSchema of the rows that an API gave, at the place that its author picks.
import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import { PackAuthError } from "../../platform/errors.ts";
import { namingMembers, type Row, rowsOf, schemaSource } from "../../platform/runs/make-schema.ts";
import { readShown } from "../../platform/runs/shown-body.ts";
import { defined } from "../../protocol/defined.ts";
import type { RequestTrace } from "../../protocol/run.ts";
import { showForMoment } from "../shown/messages.ts";
import { prompter } from "../shown/questions.ts";

const TITLE = "Make a schema";

/** Throws response-invalid where the answer holds no object. */
export async function makeSchema(entry: string, { responseBody = "" }: RequestTrace): Promise<void> {
  const rows = rowsOf(readShown(responseBody));
  if (rows === undefined)
    throw new PackAuthError("response-invalid", "The answer contains no object, so no schema can be made from it.", {
      hint: "Choose a request whose answer is an object or an array of objects.",
    });
  const idProperty = await pickMember(rows, "Which property identifies a row?");
  if (idProperty === undefined) return;
  const displayProperty = await pickMember(rows, "Which property names a row?");
  if (displayProperty === undefined) return;
  const schema = schemaSource(rows, {
    toolkit: toolkitIn(entry),
    ...defined({ idProperty: idProperty || undefined, displayProperty: displayProperty || undefined }),
  });
  const editor = vscode.window.visibleTextEditors.find(({ document }) => /^(?:type|java)script/.test(document.languageId));
  const where = await prompter.pick({
    title: TITLE,
    placeholder: "Where do you want to write the schema?",
    items: [
      ...(editor === undefined
        ? []
        : [{ label: "At the cursor", description: vscode.workspace.asRelativePath(editor.document.uri), value: "cursor" as const }]),
      { label: "To the clipboard", value: "clipboard" as const },
    ],
  });
  if (where === "clipboard") {
    await vscode.env.clipboard.writeText(schema);
    showForMoment("Copied the schema to the clipboard.");
  } else if (where === "cursor" && editor !== undefined) {
    const { document, selection } = editor;
    await vscode.window.showTextDocument(document, { selection, ...defined({ viewColumn: editor.viewColumn }) });
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, selection, schema);
    await vscode.workspace.applyEdit(edit);
  }
}

/** Empty for none; undefined where the author cancels. */
async function pickMember(rows: readonly Row[], placeholder: string): Promise<string | undefined> {
  const members = namingMembers(rows);
  if (members.length === 0) return "";
  return prompter.pick({
    title: TITLE,
    placeholder,
    items: [...members.map((name) => ({ label: name, value: name })), { label: "None", value: "" }],
  });
}

/** What the pack's entry calls the toolkit. */
function toolkitIn(entry: string): string {
  const source = readFileSync(entry, "utf8");
  return /import\s*\*\s*as\s+([\w$]{1,100})\s+from\s+["'][^"'\n]{0,100}packs-sdk["']/.exec(source)?.[1] ?? "coda";
}
