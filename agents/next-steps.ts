// The words for what to do next that agents read: their tools, and what only the person can do.
import { type NextStepTexts, type NextStepWords, stepText } from "../protocol/next-step.ts";

export const NEXT_STEPS: NextStepTexts = {
  addClient: () => "Only the person can enter the client ID and secret.",
  signInAgain: ({ sandbox }) => (sandbox === true ? "Call run without an account." : "Call connect with again."),
  replaceCredential: () => "To let the person use another credential, call connect with again.",
  refreshAccount: () => "Only the person can refresh the account.",
  startSandbox: () => "Call run again, which starts a new one.",
  chooseNode: ({ versions }) => `Ask the person to install Node ${versions}.`,
  finishSignIn: () => "Try again when the person has finished it.",
  choosePort: () => "Ask the person to stop that program.",
  chooseRedirect: () => "Only the person can choose another address.",
  replaceApiToken: () => "Only the person can replace the token. Never ask for it.",
  approveApiHost: ({ host }) => `Only the person can let the token go to ${host}.`,
  approveDomains: ({ domains }) => `Only the person can let them go to ${domains}.`,
  allowLoopback: () => "For a server on this machine, ask the person to allow requests to it.",
  checkProxy: () => "Only the person can change it.",
  trustCertificate: () => "Only the person can trust it.",
  raiseTimeLimit: () => "Ask for less.",
  recordTest: ({ sandbox }) => `Call run with saveTest${sandbox === true ? " and without an account" : ""}.`,
  saveOutcome: ({ expectsFailure }) => `To save it as it is, call run with${expectsFailure ? "" : "out"} expectFailure.`,
  confirmRecording: () => "Only a person can save it.",
  openFolder: () => "Only the person can open a folder that contains the test and the pack.",
  writeArguments: () => "Write its arguments in parameters, even if it has none: {}.",
  allowActions: () => "Only the person can send it.",
  run: () => "To see why, call run.",
  drill: () => "Call drill to see what its user sees on a bad day, and the remedies.",
  setPassphrase: () => "Only the person can unlock them.",
  storeInFile: () => "Ask the person to unlock the system's keyring.",
  leaveWorkspaceEsbuild: ({ variable }) => `Ask the person to remove ${variable} from the environment.`,
  unsetVariable: ({ variable }) => `Ask the person to remove ${variable} from the environment.`,
  allowOlderToolkit: () => "Only the person can allow it.",
};

export const nextStepText: NextStepWords = (step) => stepText(NEXT_STEPS, step);
