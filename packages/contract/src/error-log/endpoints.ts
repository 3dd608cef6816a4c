import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { errorContextLimits, errorGroupStatuses, errorKinds, errorLogLimits } from './rules.ts'
import { actor, givenTime, pageQuery, paged, searchText, timestamp, uuid } from '../base/schema.ts'

const text = (maxLength: number) => z.string().max(maxLength).optional()
const place = z.number().int().min(0).max(2_147_483_647).optional()

/** An error as a console reports it. Who reports is known from the session: what the entry says of it is not read. */
const errorEntry = z
  .object({
    message: z.string().max(errorLogLimits.messageLength),
    stack: text(errorLogLimits.stackLength),
    componentStack: text(errorLogLimits.stackLength),
    source: text(errorLogLimits.urlLength),
    line: place,
    column: place,
    timestamp: givenTime,
    userAgent: text(errorLogLimits.userAgentLength),
    url: text(errorLogLimits.urlLength),
    userId: z.number().nullish(),
    organizationId: z.number().nullish(),
    sessionId: text(errorLogLimits.nameLength),
    errorBoundary: text(errorLogLimits.nameLength),
    errorBoundaryStack: text(errorLogLimits.stackLength),
    /** Free JSON; `kind`, `release`, `repeats`, `requestId` and `breadcrumbs` are understood (see `ErrorContext`). */
    additionalContext: z
      .record(z.string(), z.unknown())
      .refine((context) => JSON.stringify(context).length <= errorContextLimits.length, {
        message: `The context takes more than ${errorContextLimits.length} characters.`,
      })
      .optional(),
  })
  .meta({ id: 'ErrorEntry' })
export type ErrorEntry = z.infer<typeof errorEntry>

/** What of the group's occurrences is counted by the hour, or by the day. */
const period = z.enum(['24h', '14d']).default('24h')

/** Occurrences of what is the same error. */
const errorGroup = z
  .object({
    id: uuid,
    message: z.string(),
    /** Where in our own code it happened, such as `clusters/cluster-list-page.tsx`; empty where that is unknown. */
    culprit: z.string(),
    kind: z.enum(errorKinds),
    status: z.enum(errorGroupStatuses),
    /** How often it happened; occurrences that are no longer kept count as well. */
    occurrenceCount: z.number().int(),
    /** How many people met it. */
    userCount: z.number().int(),
    firstSeenAt: timestamp,
    lastSeenAt: timestamp,
    firstRelease: z.string(),
    lastRelease: z.string(),
    /** When it last came back after it had been resolved. */
    regressedAt: timestamp.nullable(),
    statusChangedAt: timestamp.nullable(),
    statusChangedBy: actor.nullable(),
    /** Occurrences per hour (24 of them) or day (14), the present one last. */
    trend: z.array(z.number().int()).max(24),
  })
  .meta({ id: 'ErrorGroup' })
export type ErrorGroup = z.infer<typeof errorGroup>

const occurrenceSummary = z
  .object({
    id: uuid,
    at: timestamp,
    message: z.string(),
    release: z.string(),
    url: z.string(),
    userAgent: z.string(),
    sessionId: z.string(),
    user: z.object({ id: z.number().int(), name: z.string() }).nullable(),
    /** How often it happened for each time that it was sent. */
    repeats: z.number().int(),
  })
  .meta({ id: 'ErrorOccurrenceSummary' })
export type ErrorOccurrenceSummary = z.infer<typeof occurrenceSummary>

const stackFrame = z
  .object({
    /** The line as the browser gave it. */
    text: z.string(),
    functionName: z.string().nullable(),
    file: z.string().nullable(),
    line: z.number().int().nullable(),
    column: z.number().int().nullable(),
    /** Our own code, as opposed to a library's or a browser extension's. */
    isOwn: z.boolean(),
    /** Whether file and line come from a source map. */
    isResolved: z.boolean(),
    /** The lines of source around it, where a source map has them. */
    excerpt: z.object({ firstLine: z.number().int(), lines: z.array(z.string()).max(11) }).nullable(),
  })
  .meta({ id: 'ErrorStackFrame' })
export type ErrorStackFrame = z.infer<typeof stackFrame>

const occurrence = occurrenceSummary
  .extend({
    /** When the browser says that it happened; `at` is when the server received it. */
    reportedAt: timestamp,
    stack: z.string(),
    componentStack: z.string(),
    source: z.string(),
    line: z.number().int().nullable(),
    column: z.number().int().nullable(),
    errorBoundary: z.string(),
    errorBoundaryStack: z.string(),
    additionalContext: z.record(z.string(), z.unknown()),
    frames: z.array(stackFrame).max(errorLogLimits.frames),
    componentFrames: z.array(stackFrame).max(errorLogLimits.frames),
  })
  .meta({ id: 'ErrorOccurrence' })
export type ErrorOccurrence = z.infer<typeof occurrence>

const groupParams = z.object({ id: uuid })

export const errorLogEndpoints = {
  'errors.log': endpoint({
    method: 'POST',
    path: '/api/v1/errors/log',
    summary: 'Report errors that a console met; credentials in them are removed before they are kept',
    access: 'errors.log',
    worksWhileDeleting: true,
    body: z.strictObject({ errors: z.array(errorEntry).min(1).max(errorLogLimits.entriesPerCall) }),
    /** The error that each entry was counted to, in the order of the entries. */
    response: z.object({ errorIds: z.array(uuid).max(errorLogLimits.entriesPerCall) }),
    errors: ['forbidden'],
  }),
  'errors.list': endpoint({
    method: 'GET',
    path: '/api/v1/errors',
    summary: 'Errors that consoles of the organization met, grouped by what is the same',
    access: 'errors.read',
    query: pageQuery.extend({
      search: searchText,
      status: z.enum(errorGroupStatuses).optional(),
      kind: z.enum(errorKinds).optional(),
      release: z.string().max(errorLogLimits.nameLength).optional(),
      sort: z.enum(['lastSeenAt', 'firstSeenAt', 'occurrenceCount', 'userCount']).default('lastSeenAt'),
      period,
    }),
    response: paged('groups', errorGroup),
  }),
  'errors.releases': endpoint({
    method: 'GET',
    path: '/api/v1/errors/releases',
    summary: 'Releases in which errors happened, the latest first',
    access: 'errors.read',
    response: z.object({ releases: z.array(z.string()).max(50) }),
  }),
  'errors.get': endpoint({
    method: 'GET',
    path: '/api/v1/errors/{id}',
    summary: 'One error, with the releases in which it happened',
    access: 'errors.read',
    params: groupParams,
    query: z.object({ period }),
    response: z.object({
      group: errorGroup,
      releases: z.array(z.object({ release: z.string(), occurrenceCount: z.number().int() })).max(20),
      latestOccurrenceId: uuid.nullable(),
    }),
    errors: ['not_found'],
  }),
  'errors.update': endpoint({
    method: 'PATCH',
    path: '/api/v1/errors/{id}',
    summary:
      'Resolve, ignore or open an error again; one that is resolved opens by itself when it comes back',
    access: 'errors.update',
    params: groupParams,
    body: z.strictObject({ status: z.enum(errorGroupStatuses) }),
    response: z.object({ group: errorGroup }),
    errors: ['not_found', 'forbidden'],
  }),
  'errors.occurrences': endpoint({
    method: 'GET',
    path: '/api/v1/errors/{id}/occurrences',
    summary: 'Occurrences of an error that are kept, the latest first',
    access: 'errors.read',
    params: groupParams,
    query: z.object({
      /** Occurrences before this one. */
      before: uuid.optional(),
      limit: z.coerce.number().int().min(1).max(200).default(20),
    }),
    response: z.object({ occurrences: z.array(occurrenceSummary).max(200), nextCursor: uuid.nullable() }),
    errors: ['not_found'],
  }),
  'errors.occurrence': endpoint({
    method: 'GET',
    path: '/api/v1/errors/{id}/occurrences/{occurrenceId}',
    summary: 'One occurrence with its stack, traced to the source where the source map is at hand',
    access: 'errors.read',
    params: z.object({ id: uuid, occurrenceId: uuid }),
    response: z.object({ occurrence }),
    errors: ['not_found'],
  }),
} as const
