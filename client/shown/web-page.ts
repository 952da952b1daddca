// The one way out to the browser.
import * as vscode from "vscode";
import { isWebPage } from "./foreign-text.ts";

/** False where it is no page of the web, or was declined. As a string: a Uri would be encoded once more, which breaks addresses in queries. */
export const openWebPage = async (url: string): Promise<boolean> =>
  isWebPage(url) && (await vscode.env.openExternal(url as unknown as vscode.Uri));
