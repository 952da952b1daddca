// *Make a schema*: writes makeObjectSchema for the rows of an API's responses, at a place that the author chooses.

import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import { defined } from "../../base/defined.ts";
import { PackAuthError } from "../../platform/errors.ts";
import { namingMembers, type Row, rowsOf, schemaFields, schemaSource } from "../../platform/runs/make-schema.ts";
import type { EditableDifference, SchemaDifferenceKind } from "../../protocol/editor.ts";
import type { Services } from "../services.ts";
import { showDocument } from "../shown/items.ts";
import { showForMoment } from "../shown/messages.ts";
import { pick, prompter } from "../shown/questions.ts";

const TITLE = "Make a schema";

/** The formula or table that the responses belong to. */
interface SchemaTarget {
  readonly entry: string;
  readonly name: string;
}

type Difference = EditableDifference<vscode.WorkspaceEdit>;

/** `responses`: similar ones, such as the pages of a table. Throws response-invalid if none contains an object. */
export async function makeSchema(server: Services["server"], { entry, name }: SchemaTarget, responses: readonly unknown[]): Promise<void> {
  const rows = rowsOf(responses);
  if (rows === undefined)
    throw new PackAuthError("response-invalid", "The answer contains no object, so no schema can be made from it.", {
      hint: "Choose a request whose answer is an object or an array of objects.",
    });
  const toolkit = toolkitIn(entry);
  const fields = schemaFields(rows, toolkit);
  const differences = await server.schemaDifferences({ entry: vscode.Uri.file(entry).toString(), name, fields });
  const change = differences === undefined ? "new" : await pickChange(name, differences);
  if (change === undefined) return;
  if (change !== "new") return applyChanges(change);
  const idProperty = await pickMember(rows, "Which property identifies a row?");
  if (idProperty === undefined) return;
  const displayProperty = await pickMember(rows, "Which property names a row?");
  if (displayProperty === undefined) return;
  const schema = schemaSource(rows, {
    toolkit,
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

/** Returns the differences that the author wants to apply to the existing schema; undefined if the author cancels. */
function pickChange(name: string, differences: readonly Difference[]): Promise<readonly Difference[] | "new" | undefined> {
  const safe = differences.filter(({ kind }) => kind !== "never");
  return pick<readonly Difference[] | "new">({
    title: TITLE,
    placeholder: differences.length === 0 ? `The schema of ${name} fits this answer.` : `Change the schema of ${name}, or make a new one?`,
    items: [
      ...(safe.length > 1 ? [{ label: `Make all ${safe.length} changes`, description: "and remove nothing", value: safe }] : []),
      ...differences.map((difference) => ({ ...DIFFERENCES[difference.kind](difference), value: [difference] })),
      { label: "Make a new schema", value: "new" },
    ],
  });
}

const DIFFERENCES: Readonly<Record<SchemaDifferenceKind, (difference: Difference) => { label: string; description: string }>> = {
  missing: ({ property, key = property }) => ({
    label: `Add ${property}`,
    description: `The answer has ${key}, and the schema does not.`,
  }),
  spelling: ({ property, key = "" }) => ({
    label: `Read ${property} from ${key}`,
    description: "The schema has it under another spelling.",
  }),
  type: ({ property, types: [is, comes] = ["", ""] }) => ({
    label: `Change the type of ${property} to ${comes}`,
    description: `The schema has ${is}.`,
  }),
  never: ({ property }) => ({ label: `Remove ${property}`, description: "This answer does not have it." }),
};

/** Applies the edits and shows them without saving. */
async function applyChanges(differences: readonly Difference[]): Promise<void> {
  const all = new vscode.WorkspaceEdit();
  const changes = differences.flatMap(({ edit }) => edit.entries());
  for (const [uri, edits] of changes) for (const edit of edits) all.replace(uri, edit.range, edit.newText);
  const [uri, [first] = []] = changes[0] ?? [];
  if (uri === undefined || first === undefined || !(await vscode.workspace.applyEdit(all)))
    throw new PackAuthError("configuration-invalid", "The schema has changed since.", { hint: "Choose Make a schema again." });
  await showDocument(uri, new vscode.Range(first.range.start, first.range.start));
  showForMoment("The schema is changed. Run again.");
}

/** Returns an empty string for no property; undefined if the author cancels. */
async function pickMember(rows: readonly Row[], placeholder: string): Promise<string | undefined> {
  const members = namingMembers(rows);
  if (members.length === 0) return "";
  return prompter.pick({
    title: TITLE,
    placeholder,
    items: [...members.map((name) => ({ label: name, value: name })), { label: "None", value: "" }],
  });
}

/** Returns the name under which the pack's entry imports the SDK. */
function toolkitIn(entry: string): string {
  const source = readFileSync(entry, "utf8");
  return /import\s*\*\s*as\s+([\w$]{1,100})\s+from\s+["'][^"'\n]{0,100}packs-sdk["']/.exec(source)?.[1] ?? "coda";
}
