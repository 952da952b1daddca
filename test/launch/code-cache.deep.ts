// code-cache.test.ts on each Node version, which the deep tests ask for.
import "./code-cache.test.ts";
