import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { paper } from '../paper/paper.ts'
import { reportBounds as bounds, reportKinds, reportPeriods } from './rules.ts'
import { actor, nameText, numericId, pageQuery, paged, searchText, timestamp, uuid } from '../base/schema.ts'
import { isTimeZone } from '../settings/time-rules.ts'

const parameters = z
  .strictObject({
    period: z.enum(
      reportPeriods,
      'Choose one of the periods: last-week, this-week, last-month, this-month or last-30-days.',
    ),
    /** IANA name. */
    timeZone: z.string().max(64).refine(isTimeZone, 'Send a time zone such as Europe/Berlin or UTC.'),
    /** Empty: every cluster. */
    clusterIds: z.array(numericId).max(bounds.maxClusters),
    isCompared: z.boolean(),
    hiddenSections: z.array(z.string().max(40)).max(20),
  })
  .meta({ id: 'ReportParameters' })

/** The paper as a whole page without scripts, as it is printed. */
const pageHtml = z.string()

const schedule = z.string().trim().min(1).max(100)

const issueFacts = z.object({
  id: uuid,
  title: z.string(),
  asOf: timestamp,
  trigger: z.enum(['manual', 'schedule']),
  issuedBy: actor,
  /** People whom it was sent to, and how many of them read it. */
  recipientCount: z.number().int(),
  recipientReadCount: z.number().int(),
  /** Everybody who read it. */
  readCount: z.number().int(),
  /** Times that a link opened it. */
  openedCount: z.number().int(),
})
export type ReportIssue = z.infer<typeof issueFacts>

const report = z
  .object({
    id: uuid,
    name: z.string(),
    kind: z.enum(reportKinds),
    parameters,
    status: z.enum(['manual', 'scheduled', 'paused']),
    /** Five fields as in crontab, in the time zone of the report; null: issued by people alone. */
    schedule: z.string().nullable(),
    /** The schedule in words. */
    scheduleText: z.string().nullable(),
    nextAt: timestamp.nullable(),
    /** Why the schedule is paused or was late, as a sentence. */
    note: z.string().nullable(),
    recipients: z.array(z.object({ id: numericId, name: z.string() })).max(bounds.maxRecipients),
    owner: actor,
    /** The newest last. */
    issues: z.array(issueFacts).max(bounds.shownIssues),
    issueCount: z.number().int(),
    /** Nobody read the last three issues that the schedule made. */
    isUnread: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Report' })
export type Report = z.infer<typeof report>

const link = z.object({
  id: uuid,
  status: z.enum(['open', 'expired', 'revoked']),
  createdBy: actor,
  createdAt: timestamp,
  expiresAt: timestamp,
  openedCount: z.number().int(),
  lastOpenedAt: timestamp.nullable(),
})
export type ReportLink = z.infer<typeof link>

const path = '/api/reports'
const params = z.object({ id: uuid })
const issueParams = z.object({ id: uuid, issueId: uuid })
const issuePath = `${path}/{id}/issues/{issueId}`
const name = nameText('Enter a name for the report.')
const recipients = z.array(numericId).max(bounds.maxRecipients)

export const reportEndpoints = {
  'reports.list': endpoint({
    method: 'GET',
    path,
    summary: 'Reports whose kind the caller may read',
    access: 'reports.read',
    keys: 'none',
    query: pageQuery.extend({
      /** Part of the name. */
      search: searchText,
      kind: z.enum(reportKinds).optional(),
      sort: z.enum(['name', 'createdAt']).default('name'),
    }),
    response: paged('reports', report),
  }),
  'reports.get': endpoint({
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'One report',
    access: 'reports.read',
    keys: 'none',
    params,
    response: report.extend({
      /** Whether mails can be sent; without, recipients find the issue in the list. */
      isMailConfigured: z.boolean(),
    }),
    errors: ['not_found'],
  }),
  'reports.create': endpoint({
    method: 'POST',
    path,
    summary: 'Create a report',
    access: 'reports.create',
    keys: 'none',
    body: z.strictObject({
      name,
      kind: z.enum(reportKinds),
      parameters,
      schedule: schedule.nullable().default(null),
      recipients: recipients.default([]),
    }),
    response: report,
    status: 201,
    errors: ['name_taken', 'limit_reached', 'forbidden'],
  }),
  'reports.update': endpoint({
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change a report. Whoever changes its schedule becomes its owner: it runs with their rights',
    access: 'reports.update',
    keys: 'none',
    params,
    body: z
      .strictObject({
        name: name.optional(),
        parameters: parameters.optional(),
        /** Null ends the schedule. */
        schedule: schedule.nullable().optional(),
        recipients: recipients.optional(),
      })
      .refine((body) => Object.keys(body).length > 0, 'Send name, parameters, schedule or recipients.'),
    response: report,
    errors: ['not_found', 'name_taken', 'forbidden'],
  }),
  'reports.delete': endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a report with its issues and their links',
    access: 'reports.delete',
    keys: 'none',
    params,
    response: z.null(),
    status: 204,
    errors: ['not_found', 'forbidden'],
  }),
  'reports.preview': endpoint({
    method: 'POST',
    path: `${path}/preview`,
    summary: 'What a report would say now',
    access: 'reports.read',
    keys: 'none',
    withoutIdempotencyKey: 'It stores nothing.',
    outdates: [],
    body: z.strictObject({ kind: z.enum(reportKinds), parameters }),
    response: z.object({ paper, html: pageHtml, isMailConfigured: z.boolean() }),
    errors: ['forbidden'],
  }),
  'reports.issue': endpoint({
    method: 'POST',
    path: `${path}/{id}/issues`,
    summary: 'Freeze what a report says now and send it to its recipients',
    access: 'reports.update',
    keys: 'none',
    params,
    response: issueFacts,
    status: 201,
    errors: ['not_found', 'forbidden'],
  }),
  'reports.issues': endpoint({
    method: 'GET',
    path: `${path}/{id}/issues`,
    summary: 'Issues of a report, the newest first',
    access: 'reports.read',
    keys: 'none',
    params,
    query: pageQuery.omit({ order: true }),
    response: paged('issues', issueFacts),
    errors: ['not_found'],
  }),
  'reports.getIssue': endpoint({
    method: 'GET',
    path: issuePath,
    summary: 'One issue as it was frozen, and which of its figures moved since',
    access: 'reports.read',
    keys: 'none',
    params: issueParams,
    response: issueFacts.extend({
      paper,
      html: pageHtml,
      readers: z.array(z.object({ name: z.string(), readAt: timestamp })).max(200),
      /** Figures that are different for the same period now; null where that cannot be read. */
      moved: z
        .array(z.object({ label: z.string(), was: z.string(), is: z.string() }))
        .max(20)
        .nullable(),
    }),
    errors: ['not_found', 'forbidden'],
  }),
  'reports.markRead': endpoint({
    method: 'PUT',
    path: `${issuePath}/read`,
    summary: 'Note that the caller read an issue',
    access: 'reports.read',
    keys: 'none',
    params: issueParams,
    response: z.null(),
    status: 204,
    errors: ['not_found'],
  }),
  'reports.file': endpoint({
    method: 'GET',
    path: `${issuePath}/file`,
    summary: 'An issue as PDF, CSV or a page to print',
    access: 'reports.read',
    keys: 'none',
    params: issueParams,
    query: z.object({ format: z.enum(['pdf', 'csv', 'html']).default('pdf') }),
    response: { mediaType: 'application/pdf', alternatives: ['text/csv', 'text/html'] },
    errors: ['not_found', 'rate_limited'],
  }),
  'reports.links': endpoint({
    method: 'GET',
    path: `${issuePath}/links`,
    summary: 'Links that open an issue without an account, the newest first',
    access: 'reports.share',
    keys: 'none',
    params: issueParams,
    response: z.object({ links: z.array(link).max(bounds.linksPerIssue) }),
    errors: ['not_found'],
  }),
  'reports.createLink': endpoint({
    method: 'POST',
    path: `${issuePath}/links`,
    summary: 'A link that opens one issue without an account until it expires',
    access: 'reports.share',
    keys: 'none',
    params: issueParams,
    body: z.strictObject({ expiresInDays: z.number().int().min(1).max(bounds.maxLinkDays) }),
    answersSecret: true,
    response: z.object({
      link,
      /** Opens the issue at `/api/report-links/{token}`. Shown once, for it is not kept. */
      token: z.string(),
    }),
    status: 201,
    errors: ['not_found', 'limit_reached'],
  }),
  'reports.revokeLink': endpoint({
    method: 'DELETE',
    path: `${issuePath}/links/{linkId}`,
    summary: 'Revoke a link to an issue',
    access: 'reports.share',
    keys: 'none',
    params: issueParams.extend({ linkId: uuid }),
    response: z.null(),
    status: 204,
    errors: ['not_found'],
  }),
  'reports.openLink': endpoint({
    method: 'GET',
    path: '/api/report-links/{token}',
    summary: 'The issue that a link opens, as a page',
    access: 'public',
    hasEffect: true,
    params: z.object({ token: z.string().min(1).max(100) }),
    response: { mediaType: 'text/html' },
    errors: ['not_found', 'rate_limited'],
  }),
} as const
