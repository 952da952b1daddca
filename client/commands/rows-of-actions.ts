// Which rows of the accounts view each action is for. The view's menus say the same in package.json, and a test compares them.

/** Command → the context values that it fits. */
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
