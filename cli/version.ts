import { PRODUCT_VERSION } from "../base/product-version.ts";

/** Returns the version of the product. */
export const version = (): string => PRODUCT_VERSION;
