import type { LineLevel } from './log-level.ts'

/** Writes to the log from where the first page is made: the logger itself is loaded when there is something to write. */
export function log(level: LineLevel, message: string, detail?: unknown): void {
  void import('./logger.ts').then(
    ({ logger }) => logger.write(level, message, detail),
    // The server that does not answer is also the one that has the logger.
    // oxlint-disable-next-line no-console -- the last resort
    () => console.warn(message, detail),
  )
}
