// The lines of the tables of requests.test.ts that the core leaves out.
import "./requests.test.ts";
