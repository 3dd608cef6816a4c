import { type AuditEntry, audit } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/db/database.ts'
import { publish } from '../../platform/live/publish.ts'

export type Who = { userId: number; name: string; host: string } & Pick<
  AuditEntry,
  'via' | 'ip' | 'userAgent' | 'requestId'
>

/** Publishes and audits a change. The audit entry comes last: its lock is held until the transaction ends. */
export async function recordChange(
  db: Db,
  organizationId: number,
  of: { id: string; componentName: string },
  act: Act,
) {
  const { who, ...entry } = act
  await publish(db, { organizationId, type: 'ANNOTATIONS_UPDATE', data: { annotationId: of.id } })
  const target = { type: 'annotation', id: of.id, name: of.componentName.slice(0, 200) }
  await audit(db, { organizationId, ...origin(who), target, ...entry })
}

/** Who did something, as the audit log names them. */
export function origin({ userId, name, via, ip, userAgent, requestId }: Who) {
  return { actor: { type: 'user', id: userId, display: name } as const, via, ip, userAgent, requestId }
}

type Act = { who: Who; action: string; class: AuditEntry['class']; diff?: Record<string, unknown> }
