import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { exitCodes, UsageError } from '../errors.ts'
import { idOf } from '../names.ts'
import type { Call } from './hand-made.ts'

/** Writes a logical dump of a database to a file, which gets its name only when it is complete. */
export async function dumpDatabase({ session, args, values }: Call): Promise<number> {
  const { client, signal, terminal } = session
  const [name] = args
  if (name === undefined) throw new UsageError('Name the database: bey databases dump orders')
  const id = String(await idOf(client, 'databases', name, signal))
  const file =
    typeof values['file'] === 'string' ? values['file'] : `${name.replaceAll(/[^\w.-]/g, '-')}.dump`
  const { body } = await client.stream('databases.downloadDump', { params: { id } }, { signal })
  if (body === null) throw new Error('The reply has no body')
  const partial = `${file}.part`
  try {
    // The types of the two worlds differ, and the streams do not.
    await pipeline(Readable.fromWeb(body as ReadableStream), createWriteStream(partial, { mode: 0o600 }), {
      signal,
    })
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  terminal.note(`Wrote ${file}. Restore it: pg_restore --dbname=<connection string> ${file}\n`)
  return exitCodes.ok
}
