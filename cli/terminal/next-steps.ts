// The command line's words for what to do next: its verbs, options and variables.
import { wholeMessage } from "../../platform/errors.ts";
import { type NextStepTexts, type NextStepWords, stepText } from "../../protocol/next-step.ts";

export const NEXT_STEPS: NextStepTexts = {
  addClient: () => "Enter the client ID and secret with pack-auth credentials <pack>.",
  signInAgain: ({ sandbox }) => `Sign in again with pack-auth connect <pack>${sandbox === true ? " --sandbox" : ""}.`,
  replaceCredential: () => "To use another credential, sign in again with pack-auth connect <pack>.",
  refreshAccount: () => "To refresh the account, use pack-auth accounts refresh.",
  startSandbox: () => "Start a new one with pack-auth sandbox <pack>, and set PACK_AUTH_SANDBOX as it says.",
  chooseNode: ({ versions }) => `Install Node ${versions}, or name one with --node.`,
  finishSignIn: () => "Finish it in the browser, or cancel it where it waits. Then try again.",
  choosePort: () => "Stop that program, or choose another port with --redirect and register the new address at the provider.",
  chooseRedirect: () => "Choose another address with --redirect.",
  replaceApiToken: () => "Use pack-auth api-token remove, then pack-auth api-token add, with one that is valid.",
  approveApiHost: ({ host }) => `If the token was created at ${host}, set PACK_AUTH_API_HOST=${host}.`,
  approveDomains: ({ domains }) => `If they may go there, set PACK_AUTH_DOMAINS="${domains}".`,
  allowLoopback: () => "For a server on this machine, use --allow-loopback.",
  checkProxy: () => "HTTPS_PROXY and NO_PROXY name it.",
  trustCertificate: () => "If you trust it, name its PEM file in NODE_EXTRA_CA_CERTS.",
  raiseTimeLimit: () => "Ask for less, or raise --time-limit.",
  recordTest: ({ sandbox }) => `Use pack-auth run …${sandbox === true ? " --sandbox" : ""} --save-test ….`,
  saveOutcome: ({ expectsFailure }) =>
    `${expectsFailure ? "Add --expect-failure to save the failure itself" : "Remove --expect-failure to save its result"}.`,
  confirmRecording: () => "Read it above. Then run again and choose Save, or add --yes.",
  openFolder: () => "Run pack-auth test in a folder that contains the test and the pack.",
  writeArguments: () => "Write its arguments with --params, even if it has none: --params '{}'.",
  allowActions: () => "Add --actions if it may be sent.",
  run: () => "To see why, use pack-auth run.",
  drill: () => "Run pack-auth drill to see what its user sees on a bad day, and the remedies.",
  setPassphrase: () => "Set PACK_AUTH_PASSPHRASE to the passphrase that they were stored with.",
  storeInFile: () => "Keep secrets in an encrypted file: set PACK_AUTH_SECRET_STORE=file, and without a terminal PACK_AUTH_PASSPHRASE.",
  leaveWorkspaceEsbuild: ({ variable }) => `Leave out --workspace-esbuild, or unset ${variable}.`,
  unsetVariable: ({ variable }) =>
    variable === "PACK_AUTH_PASSPHRASE"
      ? "Unset PACK_AUTH_PASSPHRASE. On a terminal pack-auth upload asks for the passphrase after the build."
      : `Unset ${variable}. The upload uses the API token in the secret store.`,
  allowOlderToolkit: () => "To allow it, add --allow-older-sdk.",
};

export const nextStepText: NextStepWords = (step) => stepText(NEXT_STEPS, step);

/** Returns the whole message of an error, with what to do next here. */
export const messageOf = (error: Parameters<typeof wholeMessage>[0]): string => wholeMessage(error, nextStepText);
