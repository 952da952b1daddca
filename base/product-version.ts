import { version } from "../package.json";

/** The version of the product, from its manifest. */
export const PRODUCT_VERSION: string = version;
