/** Bounds of what is shown of a running server. */
export const insightLimits = {
  /** Sessions of one answer. */
  sessions: 300,
  /** Clients of one answer, those with the most connections. */
  clients: 50,
  /** Characters of a reason for the audit log. */
  reason: 500,
  /** Characters of a statement of a session. */
  sessionStatement: 2_000,
  /** Sessions of a tree of locks of a minute that is kept, characters of their statements, and for how long. */
  keptSessions: 40,
  keptStatement: 300,
  keptHours: 24,
  /** Minutes of one answer. */
  minutes: 200,
  /** Statements that are kept of a database: those that take the most time. */
  statements: 200,
  /** Characters of a statement that is kept. */
  statementText: 10_000,
  /** Pieces of advice on a database. */
  advice: 200,
} as const

/** What sessions at work wait for: nothing but the processor, reading and writing, a lock of others, or anything else. */
export const waitClasses = ['cpu', 'io', 'lock', 'other'] as const
export type WaitClass = (typeof waitClasses)[number]

/** The class of `wait_event_type` of pg_stat_activity for a session that is active. */
export function waitClassOf(waitEventType: string | null): WaitClass {
  if (waitEventType === null) return 'cpu'
  if (waitEventType === 'IO') return 'io'
  return waitEventType === 'Lock' ? 'lock' : 'other'
}

/** What the tree of locks needs of a session. */
type Waiting = { pid: number; blockedBy: readonly number[] }

/** A session in the tree: below the one that it waits for. */
export type LockNode<S extends Waiting> = {
  session: S
  depth: number
  /** How many waiting sessions go on once this one is gone. */
  frees: number
}

/**
 * Sessions that wait and those that hold them up, each below one that it waits for, each once. A session that waits for
 * several stands below one that waits for nobody, where there is one.
 */
export function lockTree<S extends Waiting>(sessions: readonly S[]): LockNode<S>[] {
  const byPid = new Map(sessions.map((session) => [session.pid, session]))
  const waits = (session: S) => session.blockedBy.length > 0
  const holders = new Set(sessions.flatMap(({ blockedBy }) => blockedBy))
  const shown = sessions.filter((session) => waits(session) || holders.has(session.pid))
  const parentOf = (session: S): number | undefined => {
    const known = session.blockedBy.filter((pid) => byPid.has(pid) && pid !== session.pid)
    return known.find((pid) => byPid.get(pid)?.blockedBy.length === 0) ?? known[0]
  }
  const children = new Map<number | undefined, S[]>()
  for (const session of shown) {
    const parent = parentOf(session)
    children.set(parent, [...(children.get(parent) ?? []), session])
  }
  const nodes: LockNode<S>[] = []
  const placed = new Set<number>()
  const place = (session: S, depth: number): void => {
    if (placed.has(session.pid)) return
    placed.add(session.pid)
    nodes.push({ session, depth, frees: freedBy(session.pid, shown).size })
    for (const child of children.get(session.pid) ?? []) place(child, depth + 1)
  }
  for (const root of children.get(undefined) ?? []) place(root, 0)
  // Sessions of a deadlock wait for each other until the server ends one of them.
  for (const session of shown) place(session, 0)
  return nodes
}

/** Pids of the sessions that wait for nobody else once this one is gone, and for those that go on then. */
export function freedBy(pid: number, sessions: readonly Waiting[]): Set<number> {
  const gone = new Set([pid])
  for (let before = 0; before < gone.size;) {
    before = gone.size
    for (const { pid: waiter, blockedBy } of sessions) {
      if (blockedBy.length > 0 && blockedBy.every((blocker) => gone.has(blocker))) gone.add(waiter)
    }
  }
  gone.delete(pid)
  return gone
}

/** What is said above the tree; undefined where nothing waits. */
export type LockSummary<S extends Waiting> = {
  waiting: number
  /** The session whose end frees the most, and how many it frees. */
  best: { session: S; frees: number }
  /** The most that the end of any other session frees. */
  nextFrees: number
}

/** How many wait, and which one session ends the most of it. */
export function lockSummary<S extends Waiting>(nodes: readonly LockNode<S>[]): LockSummary<S> | undefined {
  const waiting = nodes.filter(({ session }) => session.blockedBy.length > 0).length
  const [best, next] = nodes.toSorted((a, b) => b.frees - a.frees || a.depth - b.depth)
  if (best === undefined || waiting === 0) return undefined
  return { waiting, best: { session: best.session, frees: best.frees }, nextFrees: next?.frees ?? 0 }
}
