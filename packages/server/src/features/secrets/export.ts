import { act } from '../../platform/act.ts'
import {
  accessIncludes,
  type SecretFilter,
  secretLimits,
  type SecretTransferFormat,
  type SecretType,
} from '@bey/contract'
import { AppError } from '../../platform/errors.ts'
import type { Db } from '../../platform/db/database.ts'
import { rateBuckets } from '../../platform/rate-buckets.ts'
import { accessOf } from './access.ts'
import {
  openValue,
  readerName,
  recordDenial,
  sealContext,
  type SecretParts,
  secretTarget,
  subjectOf,
  type Who,
} from './parts.ts'
import { findSecrets, grantsBySecret, listSecrets, type SecretRow, touchSecret } from './store.ts'
import { recordUse } from './use-store.ts'
import { decodeValue } from './value.ts'
import { findSealed } from './version-store.ts'
import { type FileSecret, writeFile } from './write-file.ts'

type ExportInput = {
  ids?: string[] | undefined
  filter?:
    | {
        search?: string | undefined
        type?: SecretType | undefined
        label?: string | undefined
        filter?: SecretFilter | undefined
      }
    | undefined
  format: SecretTransferFormat
  reason: string
}

/** Files that one person may take: a store is not carried away in a loop. */
const limit = { burst: 5, perSecond: 1 / 60 }

/** Values of several secrets as a file, once the audit rows of all these reads are committed. */
export function createExport({ database, dataKeys, clock }: SecretParts) {
  const buckets = rateBuckets(clock, limit)

  async function chosen(db: Db, { ids, filter }: ExportInput, who: Who): Promise<SecretRow[]> {
    const { organizationId } = who
    const most = secretLimits.exportEntries
    if (ids !== undefined) {
      const rows = await findSecrets(db, organizationId, ids)
      if (rows.length === new Set(ids).size) return rows
      throw new AppError('not_found', 'Some of these secrets do not exist in this organization.')
    }
    const page = { ...filter, status: 'active' as const, sort: 'name' as const, page: 1, limit: most + 1 }
    const { rows } = await listSecrets(db, organizationId, page)
    if (rows.length > most) {
      throw new AppError(
        'limit_reached',
        `More than ${most} secrets match; at most ${most} are exported at once.`,
      )
    }
    if (rows.length === 0) throw new AppError('not_found', 'No secret that is in use matches.')
    return rows
  }

  async function requireReadable(rows: readonly SecretRow[], reason: string, who: Who): Promise<void> {
    const ids = rows.map(({ id }) => id)
    const grants = await database.readTenant(who.organizationId, (db) =>
      grantsBySecret(db, who.organizationId, ids),
    )
    const closed = rows.filter(({ id }) => {
      const access = accessOf(subjectOf(who), grants.get(id) ?? [])
      return access === null || !accessIncludes(access, 'read')
    })
    if (closed.length === 0) return
    for (const row of closed) await recordDenial(database, row, 'secret.export', reason, who)
    throw new AppError(
      'forbidden',
      `You may not read the value of ${closed.length} of these secrets, the first "${closed[0]?.name}". Nothing was exported. Their managers can grant it to you.`,
    )
  }

  return async function exportFile(input: ExportInput, who: Who) {
    const { organizationId } = who
    if (!buckets.take(String(who.user.id)).isAllowed) {
      throw new AppError('rate_limited', 'You exported several files in a short time. Wait a minute.')
    }
    const rows = await database.readTenant(organizationId, (db) => chosen(db, input, who))
    await requireReadable(rows, input.reason, who)
    const unused = rows.find(({ status }) => status !== 'active')
    if (unused)
      throw new AppError('conflict', `The secret "${unused.name}" is not in use. Enable or restore it first.`)
    const text = await database.withTenant(organizationId, async (db) => {
      const open = await dataKeys.opener(db, organizationId)
      const secrets: FileSecret[] = []
      // In one order, so that of two exports neither waits for the other in a circle.
      for (const row of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
        const { id, name, type, description, currentVersion: version } = row
        const found = await findSealed(db, organizationId, id, version)
        if (!found?.sealed)
          throw new AppError('conflict', `The secret "${name}" was changed meanwhile. Export again.`)
        const at = clock.now()
        await touchSecret(db, organizationId, id, { lastReadAt: at, lastReadBy: readerName(who) })
        const subject = {
          subjectType: 'user',
          subjectId: String(who.user.id),
          subjectName: who.user.name,
        } as const
        await recordUse(db, { organizationId, secretId: id, version, at, ...subject })
        const diff = { reason: input.reason, version, format: input.format, secrets: rows.length }
        await act(db, who, { action: 'secret.export', class: 'read', diff, target: secretTarget(row) })
        const { sealed } = found
        const plain = await openValue(row, version, () => open(sealed, sealContext(id, version)))
        secrets.push({ name, type, description, ...decodeValue(plain) })
      }
      return writeFile(
        input.format,
        secrets.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      )
    })
    return { text, ...fileOf[input.format] }
  }
}

const fileOf: Record<SecretTransferFormat, { mediaType: string; fileName: string }> = {
  env: { mediaType: 'text/plain; charset=utf-8', fileName: 'secrets.env' },
  yaml: { mediaType: 'application/yaml; charset=utf-8', fileName: 'secrets.yaml' },
  kubernetes: { mediaType: 'application/yaml; charset=utf-8', fileName: 'secrets.kubernetes.yaml' },
}
