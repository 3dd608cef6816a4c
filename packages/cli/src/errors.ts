/** What the process answers when it ends. */
export const exitCodes = { ok: 0, error: 1, usage: 2, refused: 4, running: 8, interrupted: 130 } as const

/** A command that was typed wrongly. Exit code 2. */
export class UsageError extends Error {}

/** Ends the process with a code; an empty message prints nothing. */
export class CommandError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.error) {
    super(message)
    this.exitCode = exitCode
  }
}
