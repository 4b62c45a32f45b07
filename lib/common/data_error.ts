/**
 * Data that cannot be used: a broken file, a foreign table, a value that makes no sense where it stands.
 *
 * The message says what was found, where, and what was wanted.
 */
export class DataError extends Error {
  /** The name that `String(error)` starts with. */
  override readonly name = "DataError";
}
