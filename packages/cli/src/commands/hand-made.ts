import type { ParseArgsConfig } from 'node:util'
import type { Session } from '../session.ts'

/** What a hand-made command is given. */
export type Call = {
  session: Session
  /** Arguments without dashes, behind the words of the command. */
  args: string[]
  values: Readonly<Record<string, unknown>>
  /** Everything behind `--`. */
  afterDashes: string[]
}

/** A command with a file of its own, because people need more than one request. */
export type HandMadeCommand = {
  words: string
  /** Arguments and flags, as help prints them. */
  usage: string
  summary: string
  options?: NonNullable<ParseArgsConfig['options']>
  /** Flags in words, by name. */
  flagHelp?: Readonly<Record<string, string>>
  /** Loads and runs it; answers the exit code. */
  run(call: Call): Promise<number>
}
