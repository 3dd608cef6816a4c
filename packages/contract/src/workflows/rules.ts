export const workflowTypes = ['provisioning', 'deployment', 'maintenance', 'data', 'custom'] as const
export type WorkflowType = (typeof workflowTypes)[number]

export const workflowStates = ['draft', 'active', 'paused', 'archived'] as const
export type WorkflowState = (typeof workflowStates)[number]

/** Legal moves of a workflow. Only an active one is started by its triggers; a draft and a paused one by hand as well. */
export const workflowMoves: Record<WorkflowState, readonly WorkflowState[]> = {
  draft: ['active', 'archived'],
  active: ['paused', 'archived'],
  paused: ['active', 'archived'],
  archived: ['active'],
}

/** For so many days a deleted workflow can be restored with its versions, triggers and runs. */
export const workflowDeletionDays = 7

/** What happens to a run or step for which its concurrency key has no room. */
export const limitActions = ['queue', 'skip', 'replace'] as const
export type LimitAction = (typeof limitActions)[number]

/** Why an attempt of a step failed, as retries name it. */
export const retryReasons = ['error', 'timeout', 'network', 'rate_limited', 'server_error'] as const
export type RetryReason = (typeof retryReasons)[number]

export const stepGuarantees = ['exactly_once', 'at_least_once_keyed', 'at_least_once'] as const
export type StepGuaranteeName = (typeof stepGuarantees)[number]

/** One word on the node, one sentence in the form: what a crash can do to a step. */
export const guaranteeTexts: Record<StepGuaranteeName, { word: string; sentence: string }> = {
  exactly_once: {
    word: 'Once',
    sentence: 'Takes effect exactly once, also when the server dies while it is under way.',
  },
  at_least_once_keyed: {
    word: 'Repeatable',
    sentence: 'May run again after a crash without harm: a repetition has no further effect.',
  },
  at_least_once: {
    word: 'Asks',
    sentence:
      'If the server dies while it is under way, nobody knows whether it happened: the run waits for a person to decide.',
  },
}

const keptFrom = 'Kept from the run '

/** The note of a step whose result a retry kept from an earlier run instead of executing it. */
export function keptNote(runId: string): string {
  return `${keptFrom}${runId}.`
}

/** Whether a step was not executed in its run: a retry kept its result. */
export function isKeptStep({ note }: { note: string }): boolean {
  return note.startsWith(keptFrom)
}

export const workflowLimits = {
  steps: 5_000,
  /** From here on the editor advises to split the workflow. */
  stepsAdvised: 500,
  expressionChars: 4_000,
  /** Longest time-out, delay and wait: 365 days. */
  longestMs: 365 * 24 * 60 * 60 * 1_000,
  /** Input of a run and output of a step, as JSON. */
  payloadBytes: 1_048_576,
  foreachItems: 1_000,
  /** Sub-workflows within sub-workflows. */
  depth: 10,
} as const

export const triggerTypes = ['schedule', 'webhook', 'event'] as const
export type TriggerType = (typeof triggerTypes)[number]

/** A due time that is later than so much was missed; one that is not starts its run, whatever becomes of missed ones. */
export const missedAfterMs = 60_000

/** What happened to the times that passed while no server ran: none, the last one, or each of them (at most 100). */
export const catchUpPolicies = ['none', 'latest', 'all'] as const
/** What a due time does while an earlier run of the trigger goes on. */
export const overlapPolicies = ['allow', 'skip', 'queue', 'replace'] as const

/** Events that can start a workflow, with the fields of `event` beside `type`; of a run, the one that ends it. */
export const triggerEventTable = {
  WORKFLOW_RUN_UPDATE: {
    label: 'A run ends',
    fields: ['workflow_id', 'run_id', 'status', 'subject', 'progress'],
  },
  WORKFLOW_UPDATE: {
    label: 'A workflow is saved, paused or deleted',
    fields: ['workflow_id', 'change', 'status', 'last_run_at'],
  },
  CLUSTER_PROVISIONING_UPDATE: {
    label: 'A cluster is created or deleted',
    fields: ['cluster_id', 'status', 'error', 'workflow_id', 'run_id', 'step_name', 'progress'],
  },
  CLUSTER_HEALTH_UPDATE: {
    label: 'A cluster begins to fail, or recovers',
    fields: ['cluster_id', 'cluster', 'health', 'reason'],
  },
} as const
export type TriggerEventType = keyof typeof triggerEventTable
export const triggerEventNames = [
  'WORKFLOW_RUN_UPDATE',
  'WORKFLOW_UPDATE',
  'CLUSTER_PROVISIONING_UPDATE',
  'CLUSTER_HEALTH_UPDATE',
] as const satisfies readonly TriggerEventType[]
