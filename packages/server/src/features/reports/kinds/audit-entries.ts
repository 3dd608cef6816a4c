import type { HandlerOutput } from '@bey/contract'
import type { Material } from '../draft.ts'

export type Entry = HandlerOutput<'audit.list'>['entries'][number]

/** More than this many entries are not put on paper: the export of the audit log has them. */
const maxEntries = 3_000

/** Entries of the audit log of a period that changed something, the newest first. */
export async function readEntries(
  { read, span }: Material,
  filter: { search?: string },
): Promise<{ entries: Entry[]; isWhole: boolean }> {
  const entries: Entry[] = []
  const query = {
    ...filter,
    from: span.from.toISOString(),
    to: new Date(span.to.getTime() - 1).toISOString(),
    limit: 200,
  }
  let cursor: string | undefined
  for (let pages = 0; pages < 100 && entries.length < maxEntries; pages += 1) {
    const page = await read('audit.list', { query: { ...query, ...(cursor !== undefined && { cursor }) } })
    entries.push(...page.entries.filter((entry) => entry.class !== 'read'))
    if (page.nextCursor === null)
      return { entries: entries.slice(0, maxEntries), isWhole: entries.length <= maxEntries }
    cursor = page.nextCursor
  }
  return { entries: entries.slice(0, maxEntries), isWhole: false }
}
