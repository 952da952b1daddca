// The sandbox view: the errors that the sandbox's provider and API simulate for each pack, each changed with a click.
import * as vscode from "vscode";
import { packKey } from "../../platform/accounts/accounts.ts";
import { packName } from "../../platform/bundle/entry-file.ts";
import { type SandboxSwitches, SWITCH_VALUES } from "../../platform/sandbox/switches.ts";
import type { Services } from "../services.ts";
import { treeItem } from "../shown/items.ts";
import { showForMoment, showInformation } from "../shown/messages.ts";
import { pick } from "../shown/questions.ts";
import type { SandboxedPack } from "../window/sandboxes.ts";
import { setContext } from "../window/set-context.ts";

type SwitchName = keyof SandboxSwitches;

interface Label {
  readonly title: string;
  readonly tooltip: string;
  /** Shows the switch only for packs with this property. */
  readonly needs?: "isOAuth" | "hasMcpServer";
  readonly values?: Readonly<Record<string, string>>;
}

const TROUBLES = { none: "works", slow: "slow: 3 s", "429": "refuses: 429", "500": "fails: 500" };
const API_TROUBLES = {
  ...TROUBLES,
  "401": "asks for another scheme: 401",
  "403": "asks for a scope: 403",
  cut: "sends half of its answer",
};

const LABELS: Readonly<Record<SwitchName, Label>> = {
  deny: {
    title: "Deny each sign-in",
    tooltip: "The provider sends the browser back with access_denied, without asking.",
    needs: "isOAuth",
  },
  rejectPkce: { title: "Refuse PKCE", tooltip: "The provider refuses a sign-in with a code challenge, as some do.", needs: "isOAuth" },
  grantFewer: { title: "Grant fewer scopes", tooltip: "The provider grants all requested scopes except the last.", needs: "isOAuth" },
  rotate: {
    title: "New refresh token at each refresh",
    tooltip: "Each refresh returns a new refresh token. The old one stops working.",
    needs: "isOAuth",
  },
  clientAuthentication: {
    title: "Client authentication",
    tooltip: "How the application authenticates at the token endpoint.",
    needs: "isOAuth",
    values: { any: "any", form: "form only", basic: "HTTP Basic only", json: "JSON only" },
  },
  tokenResponse: {
    title: "Token response",
    tooltip: "The format of the token endpoint's answers.",
    needs: "isOAuth",
    values: { json: "JSON", nested: "nested under data", text: "a form, as text" },
  },
  token: { title: "Token endpoint", tooltip: "How the token endpoint answers each request.", needs: "isOAuth", values: TROUBLES },
  api: { title: "API", tooltip: "How the API answers each request of the pack.", values: API_TROUBLES },
  mcp: {
    title: "MCP answers",
    tooltip: "The format of the MCP server's answers.",
    needs: "hasMcpServer",
    values: { json: "JSON", stream: "as a stream" },
  },
};

type Node =
  | { readonly kind: "pack"; readonly pack: SandboxedPack }
  | { readonly kind: "switch"; readonly pack: SandboxedPack; readonly name: SwitchName };

const names = Object.keys(SWITCH_VALUES) as SwitchName[];

export function createSandboxView(services: Services): vscode.Disposable {
  const changeEmitter = new vscode.EventEmitter<undefined>();
  const { sandboxes } = services.packs;
  let shownPacks: readonly SandboxedPack[] = [];
  const provider: vscode.TreeDataProvider<Node> = {
    onDidChangeTreeData: changeEmitter.event,
    getChildren: (node) =>
      node === undefined
        ? shownPacks.map((pack) => ({ kind: "pack", pack }))
        : node.kind === "pack"
          ? names.filter((name) => isFor(node.pack, LABELS[name])).map((name) => ({ kind: "switch", pack: node.pack, name }))
          : [],
    getTreeItem: (node) => (node.kind === "pack" ? packItem(node.pack) : switchItem(node.pack, node.name)),
  };
  const view = vscode.window.createTreeView("packAuth.sandbox", { treeDataProvider: provider, showCollapseAll: true });
  const change = async (pack: SandboxedPack, switches: Partial<SandboxSwitches>): Promise<void> => {
    try {
      await sandboxes.change({ entry: pack.entry, switches });
    } catch (error) {
      await services.showError(error, pack.entry);
    }
  };
  /** Shows a pack of an earlier window only if it still has an account in the sandbox. */
  const update = async (): Promise<void> => {
    const accounts = await services.accounts.list();
    const withAccount = new Set(accounts.flatMap(({ sandboxOrigin, pack }) => (sandboxOrigin === undefined ? [] : [pack])));
    shownPacks = sandboxes.list().filter(({ entry, isRunning }) => isRunning || withAccount.has(packKey(entry)));
    setContext("hasSandbox", shownPacks.length > 0);
    changeEmitter.fire(undefined);
  };
  const refresh = (): void => void update().catch((error: unknown) => services.showError(error));
  refresh();
  return vscode.Disposable.from(
    view,
    changeEmitter,
    sandboxes.onDidChange(refresh),
    new vscode.Disposable(services.accounts.onDidChange(refresh)),
    view.onDidChangeCheckboxState(async ({ items }) => {
      for (const [node, state] of items)
        if (node.kind === "switch") await change(node.pack, { [node.name]: state === vscode.TreeItemCheckboxState.Checked });
    }),
    vscode.commands.registerCommand("packAuth.sandbox.change", async (node: Node | undefined) => {
      if (node?.kind !== "switch") return;
      const value = await pickValue(node.pack, node.name);
      if (value !== undefined) await change(node.pack, { [node.name]: value });
    }),
    vscode.commands.registerCommand("packAuth.sandbox.expireNow", async (node: Node | undefined) => {
      const entry = node?.pack.entry ?? (await pickOAuthPack(shownPacks));
      if (entry === undefined) return;
      try {
        await sandboxes.change({ entry, switches: {}, expireNow: true });
        showForMoment("The sandbox's access tokens have expired.");
      } catch (error) {
        await services.showError(error, entry);
      }
    }),
  );
}

/** Returns what switches do, such as `API: refuses: 429`. */
export const switchesText = (switches: Partial<SandboxSwitches>): string =>
  Object.entries(switches)
    .map(([name, value]) => {
      const { title, values } = LABELS[name as SwitchName];
      return values === undefined ? title : `${title}: ${values[String(value)] ?? String(value)}`;
    })
    .join(", ");

const isFor = (pack: SandboxedPack, { needs }: Label): boolean => needs === undefined || pack[needs];

/** Returns the path of a pack's entry, for a command without a row (see choose-row.ts). */
async function pickOAuthPack(all: readonly SandboxedPack[]): Promise<string | undefined> {
  const packs = all.filter(({ isOAuth }) => isOAuth);
  if (packs.length === 0) void showInformation("No pack with OAuth2 is connected to the sandbox.");
  if (packs.length <= 1) return packs[0]?.entry;
  return pick({
    placeholder: "Which pack's tokens do you want to expire?",
    items: packs.map(({ entry }) => ({ label: packName(entry), description: vscode.workspace.asRelativePath(entry), value: entry })),
  });
}

const packItem = ({ entry, isOAuth }: SandboxedPack): vscode.TreeItem =>
  treeItem({ label: packName(entry), icon: "beaker", context: isOAuth ? "sandbox.oauth" : "sandbox", isOpen: true });

function switchItem(pack: SandboxedPack, name: SwitchName): vscode.TreeItem {
  const { title, tooltip, values } = LABELS[name];
  const value = pack.switches[name];
  if (values === undefined) return treeItem({ label: title, tooltip: [tooltip], isChecked: value === true });
  const description = values[String(value)] ?? String(value);
  const argument = { kind: "switch", pack, name } satisfies Node;
  const click = { command: "packAuth.sandbox.change", argument };
  return treeItem({ label: title, description, tooltip: [tooltip], spoken: `${title}: ${description}`, click });
}

function pickValue(pack: SandboxedPack, name: SwitchName): Promise<string | undefined> {
  const { title, values = {} } = LABELS[name];
  return pick({
    title: `${title} · ${packName(pack.entry)}`,
    placeholder: "What should it do?",
    items: Object.entries(values).map(([value, label]) => ({ label, value, active: pack.switches[name] === value })),
  });
}
