import { exitCodes } from '../errors.ts'
import { printReply } from '../output/print.ts'
import { version } from '../session.ts'
import type { Call } from './hand-made.ts'

/** Says so where the two differ: commands are those of the server that the program came from. */
export async function printVersion({ session }: Call): Promise<number> {
  const { client, target, flags, terminal, signal } = session
  const server = await client.call('status.version', {}, { signal })
  if (server.version !== version)
    terminal.note(
      `bey ${version} and the server ${server.version} differ. Download the program again from ${target.url}/workspaces/settings/cli\n`,
    )
  printReply(
    terminal,
    { bey: version, server: server.version, url: target.url, node: process.versions.node },
    flags,
    { columns: [] },
  )
  return exitCodes.ok
}
