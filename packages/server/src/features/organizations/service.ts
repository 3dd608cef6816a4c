import type { Organization, User } from '@bey/contract'
import { act, type Person } from '../../platform/act.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Caller, PublicCaller } from '../../platform/http/handlers.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { updateOrganization } from './detail-store.ts'
import {
  countMemberships,
  insertOrganization,
  listMemberships,
  lockUser,
  membershipOf,
  setActiveOrganization,
} from './store.ts'

/** Organizations that one user may belong to. */
const maxOrganizationsPerUser = 100

export type FoundOrganization = (db: Db, owner: Person, name: string, caller: PublicCaller) => Promise<number>

/**
 * Makes an organization with its owner, whose active one it becomes, inside a system transaction. `addDefaults`
 * adds what every organization has from the start.
 */
export function organizationFounder(
  addDefaults: (db: Db, organizationId: number) => Promise<void>,
): FoundOrganization {
  return async (db, owner, name, caller) => {
    const organizationId = await insertOrganization(db, name, owner.id)
    await setActiveOrganization(db, owner.id, organizationId)
    await addDefaults(db, organizationId)
    await act(
      db,
      { ...caller, organizationId, user: owner, via: 'session' },
      {
        action: 'organization.create',
        class: 'create',
        target: { type: 'organization', id: organizationId, name },
      },
    )
    return organizationId
  }
}

export type OrganizationService = {
  list(
    userId: number,
    query: { page: number; limit: number; order?: 'asc' | 'desc' | undefined },
  ): Promise<{ organizations: Organization[]; total: number }>
  create(
    input: { name: string; timeZone?: string | undefined },
    caller: Caller,
  ): Promise<{ organization: Organization }>
  activate(organizationId: number, caller: Caller): Promise<User>
}

export function createOrganizationService(options: {
  database: Database
  found: FoundOrganization
  userOf(caller: Caller): Promise<User>
}): OrganizationService {
  const { database } = options
  return {
    list: (userId, query) =>
      database.withUser(userId, async (db) => ({
        organizations: await listMemberships(db, userId, query),
        total: await countMemberships(db, userId),
      })),
    create: ({ name, timeZone }, caller) =>
      database.asSystem('create an organization', async (db) => {
        await lockUser(db, caller.user.id)
        if ((await countMemberships(db, caller.user.id)) >= maxOrganizationsPerUser) {
          throw new AppError(
            'limit_reached',
            `You belong to ${maxOrganizationsPerUser} organizations, which is the most. Leave one first.`,
          )
        }
        const id = await options.found(db, caller.user, name, caller)
        if (timeZone !== undefined) await updateOrganization(db, id, { timeZone })
        return keepReply(db, { organization: { id, name, role: 'OWNER' } })
      }),
    async activate(organizationId, caller) {
      await database.withUser(caller.user.id, async (db) => {
        if ((await membershipOf(db, caller.user.id, organizationId)) === undefined) {
          throw new AppError(
            'not_found',
            'There is no such organization among yours. Choose one of yours, or ask its owner for an invitation.',
          )
        }
        await setActiveOrganization(db, caller.user.id, organizationId)
      })
      return options.userOf(caller)
    },
  }
}
