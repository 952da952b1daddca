// packed.test.ts on each Node version, which the deep tests ask for.
import "./packed.test.ts";
