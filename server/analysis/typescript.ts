// The only import of ts-morph, whose bundled TypeScript is the analysis' only parser.
export { ts } from "ts-morph";
