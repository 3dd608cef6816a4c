import { type PermissionRules, see, work } from '../base/permission-rule.ts'
import { entity } from '../base/entity.ts'

export type BoardEvents = {
  /** A board was created, changed or deleted. */
  BOARDS_UPDATE: { boardId: string }
}

const line = 'Write and delete boards'

export const boardPermissions = {
  'boards.read': { role: 'VIEWER', ...see('see boards') },
  'boards.create': { role: 'MEMBER', ...work(line, 'create boards') },
  'boards.update': { role: 'MEMBER', ...work(line, 'change boards') },
  'boards.delete': { role: 'MEMBER', ...work(line, 'delete boards') },
} as const satisfies PermissionRules

export const boardEntity = entity({
  idKind: 'uuid',
  singular: 'board',
  plural: 'boards',
  icon: 'chart-line',
  paths: { list: '/analytics/dashboard', detail: '/analytics/dashboard/{id}' },
  readPermission: 'boards.read',
  statuses: { active: 'quiet' },
  label: (row: { name: string }) => row.name,
  subtitle: (row: { description: string }) => row.description,
  events: { BOARDS_UPDATE: { audience: 'organization', changedId: 'boardId' } },
  asCode: {
    noun: 'boards',
    create: 'boards.create',
    update: 'boards.update',
    delete: 'boards.delete',
    detail: { endpoint: 'boards.get' },
    version: { field: 'version', sentAs: 'version' },
  },
  subscriptions: {},
  palette: { group: 'Boards', category: 'Board', suggest: {} },
})
