// The random tests of boundary.test.ts with all of their inputs, which the deep tests ask for.
import "./boundary.test.ts";
