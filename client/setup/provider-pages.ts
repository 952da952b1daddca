// Shows what to do at a provider's console, with the redirect addresses to copy.
import { publishedAddress } from "../../platform/connect/published-address.ts";
import { addressToRegister } from "../../platform/oauth/receiver.ts";
import { providerText } from "../../platform/setup/provider-text.ts";
import type { ProviderPage } from "../../spec/provider-page.ts";
import type { Services } from "../services.ts";
import { showMarkdown } from "../shown/items.ts";
import { offer, showForMoment, showInformation } from "../shown/messages.ts";
import type { VirtualTexts } from "../shown/virtual-texts.ts";
import { openWebPage } from "../shown/web-page.ts";
import { redirectSettings } from "../window/settings.ts";

/** Opens the page beside the source, with the lines about where the configuration comes from. */
export async function openProviderPage(
  services: Services,
  texts: VirtualTexts,
  page: ProviderPage,
  entry: string,
  origins: readonly string[],
): Promise<void> {
  const host = services.host();
  const here = await addressToRegister(redirectSettings(), host);
  const uri = texts.add(`${page.id}.md`, providerText(page, { here, published: publishedAddress(entry) }, origins));
  await showMarkdown(uri);
  const consoleUrl = page.console?.url;
  if (page.oauth2 === undefined) return;
  void offer(showInformation, `Register ${here} at ${page.title}.`, {
    "Copy address": async () => {
      await host.copy(here);
      showForMoment(`Copied ${here}`);
    },
    ...(consoleUrl === undefined ? {} : { [`Open ${page.title}`]: () => openWebPage(consoleUrl) }),
  });
}
