import { annotationLimits as limits, consolePath } from '@bey/contract'

import { act } from '../../platform/act.ts'
import type { TenantCaller } from '../../platform/http/handlers.ts'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import type { ElementRect, Viewport } from '../../tables/annotations.ts'
import { type Change, resolution, statusChange, textChange } from './change.ts'
import { type ExportFormat, exportFile, readExport } from './export.ts'
import { presentAnnotation, presentDetail } from './present.ts'
import {
  type AnnotationFilter,
  type AnnotationPage,
  countAnnotations,
  countPlaces,
  deleteAnnotation,
  findAnnotation,
  insertAnnotation,
  insertReply,
  listAnnotations,
  listReplies,
  lockAnnotation,
  lockOrganization,
  updateAnnotation,
} from './store.ts'

export type NewAnnotation = {
  userId: number
  componentName: string
  xpath: string
  selectedText?: string | undefined
  annotationText: string
  url: string
  viewport: Viewport
  elementRect: ElementRect
}

type Options = { database: Database; publicUrl: string | undefined }

export function createAnnotations({ database, publicUrl }: Options) {
  /** The path that an address of this console names; throws where it names anything else. */
  function pathOf(address: string, host: string): string {
    const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin
    const path = consolePath(address, (url) => url.origin === publicOrigin || url.host === host)
    // Signs outside ASCII are longer once they are escaped.
    if (path !== undefined && path.length <= limits.url) return path
    throw wrong('url', 'Send a path of this console such as /workflows, or the whole address of such a page.')
  }

  function withPath<F extends AnnotationFilter>(filter: F, host: string): F {
    return filter.url === undefined ? filter : { ...filter, url: pathOf(filter.url, host) }
  }

  async function detail(db: Db, organizationId: number, id: string) {
    const [row, replies] = await Promise.all([
      findAnnotation(db, organizationId, id),
      listReplies(db, organizationId, [id]),
    ])
    return presentDetail(present(row), replies)
  }

  return {
    create(input: NewAnnotation, who: TenantCaller) {
      const { organizationId } = who
      if (input.userId !== who.user.id) throw wrong('userId', 'Send your own id: nobody writes for another.')
      const { selectedText, ...rest } = input
      const values = {
        ...rest,
        id: uuidv7(),
        organizationId,
        url: pathOf(input.url, who.host),
        selectedText: selectedText || null,
      }
      return database.withTenant(organizationId, async (db) => {
        await lockOrganization(db, organizationId)
        if ((await countAnnotations(db, organizationId)) >= limits.perOrganization) {
          throw new AppError(
            'limit_reached',
            `This organization has ${limits.perOrganization} annotations, which is the most it can have. Delete some that are resolved.`,
          )
        }
        await insertAnnotation(db, values)
        const row = present(await findAnnotation(db, organizationId, values.id))
        await act(db, who, {
          action: 'annotation.create',
          class: 'create',
          target: targetOf(values),
          diff: { url: values.url, annotationText: values.annotationText },
        })
        return keepReply(db, presentAnnotation(row))
      })
    },

    async list(organizationId: number, filter: AnnotationPage, host: string) {
      const asked = withPath(filter, host)
      const { rows, total } = await database.readTenant(organizationId, (db) =>
        listAnnotations(db, organizationId, asked),
      )
      const { page, limit } = filter
      return { annotations: rows.map(presentAnnotation), ...total, page, limit }
    },

    places(organizationId: number) {
      return database.readTenant(organizationId, async (db) => {
        const [pages, components] = await Promise.all([
          countPlaces(db, organizationId, 'path'),
          countPlaces(db, organizationId, 'componentName'),
        ])
        return { pages: pages.map(({ name, count }) => ({ path: name, count })), components }
      })
    },

    get(organizationId: number, id: string) {
      return database.readTenant(organizationId, (db) => detail(db, organizationId, id))
    },

    reply(id: string, text: string, who: TenantCaller) {
      const { organizationId } = who
      return database.withTenant(organizationId, async (db) => {
        const found = present(await lockAnnotation(db, organizationId, id))
        if (found.replyCount >= limits.replies) {
          throw new AppError(
            'limit_reached',
            `This annotation has ${limits.replies} replies, which is the most it can have. Resolve it and write a new one.`,
          )
        }
        await insertReply(db, { id: uuidv7(), organizationId, annotationId: id, userId: who.user.id, text })
        await updateAnnotation(db, organizationId, id, { replyCount: found.replyCount + 1 })
        const result = await detail(db, organizationId, id)
        await act(db, who, {
          action: 'annotation.reply',
          class: 'update',
          target: targetOf(found),
          diff: { text },
        })
        return keepReply(db, result)
      })
    },

    update(id: string, change: Change, who: TenantCaller) {
      const { organizationId } = who
      return database.withTenant(organizationId, async (db) => {
        const found = present(await lockAnnotation(db, organizationId, id))
        const diff = { ...textChange(found, change, who), ...statusChange(found, change) }
        // A request that changes nothing publishes no event.
        if (Object.keys(diff).length === 0) return detail(db, organizationId, id)
        await updateAnnotation(db, organizationId, id, {
          ...(diff.annotationText && { annotationText: diff.annotationText.to }),
          ...(diff.status && resolution(diff.status.to, who)),
        })
        const result = await detail(db, organizationId, id)
        await act(db, who, {
          action: 'annotation.update',
          class: 'update',
          target: targetOf(found),
          diff,
        })
        return result
      })
    },

    remove(id: string, who: TenantCaller) {
      const { organizationId } = who
      return database.withTenant(organizationId, async (db) => {
        const found = present(await lockAnnotation(db, organizationId, id))
        await deleteAnnotation(db, organizationId, id)
        await act(db, who, {
          action: 'annotation.delete',
          class: 'delete',
          target: targetOf(found),
          diff: { url: found.url, annotationText: found.annotationText, replies: found.replyCount },
        })
        return null
      })
    },

    /** Everything that matches, as a file. */
    export(filter: AnnotationFilter, format: ExportFormat, who: TenantCaller) {
      const { organizationId } = who
      const asked = withPath(filter, who.host)
      return database.withTenant(organizationId, async (db) => {
        const notes = await readExport(db, organizationId, asked)
        await act(db, who, {
          action: 'annotation.export',
          class: 'read',
          diff: { count: notes.length, format },
        })
        return exportFile(format, who.organizationName, new Date(), notes)
      })
    },
  }
}

export type Annotations = ReturnType<typeof createAnnotations>

function targetOf({ id, componentName }: { id: string; componentName: string }) {
  return { type: 'annotation', id, name: componentName.slice(0, 200) }
}

function present<T>(row: T | undefined): T {
  if (row !== undefined) return row
  throw new AppError('not_found', 'This annotation does not exist in this organization.')
}

function wrong(path: string, message: string): AppError {
  return new AppError('invalid_request', `${path}: ${message}`, { errors: [{ path, message }] })
}
