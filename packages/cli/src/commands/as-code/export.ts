import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '@bey/client'
import type { AsCodeDocument } from '@bey/contract'
import { stringify } from 'yaml'
import { exitCodes, UsageError } from '../../errors.ts'
import { formatOf, printReply } from '../../output/print.ts'
import type { Session } from '../../session.ts'
import type { Call } from '../hand-made.ts'

/** Prints what there is as documents that `bey apply` takes, or writes a file for each. */
export async function exportFiles({ session, args, values }: Call): Promise<number> {
  const { client, terminal, flags, signal } = session
  const { kinds } = await client.call('asCode.kinds', {}, { signal })
  const known = kinds.map(({ kind }) => kind)
  const [asked, name] = args
  if (asked !== undefined && !known.includes(asked))
    throw new UsageError(`There is no kind "${asked}". There are ${known.join(', ')}.`)
  const documents: AsCodeDocument[] = []
  for (const kind of asked === undefined ? known : [asked]) {
    try {
      documents.push(...(await documentsOf(session, kind, name)))
    } catch (error) {
      // Of all kinds, those that the caller may not read are left out, and named.
      if (asked !== undefined || !(error instanceof ApiError) || error.status !== 403) throw error
      terminal.note(`Left out: ${kind}. ${error.detail}\n`)
    }
  }
  if (name !== undefined && documents.length === 0)
    throw new UsageError(`There is no ${asked} "${name}". See bey export ${asked}.`)
  const { dir } = values
  if (typeof dir === 'string') return writeAll(session, dir, documents)
  if (formatOf(flags) === 'json')
    printReply(terminal, { documents }, flags, { list: 'documents', columns: [] })
  else terminal.out(documents.map(yamlText).join('---\n'))
  return exitCodes.ok
}

async function documentsOf({ client, signal }: Session, kind: string, name: string | undefined) {
  const documents: AsCodeDocument[] = []
  for (let page = 1; ; page += 1) {
    const query = { kind, page, ...(name !== undefined && { name }) }
    const reply = await client.call('asCode.export', { query }, { signal })
    documents.push(...reply.documents)
    if (!reply.hasMore) return documents
  }
}

function yamlText(document: AsCodeDocument): string {
  return stringify(document, { lineWidth: 110 })
}

function writeAll({ terminal, flags }: Session, dir: string, documents: readonly AsCodeDocument[]): number {
  const files = documents.map((document, index) => {
    const others = documents.slice(0, index)
    const file = join(document.kind, `${fileName(document.name)}.yaml`)
    // Two names can be the same in the characters of a file name.
    const isTaken = others.some(
      (each) => each.kind === document.kind && fileName(each.name) === fileName(document.name),
    )
    return { document, file: isTaken ? file.replace(/\.yaml$/, `-${index}.yaml`) : file }
  })
  for (const { document, file } of files) {
    mkdirSync(join(dir, document.kind), { recursive: true })
    writeFileSync(join(dir, file), yamlText(document))
  }
  if (formatOf(flags) === 'table') terminal.out(`Wrote ${files.length} files to ${dir}.\n`)
  else printReply(terminal, { files: files.map(({ file }) => file) }, flags, { columns: [] })
  return exitCodes.ok
}

function fileName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 80) || 'unnamed'
  )
}
