// escape.test.ts on each Node version, which the deep tests ask for.
import "./escape.test.ts";
