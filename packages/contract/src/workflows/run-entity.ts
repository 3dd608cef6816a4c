import type { RunStatus, StepStatus } from '../base/statuses.ts'
import { runStatuses, stepStatuses } from '../base/statuses.ts'
import type { Run, StepLog } from './endpoints.ts'
import { entity } from '../base/entity.ts'
import type { EntityRef } from '../base/entity-table.ts'
import { runTones } from './entity.ts'

export type RunEvents = {
  WORKFLOW_RUN_UPDATE: {
    workflowId: string
    runId: string
    status: RunStatus
    /** What the run works on. */
    subject: EntityRef | null
    progress: number
    /** The run as lists show it, when the event is delivered; without it, or where it is too large, it is read. */
    run?: Run
  }
  WORKFLOW_STEP_UPDATE: {
    workflowId: string
    runId: string
    subject: EntityRef | null
    stepKey: string
    stepName: string
    stepStatus: StepStatus
    message: string
    progress: number
  }
  WORKFLOW_LOG: {
    workflowId: string
    runId: string
    subject: EntityRef | null
    stepName: string
    message: string
    log: StepLog
  }
}

/** The data of a message about a run that came to this status. */
const runSample = (status: RunStatus) => ({
  workflowId: '019a0000-0000-7000-8000-000000000001',
  runId: '019a0000-0000-7000-8000-000000000002',
  status,
  subject: { type: 'cluster' as const, id: '4' },
  progress: status === 'completed' ? 100 : 60,
})

const ofRun = { audience: { followersOf: ['workflow', 'workflows', 'subject'] } } as const

export const runEntity = entity({
  idKind: 'uuid',
  singular: 'run',
  plural: 'runs',
  icon: 'play',
  paths: { list: '/workflows/runs', detail: '/workflows/{workflowId}/runs/{id}' },
  readPermission: 'workflows.read',
  statuses: runTones,
  statusOwner: 'run',
  label: (row: { workflowName: string; subject: { name: string } | null }) =>
    row.subject ? `${row.workflowName} · ${row.subject.name}` : row.workflowName,
  subtitle: (row: { trigger: string }) => row.trigger,
  events: {
    WORKFLOW_RUN_UPDATE: {
      audience: 'organization',
      webhook: {
        name: 'run.updated',
        about: 'A run was queued, began, moved on, or came to its end.',
        sample: runSample('completed'),
        statuses: runStatuses,
      },
      webhooksOfStatus: [
        {
          name: 'run.completed',
          about: 'A run completed.',
          sample: runSample('completed'),
          statuses: ['completed'],
        },
        {
          name: 'run.failed',
          about: 'A run failed or timed out.',
          sample: runSample('failed'),
          statuses: ['failed', 'timed_out'],
        },
      ],
    },
    WORKFLOW_STEP_UPDATE: {
      ...ofRun,
      webhook: {
        name: 'run.step_updated',
        about: 'A step of a run began, ended, failed or waits.',
        sample: {
          workflowId: '019a0000-0000-7000-8000-000000000001',
          runId: '019a0000-0000-7000-8000-000000000002',
          subject: { type: 'cluster', id: '4' },
          stepKey: 'join-nodes',
          stepName: 'Join nodes',
          stepStatus: 'succeeded',
          message: '3 nodes joined',
          progress: 60,
        },
        statuses: stepStatuses,
      },
    },
    WORKFLOW_LOG: ofRun,
  },
  subscriptions: {},
})
