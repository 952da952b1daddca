// The commands that the window has from its start; extension.ts implements them.

export const PALETTE_COMMANDS = [
  "packAuth.connectTestAccount",
  "packAuth.cancelSignIn",
  "packAuth.addSystemAuthentication",
  "packAuth.importToolkitCredentials",
  "packAuth.addOAuthCredentials",
  "packAuth.addApiToken",
  "packAuth.removeApiToken",
  "packAuth.compareWithPublished",
  "packAuth.sendClientCredentials",
  "packAuth.runFormula",
  "packAuth.debugFormula",
  "packAuth.tryServer",
  "packAuth.preflight",
  "packAuth.uploadPack",
  "packAuth.installToolkit",
  "packAuth.fixAll",
  "packAuth.createPack",
  "packAuth.setUpAuthentication",
  "packAuth.addToAgents",
  "packAuth.openExamples",
  "packAuth.openDocumentation",
  "packAuth.restartLanguageServer",
  "packAuth.forgetEvidence",
  "packAuth.showProductionLogs",
  "packAuth.chooseLogSource",
  "packAuth.showLog",
] as const;

export type PaletteCommand = (typeof PALETTE_COMMANDS)[number];
