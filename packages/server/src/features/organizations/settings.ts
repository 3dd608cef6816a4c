import { presentPerson } from '../../platform/present-actor.ts'
import type { InvitationRole, OrganizationDetail } from '@bey/contract'
import { act } from '../../platform/act.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { loadDetail, updateOrganization } from './detail-store.ts'

type Change = {
  name?: string | undefined
  timeZone?: string | undefined
  defaultRole?: InvitationRole | undefined
}

/** The current organization and its settings. */
export function createOrganizationSettings({ database }: { database: Database }) {
  return {
    get: ({ organizationId }: TenantCaller) =>
      database.readTenant(organizationId, (db) => detailOf(db, organizationId)),

    update: (caller: TenantCaller, change: Change) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const before = await detailOf(db, organizationId)
        const diff = diffOf(before, change)
        if (Object.keys(diff).length === 0) return before
        await updateOrganization(db, organizationId, defined(change))
        const target = organizationTarget(caller)
        await act(db, caller, { action: 'organization.update', class: 'update', target, diff })
        return detailOf(db, organizationId)
      }),
  }
}

/** Throws `not_found` where the organization was deleted while the request was on its way. */
export async function detailOf(db: Db, organizationId: number): Promise<OrganizationDetail> {
  const row = await loadDetail(db, organizationId)
  if (row === undefined)
    throw new AppError(
      'not_found',
      'There is no such organization among yours. Choose one of yours, or ask its owner for an invitation.',
    )
  const { deletionRequestedAt, deletesAt, createdAt, ...others } = row
  const { deletionRequestedBy, requesterName, requesterEmail, ...rest } = others
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    deletion:
      deletionRequestedAt && deletesAt
        ? {
            requestedBy: presentPerson(deletionRequestedBy, requesterName, requesterEmail),
            requestedAt: deletionRequestedAt.toISOString(),
            deletesAt: deletesAt.toISOString(),
          }
        : null,
  }
}

/** The organization itself, as what an act was done to. */
export function organizationTarget({ organizationId, organizationName }: TenantCaller) {
  return { type: 'organization', id: organizationId, name: organizationName }
}

function diffOf(before: OrganizationDetail, change: Change): Record<string, { from: unknown; to: unknown }> {
  const changed = Object.entries(defined(change)).filter(([key, to]) => before[key as keyof Change] !== to)
  return Object.fromEntries(changed.map(([key, to]) => [key, { from: before[key as keyof Change], to }]))
}

function defined(change: Change): { name?: string; timeZone?: string; defaultRole?: InvitationRole } {
  return {
    ...(change.name !== undefined && { name: change.name }),
    ...(change.timeZone !== undefined && { timeZone: change.timeZone }),
    ...(change.defaultRole !== undefined && { defaultRole: change.defaultRole }),
  }
}
