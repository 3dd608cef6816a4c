import type { Run, StepRun } from '@bey/contract'
import type { RunDetail } from '../../data/workflows.ts'

/** Runs of tests begin then. */
export const startedAt = Date.parse('2026-11-21T12:00:00.000Z')

/** An instant of a test: so many seconds after its run began. */
export const at = (second: number) => new Date(startedAt + second * 1_000).toISOString()

export function givenStep(key: string, part: Partial<StepRun> = {}): StepRun {
  return {
    id: key,
    key,
    name: key.charAt(0).toUpperCase() + key.slice(1),
    type: 'http',
    position: 0,
    status: 'pending',
    guarantee: 'exactly_once',
    attempt: 0,
    progressPercent: 0,
    error: null,
    needs: [],
    parentKey: null,
    note: '',
    nextAt: null,
    startedAt: null,
    finishedAt: null,
    ...part,
  }
}

type Part = Partial<Omit<RunDetail, 'run'>> & { run?: Partial<Run> }

/** A running run without steps, by default. */
export function givenRunDetail({ run, ...part }: Part = {}): RunDetail {
  return {
    run: {
      id: 'r1',
      workflowId: 'w1',
      workflowName: 'Deploy',
      status: 'running',
      version: 13,
      trigger: 'manual',
      triggerName: null,
      subject: null,
      input: {},
      output: null,
      error: null,
      waiting: null,
      parent: null,
      retryOf: null,
      priority: 0,
      deadlineAt: null,
      recoveryCount: 0,
      progressPercent: 0,
      queuedAt: at(0),
      startedAt: at(0),
      finishedAt: null,
      cancelRequestedAt: null,
      createdBy: { type: 'user', id: '1', name: 'Grace Hopper', email: 'grace@example.com' },
      ...run,
    },
    workflow: {
      id: 'w1',
      name: 'Deploy',
      description: '',
      type: 'deployment',
      isBuiltIn: false,
      state: 'active',
      purgeAt: null,
      version: 13,
      tags: [],
      inputSchema: {},
      status: 'running',
      steps: [],
      lastRunAt: null,
      lastRunId: null,
      activity: { runs: [], successRate: null, medianMs: null },
      nextRunAt: null,
      createdBy: { type: 'user', id: '1', name: 'Grace Hopper', email: 'grace@example.com' },
      createdAt: at(0),
      updatedAt: at(0),
    },
    estimate: null,
    usual: {},
    children: [],
    retries: [],
    steps: [],
    attempts: [],
    logs: [],
    logsBefore: null,
    ...part,
  }
}
