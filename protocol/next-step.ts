// What a person or an agent can do next, as data. Each host has its own words for it, because each does it in another place.

export type NextStep =
  | { readonly do: "addClient" /** Enter the client ID and secret of the pack. */ }
  | { readonly do: "signInAgain"; readonly sandbox?: true /** Sign in to the account again; in the sandbox, if the account is of one. */ }
  | { readonly do: "replaceCredential" /** Use another credential for the account. */ }
  | { readonly do: "refreshAccount" /** Get a new access token for the account. */ }
  | { readonly do: "startSandbox" /** The sandbox that is running cannot be used: start one. */ }
  | { readonly do: "chooseNode"; readonly versions: string /** Install a Node of one of the versions, or name one. */ }
  | { readonly do: "finishSignIn" /** End the sign-in that waits for the browser. */ }
  | { readonly do: "choosePort" /** Free the port of the redirect address, or choose another one. */ }
  | { readonly do: "chooseRedirect" /** Choose another redirect address. */ }
  | { readonly do: "replaceApiToken" /** Replace the API token of the platform. */ }
  | { readonly do: "approveApiHost"; readonly host: string /** Send the API token of the environment to this host. */ }
  | { readonly do: "approveDomains"; readonly domains: string /** Allow the credentials of the environment to go to these hosts. */ }
  | { readonly do: "allowLoopback" /** Allow requests to this machine. */ }
  | { readonly do: "checkProxy" /** Look at what names the proxy. */ }
  | { readonly do: "trustCertificate" /** Name the certificate of an authority that this machine does not trust. */ }
  | { readonly do: "raiseTimeLimit" /** Ask for less, or wait longer. */ }
  | { readonly do: "recordTest"; readonly sandbox?: true /** Record a saved test again; with an account of the sandbox. */ }
  | { readonly do: "saveOutcome"; readonly expectsFailure: boolean /** Save a run as a test of its failure, or of its result. */ }
  | { readonly do: "confirmRecording" /** Read a recording of a real account, and agree to save it. */ }
  | { readonly do: "openFolder" /** Open a folder that has both the test and its pack. */ }
  | { readonly do: "writeArguments" /** Write the arguments of an MCP tool out, even if it has none. */ }
  | { readonly do: "allowActions" /** Let a test with the real API send what may change data. */ }
  | { readonly do: "run" /** Run it by itself, to see more. */ }
  | { readonly do: "drill" /** Run it with ten problems in the sandbox. */ }
  | { readonly do: "setPassphrase" /** Use the passphrase with which the secrets were stored. */ }
  | { readonly do: "storeInFile" /** Keep secrets in an encrypted file, not in the keyring. */ }
  | { readonly do: "leaveWorkspaceEsbuild"; readonly variable: string /** Build with another esbuild, or unset the variable. */ }
  | { readonly do: "unsetVariable"; readonly variable: string /** Remove the variable from the environment before an upload. */ }
  | { readonly do: "allowOlderToolkit" /** Upload although the last version was built with a newer Packs SDK. */ };

export type NextStepKind = NextStep["do"];

/** A host's words for every step: whole sentences. */
export type NextStepTexts = { readonly [Kind in NextStepKind]: (step: Extract<NextStep, { readonly do: Kind }>) => string };

export type NextStepWords = (step: NextStep) => string;

/** Returns the text for a step. The compiler does not see that the two are of one kind. */
export const stepText = (texts: NextStepTexts, step: NextStep): string => (texts[step.do] as NextStepWords)(step);
