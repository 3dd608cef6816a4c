import { auditActionText, auditBounds } from '@bey/contract/audit/rules'
import { act } from '../../platform/act.ts'
import type { SigningKey } from '../../platform/audit/signing-key.ts'
import type { Database } from '../../platform/db/database.ts'
import { exactTotal, totalOf } from '../../platform/db/totals.ts'
import { AppError } from '../../platform/errors.ts'
import { answer } from '../../platform/http/answer.ts'
import type { Handlers } from '../../platform/http/handlers.ts'
import { listCheckpoints } from './checkpoint-list.ts'
import { formatCursor, parseCursor } from './cursor.ts'
import { auditFile, auditMediaTypes } from './export.ts'
import { presentDetail, presentEntry } from './present.ts'
import { findProof, type Proof, proofFile } from './proof.ts'
import { countEntries, findEntry, listChoices, listEntries } from './store.ts'
import type { Verifications } from './verification.ts'

type AuditRoutes = Handlers<
  | 'audit.list'
  | 'audit.get'
  | 'audit.choices'
  | 'audit.verification'
  | 'audit.verify'
  | 'audit.checkpoints'
  | 'audit.export'
>

export function auditRoutes(
  database: Database,
  verifications: Verifications,
  signingKey: SigningKey,
): AuditRoutes {
  const proving = { database, signingKey }
  return {
    'audit.list': async ({ caller: { organizationId }, query }) => {
      const { cursor, limit, ...filter } = query
      const before = parseCursor(cursor)
      return database.readTenant(organizationId, async (db) => {
        const [rows, count] = await Promise.all([
          listEntries(db, organizationId, filter, { limit: limit + 1, ...(before && { before }) }),
          before ? undefined : countEntries(db, organizationId, filter, exactTotal),
        ])
        const shown = rows.slice(0, limit)
        const last = rows.length > limit ? shown.at(-1) : undefined
        return {
          entries: shown.map(presentEntry),
          nextCursor: last ? formatCursor({ at: new Date(last.at), seq: Number(last.seq) }) : null,
          ...(count === undefined ? { total: null } : totalOf(count)),
        }
      })
    },

    'audit.get': async ({ caller: { organizationId }, params: { id } }) => {
      const row = await database.readTenant(organizationId, (db) => findEntry(db, organizationId, id))
      if (row === undefined) {
        throw new AppError('not_found', 'This audit entry does not exist in this organization.')
      }
      return presentDetail(row)
    },

    'audit.choices': async ({ caller: { organizationId } }) => {
      const { actors, actions } = await database.readTenant(organizationId, (db) =>
        listChoices(db, organizationId),
      )
      return { actors, actions: actions.map((value) => ({ value, label: auditActionText(value) })) }
    },

    'audit.verification': ({ caller }) => verifications.state(caller.organizationId),
    'audit.verify': ({ caller }) => verifications.start(caller),

    'audit.checkpoints': ({ caller: { organizationId }, query }) =>
      database.readTenant(organizationId, (db) => listCheckpoints(db, organizationId, signingKey, query)),

    'audit.export': async ({ caller, query }) => {
      const { organizationId } = caller
      const { format, ...given } = query
      const now = new Date()
      // What is written while the file is sent, the entry of the export among it, stays out of it.
      const filter = { ...given, to: given.to ?? now.toISOString() }
      await database.withTenant(organizationId, async (db) => {
        const { maxExported } = auditBounds
        if ((await countEntries(db, organizationId, filter, maxExported, true)) > maxExported) {
          throw new AppError(
            'limit_reached',
            `More than ${maxExported.toLocaleString('en')} entries match. Choose a shorter time or another filter, and export the rest after it.`,
          )
        }
        await act(db, caller, {
          action: 'audit.export',
          class: 'read',
          target: { type: 'audit', name: 'Audit log' },
          diff: { format, ...filter },
        })
      })
      const day = filter.to.slice(0, 10)
      if (format === 'proof') {
        const proof = await findProof(proving, organizationId, filter, {
          now,
          limit: auditBounds.maxExported,
        })
        requireProvable(proof)
        return answer(proofFile(proving, organizationId, filter, proof), {
          headers: {
            'content-type': auditMediaTypes.jsonl,
            'content-disposition': `attachment; filename="audit-${day}.proof.jsonl"`,
          },
        })
      }
      return answer(auditFile(database, organizationId, filter, { format, limit: auditBounds.maxExported }), {
        headers: {
          'content-type': auditMediaTypes[format],
          'content-disposition': `attachment; filename="audit-${day}.${format}"`,
        },
      })
    },
  }
}

/** Throws AppError where the entries that match lie too far apart: the chain between them is a part of the proof. */
function requireProvable({ first, last }: Proof): void {
  if (last - first < auditBounds.maxProved) return
  throw new AppError(
    'limit_reached',
    `The chain from the first entry that matches to the last is longer than ${auditBounds.maxProved.toLocaleString('en')} entries. Choose a shorter time.`,
  )
}
