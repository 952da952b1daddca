// Opens web pages. Every address that the browser opens goes through this file.
import * as vscode from "vscode";
import { isWebPage } from "./foreign-text.ts";

/**
 * Returns false if the URL is not a web page, or if the person declined. Passes a string, because a Uri would be encoded again, which
 * breaks addresses in queries.
 */
export const openWebPage = async (url: string): Promise<boolean> =>
  isWebPage(url) && (await vscode.env.openExternal(url as unknown as vscode.Uri));
