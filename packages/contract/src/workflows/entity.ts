import type { RunStatus } from '../base/statuses.ts'
import { runStatuses } from '../base/statuses.ts'
import { entity } from '../base/entity.ts'
import type { StatusTone } from '../base/entity.ts'

export type WorkflowEvents = {
  WORKFLOW_UPDATE: {
    workflowId: string
    status: 'idle' | RunStatus
    lastRunAt: string | null
    /** What happened to the workflow itself; without it, one of its runs moved. */
    change?: 'created' | 'saved' | 'state' | 'deleted' | 'restored'
  }
}

export const runTones = {
  queued: 'quiet',
  scheduled: 'quiet',
  running: 'busy',
  waiting: 'busy',
  paused: 'warn',
  cancelling: 'busy',
  cancelled: 'quiet',
  completed: 'quiet',
  failed: 'danger',
  timed_out: 'danger',
  needs_attention: 'danger',
  expired: 'quiet',
} as const satisfies Record<RunStatus, StatusTone>

export const workflowEntity = entity({
  idKind: 'uuid',
  singular: 'workflow',
  plural: 'workflows',
  icon: 'workflow',
  paths: { list: '/workflows', detail: '/workflows/{id}', create: '/workflows/create' },
  readPermission: 'workflows.read',
  statuses: { idle: 'quiet', ...runTones },
  statusOwner: 'run',
  label: (row: { name: string }) => row.name,
  subtitle: (row: { description: string }) => row.description,
  events: {
    WORKFLOW_UPDATE: {
      audience: 'organization',
      webhook: {
        name: 'workflow.updated',
        about: 'A workflow was changed, or the status of its last run.',
        sample: {
          workflowId: '019a0000-0000-7000-8000-000000000001',
          status: 'failed',
          lastRunAt: '2026-11-22T10:00:00.000Z',
        } satisfies WorkflowEvents['WORKFLOW_UPDATE'],
        statuses: ['idle', ...runStatuses],
      },
    },
  },
  asCode: {
    noun: 'workflows',
    create: 'workflows.create',
    update: 'workflows.update',
    delete: 'workflows.delete',
    detail: { endpoint: 'workflows.version', params: { version: 'latest' }, property: 'definition' },
    without: ['reason', 'state'],
    version: { field: 'version', sentAs: 'baseVersion' },
    replacesAll: true,
    isBuiltIn: ({ isBuiltIn, purgeAt }: { isBuiltIn: boolean; purgeAt: string | null }) =>
      isBuiltIn || purgeAt !== null,
  },
  subscriptions: {
    workflow: { idField: 'workflowId', label: '' },
    workflows: { label: 'all workflows' },
  },
  palette: {
    group: 'Workflows',
    category: 'Workflow',
    categoryIfReadOnly: 'Built-in workflow',
    key: 'w',
    suggest: { failing: { priority: 8, count: 2 }, unused: { priority: 6, count: 2 } },
  },
})
