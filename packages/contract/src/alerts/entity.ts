import type { AlertSeverity, AlertState } from './rules.ts'
import { type PermissionRules, see, work } from '../base/permission-rule.ts'
import type { StatusTone } from '../base/entity.ts'
import { entity } from '../base/entity.ts'

export type AlertEvents = {
  /** An alert was created, changed, silenced or deleted, or its state changed. */
  ALERTS_UPDATE: { alertId: string }
}

/** What webhooks get when an alert fires or is resolved. */
export type AlertMessage = {
  alertId: string
  name: string
  severity: AlertSeverity
  /** Of the series that fires; empty where the expression has one value. */
  labels: Record<string, string>
  value: number | null
  firedAt: string
  /** Null while it fires. */
  resolvedAt: string | null
}

const sample: AlertMessage = {
  alertId: '019a0000-0000-7000-8000-000000000011',
  name: 'Memory of a cluster',
  severity: 'warning',
  labels: { cluster: 'prod-eu' },
  value: 93.5,
  firedAt: '2026-11-23T07:57:00.000Z',
  resolvedAt: null,
}

const messages = [
  { name: 'alert.firing', about: 'A series went beyond the limit of an alert for long enough.', sample },
  {
    name: 'alert.resolved',
    about: 'A series that fired is back within the limit, or has ended.',
    sample: { ...sample, resolvedAt: '2026-11-23T08:12:00.000Z' } satisfies AlertMessage,
  },
] as const

export type AlertMessageType = (typeof messages)[number]['name']

const line = 'Write, silence and delete alerts'

export const alertPermissions = {
  'alerts.read': { role: 'VIEWER', ...see('see alerts') },
  'alerts.create': { role: 'MEMBER', ...work(line, 'create alerts') },
  'alerts.update': { role: 'MEMBER', ...work(line, 'change, acknowledge and silence alerts') },
  'alerts.delete': { role: 'MEMBER', ...work(line, 'delete alerts') },
} as const satisfies PermissionRules

const tones = {
  ok: 'quiet',
  pending: 'quiet',
  no_data: 'warn',
  firing: 'danger',
  off: 'quiet',
} as const satisfies Record<AlertState | 'off', StatusTone>

export const alertEntity = entity({
  idKind: 'uuid',
  singular: 'alert',
  plural: 'alerts',
  icon: 'bell',
  paths: { list: '/analytics/alerts', detail: '/analytics/alerts/{id}', create: '/analytics/alerts/create' },
  readPermission: 'alerts.read',
  statuses: tones,
  label: (row: { name: string }) => row.name,
  subtitle: (row: { description: string }) => row.description,
  events: {
    ALERTS_UPDATE: {
      audience: 'organization',
      changedId: 'alertId',
      webhook: {
        name: 'alert.updated',
        about: 'An alert was created, changed, silenced or deleted, or its state changed.',
        sample: {
          alertId: '019a0000-0000-7000-8000-000000000011',
        } satisfies AlertEvents['ALERTS_UPDATE'],
      },
    },
  },
  asCode: {
    noun: 'alerts',
    create: 'alerts.create',
    update: 'alerts.update',
    delete: 'alerts.delete',
    version: { field: 'version', sentAs: 'version' },
  },
  subscriptions: {},
  messages,
  palette: { group: 'Alerts', category: 'Alert', suggest: { failing: { priority: 9, count: 2 } } },
})
