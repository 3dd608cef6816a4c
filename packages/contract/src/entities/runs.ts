import type { RunStatus, StepStatus } from '../statuses.ts'
import type { StepLog } from '../workflows.ts'
import { entity } from './entity.ts'
import type { EntityRef } from './table.ts'
import { runTones } from './workflows.ts'

export type RunEvents = {
  WORKFLOW_RUN_UPDATE: {
    workflowId: string
    runId: string
    status: RunStatus
    /** What the run works on. */
    subject: EntityRef | null
    progress: number
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
    WORKFLOW_RUN_UPDATE: { audience: 'organization' },
    WORKFLOW_STEP_UPDATE: ofRun,
    WORKFLOW_LOG: ofRun,
  },
  subscriptions: {},
})
