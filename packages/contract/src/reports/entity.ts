import { type PermissionRules, see, work } from '../base/permission-rule.ts'
import { entity } from '../base/entity.ts'

export type ReportEvents = {
  /** A report was created, changed, issued, read or deleted. */
  REPORTS_UPDATE: { reportId: string }
}

/** What webhooks get of an issue. */
export type ReportMessage = { reportId: string; issueId: string; name: string; title: string }

const messages = [
  {
    name: 'report.issued',
    about: 'A report was issued, by its schedule or by a person.',
    sample: {
      reportId: '019a0000-0000-7000-8000-000000000011',
      issueId: '019a0000-0000-7000-8000-000000000012',
      name: 'Reliability',
      title: 'Reliability, 16 to 22 November 2026',
    } satisfies ReportMessage,
  },
] as const

const line = 'Create, issue and share reports'

export const reportPermissions = {
  'reports.read': { role: 'VIEWER', ...see('see reports') },
  'reports.create': { role: 'MEMBER', ...work(line, 'create reports') },
  'reports.update': { role: 'MEMBER', ...work(line, 'change and issue reports') },
  'reports.share': { role: 'MEMBER', ...work(line, 'share reports by a link') },
  'reports.delete': { role: 'MEMBER', ...work(line, 'delete reports') },
} as const satisfies PermissionRules

export const reportEntity = entity({
  idKind: 'uuid',
  singular: 'report',
  plural: 'reports',
  icon: 'file-text',
  paths: {
    list: '/analytics/reports',
    detail: '/analytics/reports/{id}',
    create: '/analytics/reports/create',
  },
  readPermission: 'reports.read',
  statuses: { manual: 'quiet', scheduled: 'quiet', paused: 'warn' },
  label: (row: { name: string }) => row.name,
  subtitle: (row: { kind: string }) => row.kind,
  events: { REPORTS_UPDATE: { audience: 'organization', changedId: 'reportId' } },
  subscriptions: {},
  messages,
})
