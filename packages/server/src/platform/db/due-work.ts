import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Database } from './database.ts'

/** Everything that is due is begun so soon after. */
const lookEveryMs = 500

export type DueParts = { database: Pick<Database, 'ownerPool' | 'isUp'>; clock: Clock; log: Log }

type Work = {
  /** An SQL condition over all organizations, quick where nothing is due. `$1` is the time by the server's clock. */
  isDue: string
  /** Begins the work, and takes it itself: another process may have been quicker. Must not throw. */
  begin: () => void
}

type Watch = { works: Set<Work>; stop: () => void }

const watches = new WeakMap<DueParts['database'], Watch>()

/**
 * Begins work whenever some of it is due, until stopped. One query in half a second asks for the work of all callers
 * that share a database: a server at rest would else spend most of its time on asking for each of them.
 */
export function whenDue(parts: DueParts, work: Work): () => void {
  const { database } = parts
  const watch = watches.get(database) ?? startWatch(parts)
  watches.set(database, watch)
  watch.works.add(work)
  return () => {
    watch.works.delete(work)
    if (watch.works.size > 0) return
    watch.stop()
    watches.delete(database)
  }
}

function startWatch({ database, clock, log }: DueParts): Watch {
  const works = new Set<Work>()
  let isLooking = false

  async function check(): Promise<void> {
    const asked = [...works]
    const conditions = asked.map(({ isDue }, index) => `(${isDue}) as "${index}"`)
    // A name for each text: the server plans a named query a few times only.
    const { rows } = await database.ownerPool.query<Record<string, boolean>>({
      name: nameOf(asked),
      text: `select $1::timestamptz as at, ${conditions.join(', ')}`,
      values: [clock.now().toISOString()],
    })
    for (const [index, work] of asked.entries()) {
      if (rows[0]?.[index] && works.has(work)) work.begin()
    }
  }

  const stop = clock.setInterval(() => {
    if (isLooking || !database.isUp()) return
    isLooking = true
    check()
      .catch((error: unknown) => log.debug({ err: error }, 'The server could not look for what is due'))
      .finally(() => (isLooking = false))
  }, lookEveryMs)
  return { works, stop }
}

const names = new Map<string, string>()

function nameOf(works: readonly Work[]): string {
  const text = works.map(({ isDue }) => isDue).join('\n')
  const name = names.get(text) ?? `due_work_${names.size}`
  names.set(text, name)
  return name
}
