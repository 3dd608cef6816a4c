import type { Config } from '../config.ts'
import type { Log } from '../platform/log.ts'

/** What a command of the operator is given. It acts on the instance's own data, with the environment of the server. */
export type OperatorCall = {
  args: string[]
  config: Config
  log: Log
  /** Results, for programs and people. */
  out(text: string): void
  /** Messages for people. */
  note(text: string): void
  /** Where programs are looked for. */
  path: string | undefined
  signal: AbortSignal
  now(): Date
}
