import { type EntityType, entityOf, entityTypes, type LiveEventType, type Role } from '@bey/contract'

import { type AuditEntry, audit } from './audit/audit.ts'
import type { Db } from './db/database.ts'
import type { Caller, PublicCaller } from './http/handlers.ts'
import { type AnyPublishedEvent, publishAll } from './live/publish.ts'

/** A person as entries, events and pages name them. */
export type Person = { id: number; name: string; email: string }

/** Where an act came from; a step of a run has no address. */
type Origin = Partial<Pick<PublicCaller, 'ip' | 'userAgent' | 'requestId'>>

/** A person who acts in an organization. The caller of a request is one; `workflow`: a step of a run of theirs. */
export type Who = Origin & { organizationId: number; user: Person; via: Caller['via'] | 'workflow' }

/** A person with the role that they have in the organization. */
export type Member = Who & { role: Role }

/** Another actor: the server itself, or whoever holds a link. */
export type OtherActor = Origin & Pick<AuditEntry, 'organizationId' | 'actor' | 'via'>

/** Everything about an act but who does it. */
export type Act = Pick<
  AuditEntry,
  'action' | 'class' | 'target' | 'diff' | 'outcome' | 'intentId' | 'runId'
> & {
  /** Published with it. Without it, an act on a thing publishes the event that says that the thing changed. */
  event?: Unaddressed<AnyPublishedEvent>
}

type Unaddressed<E> = E extends unknown ? Omit<E, 'organizationId'> : never

/** The server, which acts by itself. */
export function serverItself(organizationId: number): OtherActor {
  return { organizationId, actor: { type: 'system', name: 'Bey', email: null }, via: 'system' }
}

/** Whoever opens a link that needs no account; `id` names the link. */
export function linkHolder(organizationId: number, id: string, origin: Origin): OtherActor {
  return {
    ...originOf(origin),
    organizationId,
    actor: { type: 'token', id, name: 'Whoever had the link', email: null },
    via: 'console',
  }
}

/** A person as the audit trail names them. */
export function personActor({ id, name, email }: Person): AuditEntry['actor'] {
  return { type: 'user', id, name, email }
}

/**
 * Publishes and audits an act in the transaction that does it. A refused or failed act, and one that only begins,
 * changes nothing, so it publishes nothing unless it brings an event. The entry comes last: others wait for its lock.
 */
export async function act(db: Db, who: Who | OtherActor, { event, ...entry }: Act): Promise<void> {
  const { organizationId } = who
  const published = event ?? changeEvent(entry)
  // Type and data belong together in each event that leads here.
  if (published) await publishAll(db, [{ organizationId, ...published } as AnyPublishedEvent])
  await audit(db, entryOf(who, entry))
}

/** The entry of an act, for those who write it on their own, such as an intent before the act. */
export function entryOf(who: Who | OtherActor, entry: Omit<Act, 'event'>): AuditEntry {
  const { organizationId } = who
  const by =
    'actor' in who
      ? { actor: who.actor, via: who.via }
      : { actor: personActor(who.user), via: auditVia[who.via] }
  return { organizationId, ...by, ...originOf(who), ...entry }
}

const auditVia = {
  session: 'console',
  kubeconfig: 'kubectl',
  api_key: 'api',
  workflow: 'workflow',
} as const satisfies Record<Who['via'], AuditEntry['via']>

function originOf({ ip, userAgent, requestId }: Origin): Origin {
  return {
    ...(ip !== undefined && { ip }),
    ...(userAgent !== undefined && { userAgent }),
    ...(requestId !== undefined && { requestId }),
  }
}

function changeEvent({
  target,
  outcome = 'success',
}: Act): { type: LiveEventType; data: object } | undefined {
  if (outcome !== 'success' || target?.id === undefined) return undefined
  const found = changeEvents.get(target.type)
  return found && { type: found.type, data: { [found.idField]: String(target.id) } }
}

/** The event of each type of thing that says that one of it changed. */
const changeEvents = new Map(entityTypes.flatMap((type) => changeEventOf(type)))

function changeEventOf(type: EntityType): [string, { type: LiveEventType; idField: string }][] {
  return Object.entries(entityOf(type).events).flatMap(([name, { changedId }]) =>
    // Names of events in a descriptor are those of the table of events.
    changedId === undefined ? [] : [[type, { type: name as LiveEventType, idField: changedId }]],
  )
}
