import type { AuditEntry, AuditEntryDetail } from '@bey/contract'
import type { EntryDetailRow, EntryRow } from './store.ts'

export function presentEntry(row: EntryRow): AuditEntry {
  const { diff } = row
  return {
    id: row.id,
    number: row.position === null ? null : Number(row.position),
    at: new Date(row.at).toISOString(),
    actor: { type: row.actorType, id: row.actorId, name: row.actorDisplay, email: row.actorEmail },
    impersonatedBy: impersonatorOf(diff),
    via: row.via,
    action: row.action,
    class: row.class,
    target: row.targetType === null ? null : { type: row.targetType, id: row.targetId, name: row.targetName },
    object: row.objectKey,
    outcome: row.outcome,
    reason: row.outcome === 'success' ? null : reasonOf(diff),
    ip: row.ip,
    userAgent: row.userAgent,
    requestId: row.requestId,
    runId: row.runId,
  }
}

export function presentDetail(row: EntryDetailRow): AuditEntryDetail {
  const { grounds, linkHash, previousHash, counterpartId, counterpartOutcome } = row
  return {
    ...presentEntry(row),
    diff: row.diff ?? {},
    role: grounds?.role ?? null,
    permission: grounds?.permission ?? null,
    sessionId: grounds?.sessionId ?? null,
    link:
      linkHash === null || previousHash === null
        ? null
        : {
            hash: linkHash.toString('hex'),
            previousHash: previousHash.toString('hex'),
            isIntact: row.isIntact === true,
          },
    counterpart:
      counterpartId === null || counterpartOutcome === null
        ? null
        : {
            id: counterpartId,
            number: row.counterpartPosition === null ? null : Number(row.counterpartPosition),
            outcome: counterpartOutcome,
          },
  }
}

function impersonatorOf(diff: EntryRow['diff']): AuditEntry['impersonatedBy'] {
  const by = diff?.['impersonatedBy']
  if (typeof by !== 'object' || by === null || !('name' in by) || typeof by.name !== 'string') return null
  // Entries from before the address was recorded hold it as the name.
  return { name: by.name, email: 'email' in by && typeof by.email === 'string' ? by.email : null }
}

/** What the entry itself says of why it did not succeed. */
function reasonOf(diff: EntryRow['diff']): string | null {
  for (const key of ['reason', 'error', 'permission'] as const) {
    const text = diff?.[key]
    if (typeof text === 'string' && text !== '') return `${text.slice(0, 300)}${timesOf(diff)}`
  }
  const code = diff?.['code']
  return typeof code === 'number' ? `status ${code}${timesOf(diff)}` : null
}

/** Refusals are counted: one entry for those of a minute. */
function timesOf(diff: EntryRow['diff']): string {
  const times = diff?.['times'] ?? diff?.['count']
  return typeof times === 'number' && times > 1 ? ` (${times} times)` : ''
}
