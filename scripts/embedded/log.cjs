// Replaces the editor's native log module (@vscode/spdlog), so that its output channels work without a compiler. It has the functions that
// the editor calls. Logs do not rotate, because the data folder is deleted with the editor.
const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");

const LEVELS = ["trace", "debug", "info", "warning", "error", "critical"];
const OFF = LEVELS.length;

class Logger {
  #path;
  #level = 0;
  #isPlain = false;

  constructor(path) {
    this.#path = path;
  }

  #write(level, message) {
    if (level < this.#level || this.#level >= OFF) return;
    const time = new Date().toISOString().replace("T", " ").slice(0, -1);
    appendFileSync(this.#path, this.#isPlain ? message : `${time} [${LEVELS[level]}] ${message}\n`);
  }

  trace = (message) => this.#write(0, message);
  debug = (message) => this.#write(1, message);
  info = (message) => this.#write(2, message);
  warn = (message) => this.#write(3, message);
  error = (message) => this.#write(4, message);
  critical = (message) => this.#write(5, message);
  getLevel = () => this.#level;
  setLevel(level) {
    this.#level = level;
  }
  /** Messages are then written without a prefix. */
  clearFormatters() {
    this.#isPlain = true;
  }
  setPattern() {}
  flush() {}
  drop() {}
}

exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createAsyncRotatingLogger = async (_name, path) => {
  mkdirSync(dirname(path), { recursive: true });
  return new Logger(path);
};
exports.createRotatingLogger = exports.createAsyncRotatingLogger;
