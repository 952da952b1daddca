// Bundles a pack once.
import { type BundleOptions, createBundler, type PackBundle } from "../../platform/bundle/bundle.ts";

export async function bundlePack(entry: string, options: BundleOptions = {}): Promise<PackBundle> {
  const bundler = await createBundler(entry, options);
  try {
    return await bundler.build();
  } finally {
    await bundler.dispose();
  }
}
