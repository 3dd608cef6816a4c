import { type Approval, type Role, roleHas } from '@bey/contract'

import type { Db } from '../../../../platform/db/database.ts'
import { approvalDeniedReason, approversText } from './rules.ts'
import {
  type ApprovalFilter,
  type ApprovalRow,
  type ApprovalStatus,
  findApproval,
  findApprovalOfStep,
  listApprovals,
  listDeciders,
  listDecisions,
  namesOf,
} from './store.ts'
import { missing, type WorkflowParts } from '../../parts.ts'
import { presentActor } from '../../../../platform/present-actor.ts'

export type Reader = { userId: number; role: Role }

/** What is asked about approvals. */
export function createApprovalReads({ database }: Pick<WorkflowParts, 'database'>) {
  return {
    approvals(
      organizationId: number,
      reader: Reader,
      { mine, ...filter }: Omit<ApprovalFilter, 'decidableBy'> & { mine?: 'true' | 'false' | undefined },
    ) {
      const decidableBy =
        mine === 'true' ? { ...reader, isApprover: roleHas(reader.role, 'workflows.approve') } : undefined
      return database.readTenant(organizationId, async (db) => {
        const { rows, ...rest } = await listApprovals(db, organizationId, { ...filter, decidableBy })
        const approvals = await presentApprovals(db, organizationId, rows, reader)
        return { page: filter.page, limit: filter.limit, approvals, ...rest }
      })
    },

    approval(organizationId: number, reader: Reader, id: string) {
      return database.readTenant(organizationId, async (db) => {
        const row = (await findApproval(db, organizationId, id)) ?? missing('approval')
        const [approval = missing('approval')] = await presentApprovals(db, organizationId, [row], reader)
        return { approval }
      })
    },
  }
}

/** The approval of a step as its reader sees it, inside the caller's transaction; null where it asks for none. */
export async function readApprovalOfStep(
  db: Db,
  organizationId: number,
  stepRunId: string,
  reader: Reader,
): Promise<Approval | null> {
  const row = await findApprovalOfStep(db, organizationId, stepRunId)
  if (row === undefined) return null
  const [approval = null] = await presentApprovals(db, organizationId, [row], reader)
  return approval
}

/** Approvals with their decisions and what their reader may do. */
export async function presentApprovals(
  db: Db,
  organizationId: number,
  rows: readonly ApprovalRow[],
  reader: Reader,
): Promise<Approval[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const named = [...new Set(rows.flatMap(({ approvers }) => approvers.userIds))]
  const pending = rows.filter(({ status }) => status === 'pending').map(({ id }) => id)
  const [decisions, names, deciders] = await Promise.all([
    listDecisions(db, organizationId, ids),
    namesOf(db, named),
    listDeciders(db, organizationId, pending),
  ])
  return rows.map(
    ({
      approvers,
      requestedBy,
      requestedByName,
      requestedByEmail,
      requestedAt,
      expiresAt,
      remindedAt,
      ...row
    }) => {
      const own = decisions.filter(({ approvalId }) => approvalId === row.id)
      const may = deciders.filter(({ approvalId }) => approvalId === row.id)
      const inWords = approversText(
        approvers,
        approvers.userIds.flatMap((id) => names.get(id) ?? []),
      )
      const facts = { status: row.status, approvers, requestedBy, decisions: own }
      return {
        ...row,
        status: row.status as ApprovalStatus,
        requestedBy: presentActor(requestedBy, requestedByName, requestedByEmail),
        requestedAt: requestedAt.toISOString(),
        expiresAt: expiresAt?.toISOString() ?? null,
        approvers: inWords,
        deciders: may.map(({ userId, name, email }) => presentActor(userId, name, email)),
        decidersTotal: may[0]?.total ?? 0,
        remindedAt: remindedAt?.toISOString() ?? null,
        deniedReason: approvalDeniedReason(facts, reader, inWords) ?? null,
        decisions: own.map(({ userId, name, email, decision, comment, form, at }) => ({
          by: presentActor(userId, name, email),
          at: at.toISOString(),
          decision,
          comment,
          form,
        })),
      }
    },
  )
}
