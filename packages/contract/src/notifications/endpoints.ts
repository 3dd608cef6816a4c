import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { notificationBounds, notificationKinds, notificationLevels } from './rules.ts'
import { entityRef, givenTime, timestamp, uuid } from '../base/schema.ts'

const { maxTitle, maxDetail, maxHref, maxRequestId, maxRecorded, maxCounted } = notificationBounds

const level = z.enum(notificationLevels)

/** A place in the console, never an address elsewhere: `//`, a backslash or a control character could be one. */
const href = z
  .string()
  .max(maxHref)
  .regex(/^\/(?![/\\])[^\\\p{Cc}]*$/u, 'Give a path of the console that begins with one slash.')

export const notification = z
  .object({
    id: uuid,
    kind: z.enum(notificationKinds),
    level,
    title: z.string(),
    /** The cause, in words. */
    detail: z.string().nullable(),
    /** Id of the request that failed, for anyone who looks into the server's log. */
    requestId: z.string().nullable(),
    /** The page of the console that it is about, or on which it was shown. */
    href: z.string().nullable(),
    /** What it concerns. `isGone`: it has been deleted since. */
    subject: entityRef.extend({ name: z.string(), isGone: z.boolean() }).nullable(),
    at: timestamp,
    /** Null while unread. */
    readAt: timestamp.nullable(),
  })
  .meta({ id: 'Notification' })
export type Notification = z.infer<typeof notification>

/** What a browser records: a toast that it showed. */
const recorded = z.strictObject({
  /** Made by the browser, so that a repeated request writes nothing twice. */
  id: uuid,
  level,
  title: z.string().trim().min(1).max(maxTitle),
  detail: z.string().trim().max(maxDetail).optional(),
  requestId: z.string().trim().max(maxRequestId).optional(),
  href: href.optional(),
  /** Closed by hand before it could be written down. */
  isRead: z.boolean().default(false),
  /** When it was shown. Clamped to the last 24 hours. */
  at: givenTime,
})

/** Exact up to 99; 100 means any more. */
const unreadCount = z.number().int().min(0).max(maxCounted)
const params = z.object({ id: uuid })

/** The notifications of a user in an organization. Each endpoint concerns the caller's own only. */
export const notificationEndpoints = {
  'notifications.list': endpoint({
    method: 'GET',
    path: '/api/notifications',
    summary: 'Notifications of the caller, newest first',
    access: 'notifications.read',
    keys: 'personal',
    query: z.object({
      /** The `nextCursor` of the page before. */
      cursor: z.string().max(64).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(30),
      show: z.enum(['all', 'unread', 'errors']).default('all'),
    }),
    response: z.object({
      notifications: z.array(notification).max(200),
      nextCursor: z.string().nullable(),
    }),
  }),
  'notifications.unread': endpoint({
    method: 'GET',
    path: '/api/notifications/unread',
    summary: 'How many the caller has not read',
    access: 'notifications.read',
    keys: 'personal',
    response: z.object({ unreadCount }),
  }),
  'notifications.record': endpoint({
    method: 'POST',
    path: '/api/notifications',
    summary: 'Keep what toasts said in a browser of the caller',
    access: 'notifications.update',
    keys: 'personal',
    worksWhileDeleting: true,
    body: z.strictObject({ notifications: z.array(recorded).min(1).max(maxRecorded) }),
    response: z.object({ unreadCount }),
    status: 201,
  }),
  'notifications.readAll': endpoint({
    method: 'POST',
    path: '/api/notifications/read',
    summary: 'Mark everything up to an instant as read, so that what comes meanwhile stays unread',
    access: 'notifications.update',
    keys: 'personal',
    worksWhileDeleting: true,
    body: z.strictObject({ until: givenTime }),
    response: z.object({ unreadCount }),
  }),
  'notifications.update': endpoint({
    method: 'PATCH',
    path: '/api/notifications/{id}',
    summary: 'Mark one as read or unread',
    access: 'notifications.update',
    keys: 'personal',
    worksWhileDeleting: true,
    params,
    body: z.strictObject({ isRead: z.boolean() }),
    response: notification,
    errors: ['not_found'],
  }),
  'notifications.dismiss': endpoint({
    method: 'DELETE',
    path: '/api/notifications/{id}',
    summary: 'Take one off the list for good',
    access: 'notifications.update',
    keys: 'personal',
    worksWhileDeleting: true,
    params,
    response: z.null(),
    status: 204,
    errors: ['not_found'],
  }),
  'notifications.clear': endpoint({
    method: 'DELETE',
    path: '/api/notifications',
    summary: 'Take everything that is read off the list; what is unread stays',
    access: 'notifications.update',
    keys: 'personal',
    response: z.object({ dismissedCount: z.number().int() }),
  }),
} as const
