// Shows a proposed change in the editor's own diff, and asks whether to write it.
import { basename } from "node:path";
import * as vscode from "vscode";
import type { WrittenFile } from "../../protocol/written-setup.ts";
import { closeTabs, showDiff } from "../shown/items.ts";
import { pick } from "../shown/questions.ts";
import type { VirtualTexts } from "../shown/virtual-texts.ts";
import { TITLE } from "./ask-evidence.ts";

/** Returns whether the author wants the files written. The diffs close after the answer. `proof`: what was tried, as one line. */
export async function reviewSetup(
  texts: VirtualTexts,
  files: readonly WrittenFile[],
  { isProved, proof, origins }: { readonly isProved: boolean; readonly proof: string; readonly origins: readonly string[] },
): Promise<boolean> {
  const names = files.map(({ path }) => basename(path)).join(", ");
  const proposals: vscode.Uri[] = [];
  for (const { path, text } of files) {
    const proposal = texts.add(basename(path), text);
    proposals.push(proposal);
    await showDiff(vscode.Uri.file(path), proposal, `${basename(path)}: ${TITLE}`);
  }
  const choice = await pick({
    title: TITLE,
    placeholder: proof,
    items: [
      {
        icon: "check",
        label: `Write it to ${names}${isProved ? "" : ", although it is not proved"}`,
        detail: origins.join(" · "),
        value: true,
      },
      { icon: "close", label: "Discard it", active: !isProved, value: false },
    ],
  });
  for (const proposal of proposals) await closeTabs(proposal.toString());
  return choice === true;
}
