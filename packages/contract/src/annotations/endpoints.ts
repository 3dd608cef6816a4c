import { z } from 'zod'
import { annotationLimits as limits, annotationStatuses } from './rules.ts'
import { endpoint } from '../base/endpoint.ts'
import {
  actor,
  numericId,
  numericIdText,
  pageQuery,
  paged,
  searchText,
  timestamp,
  uuid,
} from '../base/schema.ts'

const pixels = z.number().min(-1_000_000).max(1_000_000)
const extent = z.number().min(0).max(1_000_000)

/** Width and height of the window, in CSS pixels. */
export const viewport = z.strictObject({
  width: z.number().int().min(1).max(100_000),
  height: z.number().int().min(1).max(100_000),
})

/** Where the element stood in the viewport, in CSS pixels; for an area, the box around all its elements. */
export const elementRect = z.strictObject({ top: pixels, left: pixels, width: extent, height: extent })

const annotationText = z.string().trim().min(1).max(limits.text)
const replyText = z.string().trim().min(1).max(limits.reply)
const componentName = z.string().trim().min(1).max(limits.componentName)
const url = z.string().min(1).max(limits.url)

/** One XPath, or several of an area, one a line. */
const xpath = z
  .string()
  .min(1)
  .max(limits.xpaths)
  .refine(
    (text) => text.split('\n').every((line) => line.startsWith('/') && line.length <= limits.xpath),
    `Send XPaths that begin with a slash, one a line, each of at most ${limits.xpath} characters.`,
  )
  .refine((text) => text.split('\n').length <= limits.elements, `Send at most ${limits.elements} XPaths.`)

export const annotationReply = z
  .object({
    id: uuid,
    text: z.string(),
    createdBy: actor,
    createdAt: timestamp,
  })
  .meta({ id: 'AnnotationReply' })
export type AnnotationReply = z.infer<typeof annotationReply>

export const annotation = z
  .object({
    id: uuid,
    /** Who wrote it; null once that account is gone. */
    userId: numericId.nullable(),
    createdBy: actor,
    componentName: z.string(),
    xpath: z.string(),
    selectedText: z.string().nullable(),
    annotationText: z.string(),
    /** A path of the console with its search. */
    url: z.string(),
    viewport,
    elementRect,
    status: z.enum(annotationStatuses),
    resolvedAt: timestamp.nullable(),
    resolvedBy: actor.nullable(),
    replyCount: z.number().int(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Annotation' })
export type Annotation = z.infer<typeof annotation>

/** With its replies, oldest first. */
export const annotationDetail = annotation.extend({ replies: z.array(annotationReply).max(limits.replies) })
export type AnnotationDetail = z.infer<typeof annotationDetail>

const filters = {
  userId: numericIdText.optional(),
  /** A path: notes of that page whatever its search; with a search, of exactly that. */
  url: url.optional(),
  /** Part of the component's name, in any case. */
  componentName: z.string().trim().max(limits.componentName).optional(),
  status: z.enum(annotationStatuses).optional(),
  search: searchText,
}

const params = z.object({ id: uuid })

export const annotationEndpoints = {
  'annotations.create': endpoint({
    method: 'POST',
    path: '/api/annotations',
    summary: 'Leave a note on an element or area of a page of the console',
    access: 'annotations.create',
    body: z.strictObject({
      /** Your own id. */
      userId: numericId,
      componentName,
      xpath,
      selectedText: z.string().max(limits.selectedText).optional(),
      annotationText,
      /** A path of this console, or its whole URL; kept as path. */
      url,
      viewport,
      elementRect,
    }),
    response: annotation,
    status: 201,
    errors: ['limit_reached'],
  }),
  'annotations.list': endpoint({
    method: 'GET',
    path: '/api/annotations',
    summary: 'Notes on pages of the console, newest first',
    access: 'annotations.read',
    query: pageQuery.extend({
      ...filters,
      sort: z.enum(['createdAt', 'updatedAt', 'componentName', 'url']).default('createdAt'),
    }),
    response: paged('annotations', annotation),
  }),
  'annotations.places': endpoint({
    method: 'GET',
    path: '/api/annotations/places',
    summary: 'Pages and components that have notes, most notes first, to filter by',
    access: 'annotations.read',
    response: z.object({
      pages: z.array(z.object({ path: z.string(), count: z.number().int() })).max(200),
      components: z.array(z.object({ name: z.string(), count: z.number().int() })).max(200),
    }),
  }),
  'annotations.get': endpoint({
    method: 'GET',
    path: '/api/annotations/{id}',
    summary: 'One note with its replies',
    access: 'annotations.read',
    params,
    response: annotationDetail,
    errors: ['not_found'],
  }),
  'annotations.reply': endpoint({
    method: 'POST',
    path: '/api/annotations/{id}/replies',
    summary: 'Reply to a note; answers the note with its replies',
    access: 'annotations.create',
    params,
    body: z.strictObject({ text: replyText }),
    replyOf: 'annotations.get',
    response: annotationDetail,
    status: 201,
    errors: ['not_found', 'limit_reached'],
  }),
  'annotations.update': endpoint({
    method: 'PATCH',
    path: '/api/annotations/{id}',
    summary: 'Resolve or reopen a note, or change the text of your own',
    access: 'annotations.update',
    params,
    body: z
      .strictObject({
        annotationText: annotationText.optional(),
        status: z.enum(annotationStatuses).optional(),
      })
      .refine((body) => Object.keys(body).length > 0, 'Send annotationText, status, or both.'),
    replyOf: 'annotations.get',
    response: annotationDetail,
    errors: ['not_found'],
  }),
  'annotations.delete': endpoint({
    method: 'DELETE',
    path: '/api/annotations/{id}',
    summary: 'Delete a note with its replies',
    access: 'annotations.delete',
    params,
    response: z.null(),
    status: 204,
    errors: ['not_found'],
  }),
  'annotations.export': endpoint({
    method: 'POST',
    path: '/api/annotations/export',
    summary: 'Notes with their replies as a JSON or Markdown file; takes no body and the filters of the list',
    access: 'annotations.read',
    withoutIdempotencyKey: 'It only reads.',
    query: z.object({ ...filters, format: z.enum(['json', 'markdown']).default('json') }),
    response: { mediaType: 'application/json', alternatives: ['text/markdown'] },
    errors: ['limit_reached'],
  }),
} as const
