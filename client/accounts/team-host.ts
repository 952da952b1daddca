// How this window uses accounts of an account file: with the person's yes in the editor's state, and the program of the person's settings.
import * as vscode from "vscode";
import type { TeamHost } from "../../platform/team/use-team-account.ts";
import type { Services } from "../services.ts";
import { onePasswordProgram } from "../window/settings.ts";

export const teamHost = (services: Pick<Services, "host">): TeamHost => ({
  state: services.host().globalState,
  sources: { environment: process.env, program: onePasswordProgram(), programSetting: "packAuth.onePasswordProgram" },
  howToTrust: () => (vscode.workspace.isTrusted ? undefined : "Trust the workspace first."),
  howToAccept: () => "Run a formula with it in the formula's panel, and accept them.",
});
