// The editor's words for what to do next: its commands, settings and views.
import { reportOf, wordedError } from "../../platform/errors.ts";
import { type NextStepTexts, type NextStepWords, stepText } from "../../protocol/next-step.ts";
import type { ErrorReport } from "../../protocol/run.ts";

export const NEXT_STEPS: NextStepTexts = {
  addClient: () => "Enter the client ID and secret with Add OAuth credentials.",
  signInAgain: ({ sandbox }) => (sandbox === true ? "Sign in again with the sandbox." : "Sign in again."),
  replaceCredential: () => "To use another credential, sign in again.",
  refreshAccount: () => "To refresh the account, choose Refresh now in the Accounts view.",
  startSandbox: () => "Connect again to start a new one.",
  chooseNode: ({ versions }) => `Install Node ${versions}, or name one in the setting packAuth.nodePath.`,
  finishSignIn: () => "Finish it in the browser, or cancel it where the editor shows its progress. Then try again.",
  choosePort: () =>
    "Stop that program, or choose another port in the setting packAuth.redirect.port and register the new address at the provider.",
  chooseRedirect: () => "Choose another address in the settings packAuth.redirect.",
  replaceApiToken: () => "Choose Remove API token of the platform, then Add API token of the platform with one that is valid.",
  approveApiHost: ({ host }) => `If the token was created at ${host}, enter it for that host with Add API token of the platform.`,
  approveDomains: ({ domains }) => `If they may go to ${domains}, run it in the formula's panel.`,
  allowLoopback: () => "For a server on this machine, set packAuth.allowLoopback.",
  checkProxy: () => "The setting http.proxy names it.",
  trustCertificate: () => "If you trust it, name its PEM file in the setting packAuth.trustedCertificates.",
  raiseTimeLimit: () => "Ask for less, or raise the setting packAuth.timeLimit.",
  recordTest: ({ sandbox }) => `Use Save as test in the formula's panel${sandbox === true ? ", with an account of the sandbox" : ""}.`,
  saveOutcome: ({ expectsFailure }) => `Use Save as test in the formula's panel${expectsFailure ? ", and choose Save the failure" : ""}.`,
  confirmRecording: () => "Read it, and choose Save recording.",
  openFolder: () => "Open a folder that contains the test and the pack.",
  writeArguments: () => "Fill in its arguments in the panel.",
  allowActions: () => "Run it in the formula's panel if it may be sent.",
  run: () => "To see why, run it in the formula's panel.",
  drill: () => "Choose Change what the sandbox does, and run it, to see what its user sees on a bad day.",
  setPassphrase: () => "Sign in again.",
  storeInFile: () => "Unlock the system's keyring, and try again.",
  leaveWorkspaceEsbuild: ({ variable }) => `Switch off packAuth.useWorkspaceEsbuild, or start the editor without ${variable}.`,
  unsetVariable: ({ variable }) => `Start the editor without ${variable}. The upload uses the API token in the secret store.`,
  allowOlderToolkit: () => "To allow it, upload again and agree to it.",
};

export const nextStepText: NextStepWords = (step) => stepText(NEXT_STEPS, step);

/** Returns the report of any error as the editor shows it. */
export const shownReport = (error: unknown): ErrorReport => wordedError(reportOf(error), nextStepText);
