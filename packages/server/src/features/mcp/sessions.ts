import { mcpBounds } from '@bey/contract'
import type { Clock } from '../../platform/clock.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import type { AccessEnd } from '../../platform/live/access-end.ts'
import type { Log } from '../../platform/log.ts'
import type { McpSession } from './session.ts'

/** The caller that a session belongs to; every other caller gets `not_found`. */
type Owner = Pick<TenantCaller, 'sessionId' | 'organizationId'> & {
  userId: number
  keyId: string | undefined
}
type Kept = { session: McpSession; owner: Owner; usedAtMs: number }

export type McpSessions = {
  /** Opens one; the caller's own least recently used one ends where they have too many. */
  open(caller: TenantCaller): Promise<McpSession>
  /** Throws AppError `not_found` for one that has ended or is somebody else's. */
  find(id: string, caller: TenantCaller): McpSession
  /** Ends one of the caller's; nothing happens where there is none. */
  end(id: string, caller: TenantCaller): Promise<void>
  /** Ends every session that depends on a right. */
  endBy(ended: AccessEnd): void
  endAll(): Promise<void>
  close(): Promise<void>
}

type Parts = { open: (id: string) => Promise<McpSession>; clock: Clock; log: Log }

/** Sessions of this process. They hold nothing that a client cannot open anew. */
export function createSessions({ open, clock, log }: Parts): McpSessions {
  const kept = new Map<string, Kept>()

  async function end(id: string): Promise<void> {
    const found = kept.get(id)
    kept.delete(id)
    await found?.session
      .close()
      .catch((error: unknown) =>
        log.debug({ err: error }, 'A session of an assistant was not closed cleanly'),
      )
  }

  function makeRoom(owner: Owner): void {
    const own = [...kept].filter(([, each]) => isSame(each.owner, owner))
    const [oldest] = own.toSorted(([, one], [, other]) => one.usedAtMs - other.usedAtMs)
    if (own.length >= mcpBounds.sessionsPerCredential && oldest) void end(oldest[0])
    if (kept.size >= mcpBounds.sessionsInAll)
      throw new AppError(
        'limit_reached',
        `This server holds ${mcpBounds.sessionsInAll} sessions of assistants, which are all it takes. Try again in a few minutes.`,
      )
  }

  const cancel = clock.setInterval(() => {
    const since = clock.monotonicMs() - mcpBounds.idleMinutes * 60_000
    for (const [id, { usedAtMs }] of kept) if (usedAtMs < since) void end(id)
  }, 60_000)

  const endAll = async () => void (await Promise.all([...kept.keys()].map(end)))
  return {
    async open(caller) {
      const owner = ownerOf(caller)
      makeRoom(owner)
      const session = await open(uuidv7())
      kept.set(session.id, { session, owner, usedAtMs: clock.monotonicMs() })
      return session
    },
    find(id, caller) {
      const found = kept.get(id)
      if (found === undefined || !isSame(found.owner, ownerOf(caller)))
        throw new AppError(
          'not_found',
          'This session of an assistant has ended: it was not used for a while, its key or login changed, the server was started anew, or another server holds it. Begin a new one with initialize.',
        )
      found.usedAtMs = clock.monotonicMs()
      return found.session
    },
    async end(id, caller) {
      const found = kept.get(id)
      if (found && isSame(found.owner, ownerOf(caller))) await end(id)
    },
    endBy(ended) {
      for (const [id, { owner }] of kept) if (isEndedBy(owner, ended)) void end(id)
    },
    endAll,
    async close() {
      cancel()
      await endAll()
    },
  }
}

function ownerOf({ sessionId, organizationId, user, key }: TenantCaller): Owner {
  return { sessionId, organizationId, userId: user.id, keyId: key?.id }
}

function isSame(one: Owner, other: Owner): boolean {
  return one.sessionId === other.sessionId && one.organizationId === other.organizationId
}

function isEndedBy({ sessionId, organizationId, userId, keyId }: Owner, ended: AccessEnd): boolean {
  switch (ended.kind) {
    case 'session':
    case 'key':
      return sessionId === ended.id
    case 'keyChange':
      return keyId === ended.keyId
    case 'user':
      return userId === ended.userId
    case 'member':
      return userId === ended.userId && organizationId === ended.organizationId
    case 'organization':
      return organizationId === ended.organizationId
    case 'token':
    case 'cluster':
      return false
  }
}
