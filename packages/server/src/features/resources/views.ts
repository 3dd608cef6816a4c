import { type ParsedInput, resourceLimits, type ResourceView } from '@bey/contract'

import { act } from '../../platform/act.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import { termsOf } from './search.ts'
import { countViews, deleteView, insertView, lockTags, readViews } from './store.ts'

/** Saved queries: what a person saved, and what others share with them. */
export function createViews(database: Database) {
  return {
    list({ organizationId, user }: TenantCaller): Promise<{ views: ResourceView[] }> {
      return database.readTenant(organizationId, async (db) => ({
        views: (await readViews(db, organizationId, user.id)).map(
          ({ createdBy, createdByName, ...view }): ResourceView => ({
            ...view,
            createdBy: createdByName === null ? null : { id: createdBy, name: createdByName },
            isOwn: createdBy === user.id,
          }),
        ),
      }))
    },

    create(
      caller: TenantCaller,
      { name, query, isShared }: ParsedInput<'resources.createView'>['body'],
    ): Promise<ResourceView> {
      const { organizationId, user } = caller
      termsOf(query)
      return database.withTenant(organizationId, async (db) => {
        await lockTags(db, organizationId)
        const views = await readViews(db, organizationId, user.id)
        const same = views.find(
          (each) => each.createdBy === user.id && each.name.toLowerCase() === name.toLowerCase(),
        )
        if (same) {
          throw new AppError(
            'conflict',
            `You have a view named "${same.name}" already. Choose another name, or delete that view first.`,
          )
        }
        if ((await countViews(db, organizationId)) >= resourceLimits.views) {
          throw new AppError(
            'limit_reached',
            `This organization has ${resourceLimits.views} saved views, which is the most it can have. Delete one first.`,
          )
        }
        const view = { id: uuidv7(), name, query, isShared }
        await insertView(db, { ...view, organizationId, createdBy: user.id })
        await act(db, caller, {
          action: 'resources.view.create',
          class: 'create',
          target: { type: 'resource_view', id: view.id, name },
          diff: { query, isShared },
          event: { type: 'RESOURCES_UPDATE', data: { changed: 0 } },
        })
        return keepReply(db, { ...view, createdBy: { id: user.id, name: user.name }, isOwn: true })
      })
    },

    remove(caller: TenantCaller, id: string): Promise<null> {
      const { organizationId, user } = caller
      return database.withTenant(organizationId, async (db) => {
        const name = await deleteView(db, organizationId, user.id, id)
        if (name === undefined) {
          throw new AppError('not_found', 'You have no view of this id. Only who saved a view can delete it.')
        }
        await act(db, caller, {
          action: 'resources.view.delete',
          class: 'delete',
          target: { type: 'resource_view', id, name },
          event: { type: 'RESOURCES_UPDATE', data: { changed: 0 } },
        })
        return null
      })
    },
  }
}
