// Lists the rows of the accounts view that each action applies to. The menus in package.json repeat this, and a test compares both.

/** Command → the context values that it applies to. */
export const ROWS_OF_ACTIONS = {
  "packAuth.accounts.rename": /^(account|elsewhere)/,
  "packAuth.accounts.changeSharing": /^account/,
  "packAuth.accounts.remove": /^(account|elsewhere)/,
  "packAuth.accounts.signInAgain": /^account/,
  "packAuth.accounts.test": /^account/,
  "packAuth.accounts.refresh": /^account\.oauth/,
  "packAuth.accounts.copyRedirect": /^account\.oauth/,
  "packAuth.accounts.chooseEndpoint": /^account.*\.endpoint/,
  "packAuth.accounts.adopt": /^elsewhere\.stray$/,
} satisfies Record<string, RegExp>;

export type AccountCommand = keyof typeof ROWS_OF_ACTIONS;
