import { exitCodes } from '../errors.ts'
import { printReply } from '../output/print.ts'
import { version } from '../session.ts'
import type { Call } from './hand-made.ts'

/** Prints both versions; the session says what to do where they differ. */
export async function printVersion({ session }: Call): Promise<number> {
  const { client, target, flags, terminal, signal } = session
  const server = await client.call('status.version', {}, { signal })
  printReply(
    terminal,
    { bey: version, server: server.version, url: target.url, node: process.versions.node },
    flags,
    { columns: [] },
  )
  return exitCodes.ok
}
