import type { Fields } from './fields.ts'
import { at, figure, items, text } from './fields.ts'
import type { Panel, PanelValue } from './panel-parts.ts'
import { known } from './panel-parts.ts'
import { templateParts } from './workload-panels.ts'

export const jobPanel: Panel = (job) => [
  {
    type: 'facts',
    title: 'Completion',
    isAside: true,
    facts: known([
      {
        label: 'Completed',
        value: `${figure(at(job, 'status', 'succeeded')) ?? 0} of ${figure(at(job, 'spec', 'completions')) ?? 1}`,
      },
      { label: 'Active', value: figure(at(job, 'status', 'active')) ?? 0 },
      { label: 'Failed', value: figure(at(job, 'status', 'failed')) ?? 0 },
      { label: 'At the same time', value: figure(at(job, 'spec', 'parallelism')) ?? 1 },
      { label: 'Tries again', value: retries(job) },
      { label: 'Ends after', value: secondsText(at(job, 'spec', 'activeDeadlineSeconds')) },
      { label: 'Removed after it ended', value: secondsText(at(job, 'spec', 'ttlSecondsAfterFinished')) },
      at(job, 'spec', 'suspend') === true && { label: 'Suspended', value: 'yes' },
      { label: 'Started', value: time(at(job, 'status', 'startTime')) },
      { label: 'Completed at', value: time(at(job, 'status', 'completionTime')) },
    ]),
  },
  ...templateParts(job),
]

const concurrencyWords: Readonly<Record<string, string>> = {
  Allow: 'jobs may run side by side',
  Forbid: 'the next one is skipped while one runs',
  Replace: 'the next one replaces the one that runs',
}

export const cronJobPanel: Panel = (cronJob) => {
  const namespace = text(at(cronJob, 'metadata', 'namespace')) ?? ''
  const policy = text(at(cronJob, 'spec', 'concurrencyPolicy')) ?? 'Allow'
  const active = items(at(cronJob, 'status', 'active')).flatMap(({ name }): PanelValue[] => {
    const found = text(name)
    return found === null ? [] : [{ ref: { resource: 'jobs.batch', namespace, name: found } }]
  })
  return [
    {
      type: 'schedule',
      title: 'Schedule',
      schedule: text(at(cronJob, 'spec', 'schedule')) ?? '',
      timeZone: text(at(cronJob, 'spec', 'timeZone')),
      isSuspended: at(cronJob, 'spec', 'suspend') === true,
    },
    {
      type: 'facts',
      title: 'Jobs',
      isAside: true,
      facts: known([
        { label: 'Active', value: active.length > 0 ? active : 'none' },
        { label: 'Last started', value: time(at(cronJob, 'status', 'lastScheduleTime')) },
        { label: 'Last succeeded', value: time(at(cronJob, 'status', 'lastSuccessfulTime')) },
        { label: 'When one still runs', value: concurrencyWords[policy] ?? policy },
        { label: 'Kept, succeeded', value: figure(at(cronJob, 'spec', 'successfulJobsHistoryLimit')) ?? 3 },
        { label: 'Kept, failed', value: figure(at(cronJob, 'spec', 'failedJobsHistoryLimit')) ?? 1 },
        {
          label: 'Skipped if late by',
          value: secondsText(at(cronJob, 'spec', 'startingDeadlineSeconds')),
        },
      ]),
    },
    ...templateParts(cronJob, 'spec', 'jobTemplate', 'spec', 'template'),
  ]
}

function retries(job: Fields): string {
  const limit = figure(at(job, 'spec', 'backoffLimit')) ?? 6
  return limit === 0 ? 'never' : `up to ${limit} ${limit === 1 ? 'time' : 'times'}`
}

function secondsText(value: unknown): string | null {
  const seconds = figure(value)
  if (seconds === null) return null
  if (seconds >= 3600 && seconds % 3600 === 0) return `${seconds / 3600} h`
  return seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

function time(value: unknown): PanelValue {
  const found = text(value)
  return found === null ? null : { at: found }
}
