import { act } from '../../platform/act.ts'
import type { OrganizationDetail } from '@bey/contract'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { enqueueMail } from '../../platform/mail/outbox.ts'
import { publish } from '../../platform/live/publish.ts'
import { countContents, ownerAddresses, updateOrganization } from './detail-store.ts'
import { detailOf, organizationTarget } from './settings.ts'

/** How long an owner can undo the deletion. */
const graceDays = 7

/** The end of an organization: asked for, undone for seven days, then carried out by `deleteOrganizations`. */
export function createDeletion({ database, clock }: { database: Database; clock: Clock }) {
  async function announce(db: Db, caller: TenantCaller): Promise<OrganizationDetail> {
    const detail = await detailOf(db, caller.organizationId)
    await publish(db, {
      organizationId: caller.organizationId,
      type: 'ORGANIZATION_UPDATE',
      data: { organizationId: caller.organizationId },
    })
    return detail
  }

  return {
    impact: ({ organizationId }: TenantCaller) =>
      database.readTenant(organizationId, async (db) => {
        const contents = await countContents(db, organizationId)
        return {
          losses: contents.filter(({ noun, count }) => count > 0 && noun !== 'cluster').map(inWords),
          obstacles: obstaclesOf(contents),
          graceDays,
        }
      }),

    /** Asked twice, the first date stays. */
    request: (caller: TenantCaller): Promise<OrganizationDetail> =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId, organizationName } = caller
        const [obstacle] = obstaclesOf(await countContents(db, organizationId))
        if (obstacle !== undefined) throw new AppError('conflict', obstacle)
        const now = clock.now()
        const deletesAt = new Date(now.getTime() + graceDays * 86_400_000)
        await updateOrganization(db, organizationId, {
          deletionRequestedAt: now,
          deletionRequestedBy: caller.user.id,
          deletesAt,
        })
        await act(db, caller, {
          action: 'organization.delete',
          class: 'delete',
          target: organizationTarget(caller),
          diff: { deletesAt: deletesAt.toISOString() },
        })
        for (const to of await ownerAddresses(db, organizationId)) {
          await enqueueMail(db, {
            to,
            subject: `${organizationName} will be deleted on ${deletesAt.toISOString().slice(0, 10)}`,
            text: `${caller.user.name} (${caller.user.email}) asked to delete the organization ${organizationName}.\n\nUntil ${deletesAt.toISOString()} it can be read, and each owner can undo the deletion in the settings of the organization. After that it cannot be brought back.\n`,
          })
        }
        return announce(db, caller)
      }),

    undo: (caller: TenantCaller): Promise<OrganizationDetail> =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const { deletion } = await detailOf(db, organizationId)
        if (deletion !== null) {
          const values = { deletionRequestedAt: null, deletionRequestedBy: null, deletesAt: null }
          await updateOrganization(db, organizationId, values)
          const diff = { deletesAt: { from: deletion.deletesAt, to: null } }
          const target = organizationTarget(caller)
          await act(db, caller, { action: 'organization.restore', class: 'update', target, diff })
        }
        return announce(db, caller)
      }),
  }
}

type Contents = readonly { noun: string; count: number }[]

function inWords({ noun, count }: Contents[number]): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function obstaclesOf(contents: Contents): string[] {
  const clusters = contents.find(({ noun }) => noun === 'cluster')?.count ?? 0
  if (clusters === 0) return []
  const they = clusters === 1 ? 'it' : 'them'
  return [
    `${inWords({ noun: 'cluster', count: clusters })} still belong${clusters === 1 ? 's' : ''} to this organization. Delete or disconnect ${they} first, so that nothing runs on without an owner.`,
  ]
}
