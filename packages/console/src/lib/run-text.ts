import type { Run, StepLog, StepRun } from '@bey/contract'
import { entities, guaranteeTexts, isRunOver } from '@bey/contract'
import { absent, formatElapsed } from './format.ts'

/** The guarantee of a run's steps in one sentence where all have the same; else undefined, and each says its own. */
export function sharedGuarantee(steps: readonly Pick<StepRun, 'guarantee'>[]): string | undefined {
  const [first, ...others] = steps
  if (!first || others.length === 0 || others.some((step) => step.guarantee !== first.guarantee))
    return undefined
  const { sentence } = guaranteeTexts[first.guarantee]
  return `Each step: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}

const triggers: Readonly<Record<Run['trigger'], string>> = {
  manual: 'Manual',
  schedule: 'Schedule',
  webhook: 'Webhook',
  event: 'Event',
  system: 'System',
}

/** What started a run, in words. */
export function triggerText(trigger: Run['trigger']): string {
  return triggers[trigger]
}

/** "Started manually by Grace Hopper", "Started by the schedule nightly". */
export function startedText({ trigger, triggerName, createdBy }: Run): string {
  const name = triggerName === null ? '' : ` ${triggerName}`
  switch (trigger) {
    case 'manual':
      return createdBy.type === 'system' ? 'Started by Bey' : `Started manually by ${createdBy.name}`
    case 'schedule':
      return `Started by the schedule${name}`
    case 'webhook':
      return `Started by the webhook${name}`
    case 'event':
      return `Started by the event rule${name}`
    case 'system':
      return 'Started by Bey'
  }
}

/** "Provision cluster · prod-eu-1". */
export function runTitle(run: Pick<Run, 'workflowName' | 'subject'>): string {
  return run.subject ? `${run.workflowName} · ${run.subject.name}` : run.workflowName
}

/** Log lines as a log view shows them, each under the name of its step. */
export function logLines(logs: readonly StepLog[], steps: readonly StepRun[]) {
  const names = new Map(steps.map((step) => [step.key, step.name]))
  return logs.map((line) => ({
    id: String(line.seq),
    at: new Date(line.at),
    level: line.level,
    source: names.get(line.stepKey) ?? line.stepKey,
    text: line.message,
  }))
}

export const runHref = (run: { workflowId: string; runId: string }) =>
  entities.run.paths.detail.replace('{workflowId}', run.workflowId).replace('{id}', run.runId)

/** A run in words, as the tables of runs show it. `now` in milliseconds, for one that still runs. */
export function runRow(run: Run, now: number) {
  return {
    id: run.id,
    href: runHref({ workflowId: run.workflowId, runId: run.id }),
    name: run.workflowName,
    subject: run.subject?.name ?? absent,
    status: run.status,
    isOver: isRunOver(run.status),
    trigger: triggerText(run.trigger),
    by: run.createdBy.name || 'System',
    duration: formatElapsed(run.startedAt, run.finishedAt, now),
    durationMs:
      run.startedAt === null
        ? null
        : (run.finishedAt === null ? now : Date.parse(run.finishedAt)) - Date.parse(run.startedAt),
    queuedAt: run.queuedAt,
  }
}
