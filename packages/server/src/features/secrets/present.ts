import { presentActor } from '../../platform/present-actor.ts'
import {
  accessIncludes,
  type Secret,
  type SecretAccess,
  type SecretActivity,
  type SecretDetail,
  type SecretGrant,
  type SecretVersion,
} from '@bey/contract'
import type { AuditRow } from '../../platform/audit/audit.ts'
import type { StoredRotation } from '../../tables/secrets.ts'
import type { SecretGrantRow, SecretRow } from './store.ts'
import type { VersionRow } from './version-store.ts'

export function presentSecret(row: SecretRow, access: SecretAccess | null): Secret {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    labels: row.labels,
    status: row.status,
    currentVersion: row.currentVersion,
    maxVersions: row.maxVersions,
    requireCas: row.requireCas,
    expiresAt: text(row.expiresAt),
    purgeAt: text(row.purgeAt),
    valueChangedAt: row.valueChangedAt.toISOString(),
    lastReadAt: text(row.lastReadAt),
    lastReadBy: row.lastReadBy,
    lastUsedAt: text(row.lastUsedAt),
    nextRotationAt: text(row.nextRotationAt),
    usedByCount: row.usedByCount,
    access,
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function presentDetail(
  row: SecretRow,
  access: SecretAccess | null,
  duplicates: SecretDetail['duplicates'],
): SecretDetail {
  const { facts, rotation, rowVersion } = row
  return {
    ...presentSecret(row, access),
    facts: factsFor(facts, access),
    rotation: rotation && { ...withoutKey(rotation), overlapHours: rotation.overlapHours ?? null },
    rotatedAt: text(row.rotatedAt),
    rotationFailure: failureOf(row),
    duplicates,
    rowVersion,
  }
}

/** User names, hosts and contexts are parts of the value: only who may read that sees them. A certificate is public. */
function factsFor(facts: SecretDetail['facts'], access: SecretAccess | null): SecretDetail['facts'] {
  if (access !== null && accessIncludes(access, 'read')) return facts
  return { fields: {}, certificate: facts.certificate, contexts: [] }
}

/** The schedule as it is written; the key that chose its workflow bounds its runs alone. */
export function withoutKey({ keyId: _keyId, ...rotation }: StoredRotation): Omit<StoredRotation, 'keyId'> {
  return rotation
}

function failureOf(row: SecretRow): SecretDetail['rotationFailure'] {
  const { rotationFailure: cause, rotationFailedAt: at, rotationRetryAt: retryAt, rotationAttempts } = row
  if (cause === null || at === null || retryAt === null) return null
  return { cause, at: at.toISOString(), attempts: rotationAttempts, retryAt: retryAt.toISOString() }
}

/** `all` are the versions of the secret, newest first: by them equal values are found. */
export function presentVersion(row: VersionRow, all: readonly VersionRow[]): SecretVersion {
  const { version, status, reason, restoredFrom, valueHash } = row
  const twin = all.find((other) => other.version < version && other.valueHash === valueHash)
  return {
    version,
    status,
    reason,
    restoredFrom,
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
    liveUntil: text(row.liveUntil),
    equals: valueHash === null ? null : (twin?.version ?? null),
  }
}

export function presentGrant({ subjectType, subjectId, subjectName, access }: SecretGrantRow): SecretGrant {
  return { subjectType, subjectId, subjectName, access }
}

export type ActivityRow = Pick<AuditRow, 'action' | 'via' | 'ip' | 'requestId' | 'runId' | 'diff'> & {
  id: string
  at: Date
  outcome: string
  actor: string
}

export function presentActivity(row: ActivityRow): SecretActivity {
  return {
    id: row.id,
    at: row.at.toISOString(),
    action: row.action,
    outcome: row.outcome === 'failure' || row.outcome === 'denied' ? row.outcome : 'success',
    actor: row.actor,
    via: row.via,
    ip: row.ip ?? null,
    requestId: row.requestId ?? null,
    runId: row.runId ?? null,
    diff: row.diff ?? null,
  }
}

function text(at: Date | null): string | null {
  return at?.toISOString() ?? null
}
