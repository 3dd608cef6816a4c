/** What a command has said, and how it ended. */
export type Result = { out: string | Buffer; error: string; code: number }

/** A command that went well. */
export function done(out: string | Buffer = ''): Result {
  return { out, error: '', code: 0 }
}

/** A command that did not, with what it says of it. */
export function failed(error: string, code = 1): Result {
  return { out: '', error: `${error}\n`, code }
}
