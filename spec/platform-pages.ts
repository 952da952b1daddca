// Where the platform takes what no command can send (sdk-facts-2, sections 10 and 11).

/** The form with which a developer asks the platform for an approval. */
export const APPROVAL_FORM = "https://docs.superhuman.com/form/Pack-Network-Domains-Request_ddvuAhFq3IZ";

/** The dialogs of the pack's page on the platform that store credentials. */
export const CREDENTIAL_DIALOGS = { oauth: "Settings → Add OAuth credentials", system: "Settings → Add credentials" } as const;
