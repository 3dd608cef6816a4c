import { entity } from '../base/entity.ts'

export type WebhookEvents = {
  /** A webhook or its log of deliveries changed; at most about once a second for each webhook. */
  WEBHOOKS_UPDATE: { webhookId: string }
}

export const webhookEntity = entity({
  idKind: 'uuid',
  singular: 'webhook',
  plural: 'webhooks',
  icon: 'webhook',
  paths: {
    list: '/workspaces/settings/webhooks',
    detail: '/workspaces/settings/webhooks/{id}',
    create: '/workspaces/settings/webhooks/create',
  },
  readPermission: 'webhooks.read',
  statuses: { enabled: 'quiet', failing: 'danger', paused: 'warn', auto_disabled: 'danger' },
  label: (row: { name: string }) => row.name,
  subtitle: (row: { host: string }) => row.host,
  events: { WEBHOOKS_UPDATE: { audience: 'organization', changedId: 'webhookId' } },
  asCode: {
    noun: 'webhooks',
    create: 'webhooks.create',
    update: 'webhooks.update',
    delete: 'webhooks.delete',
    // Values of headers are secret, and rows do not say where a stream of the audit log began.
    without: ['headers', 'auditClasses', 'auditFrom'],
    shownOnce: 'secret',
  },
  subscriptions: {},
})
