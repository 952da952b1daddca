// `packAuth.changeType`: asks for the new type of a configuration, and applies the server's edit for it.
import * as vscode from "vscode";
import type { ChangeTypeParams } from "../../protocol/editor.ts";
import type { Services } from "../services.ts";
import { pick } from "../shown/questions.ts";

export async function changeType({ server }: Pick<Services, "server">, { choices }: ChangeTypeParams): Promise<void> {
  const chosen = await pick({ placeholder: "Which type?", items: choices.map(({ name, action }) => ({ label: name, value: action })) });
  const edit = chosen === undefined ? undefined : await server.editOf(chosen);
  if (edit !== undefined) await vscode.workspace.applyEdit(edit);
}
