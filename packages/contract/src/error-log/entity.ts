import { entity } from '../base/entity.ts'

export type ErrorEvents = {
  /** Errors were reported, resolved, ignored or opened again. */
  ERRORS_UPDATE: { openCount: number }
}

export const errorEntity = entity({
  idKind: 'uuid',
  singular: 'error',
  plural: 'errors',
  icon: 'bug',
  paths: { list: '/errors', detail: '/errors/{id}' },
  readPermission: 'errors.read',
  statuses: { open: 'quiet', resolved: 'quiet', ignored: 'quiet' },
  label: (row: { message: string }) => row.message,
  subtitle: (row: { culprit: string }) => row.culprit,
  events: { ERRORS_UPDATE: { audience: 'organization', isExpanded: true } },
  subscriptions: {},
})
