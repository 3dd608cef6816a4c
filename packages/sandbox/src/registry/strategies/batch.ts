import { equal } from '../../json.ts'
import { field, type Cause } from '../../status-error.ts'
import { cronJobs, jobs, type Job } from '../../types.ts'
import { checkSchedule } from '../../controllers/cron-schedule.ts'
import { strategy } from '../strategy.ts'
import { checkTemplate, defaultTemplate } from './workloads.ts'

type JobSpec = Job['spec']

function defaultJob(spec: JobSpec): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1
  spec.parallelism ??= 1
  spec.backoffLimit ??= 6
  spec.completionMode ??= 'NonIndexed'
  spec.suspend ??= false
  spec.manualSelector ??= undefined
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed'
  defaultTemplate(spec.template)
}

function checkJob(spec: JobSpec, path: string): Cause[] {
  const causes: Cause[] = []
  for (const name of ['parallelism', 'completions', 'backoffLimit', 'activeDeadlineSeconds'] as const) {
    const value = spec[name]
    if (value !== undefined && value < 0) {
      causes.push(field.invalid(`${path}.${name}`, value, 'must be greater than or equal to 0'))
    }
  }
  if (spec.template.spec?.restartPolicy === 'Always') {
    const detail = ['OnFailure', 'Never']
    causes.push(field.unsupported(`${path}.template.spec.restartPolicy`, 'Always', detail))
  }
  return [...causes, ...checkTemplate(spec.template, `${path}.template`, ['OnFailure', 'Never', 'Always'])]
}

export const batchStrategies = [
  strategy(jobs, {
    defaults: (job) => defaultJob(job.spec),
    prepareCreate(job) {
      // The pods of two jobs must never be mistaken for one another, whatever labels the user chose.
      if (job.spec.manualSelector) return
      const metadata = (job.spec.template.metadata ??= {})
      metadata.labels = {
        ...metadata.labels,
        'batch.kubernetes.io/controller-uid': job.metadata.uid,
        'batch.kubernetes.io/job-name': job.metadata.name,
        'controller-uid': job.metadata.uid,
        'job-name': job.metadata.name,
      }
      job.spec.selector = { matchLabels: { 'batch.kubernetes.io/controller-uid': job.metadata.uid } }
    },
    validate: (job) => checkJob(job.spec, 'spec'),
    validateUpdate({ spec }, { spec: old }) {
      const causes: Cause[] = []
      if (!equal(spec.selector, old.selector)) {
        causes.push(field.invalid('spec.selector', spec.selector, 'field is immutable'))
      }
      if (!equal(spec.template, old.template) && !old.suspend) {
        causes.push(field.invalid('spec.template', spec.template, 'field is immutable'))
      }
      if (spec.completions !== old.completions && spec.completionMode !== 'Indexed') {
        causes.push(field.invalid('spec.completions', spec.completions, 'field is immutable'))
      }
      return causes
    },
    defaultPropagation: 'Background',
  }),
  strategy(cronJobs, {
    defaults({ spec }) {
      spec.concurrencyPolicy ??= 'Allow'
      spec.suspend ??= false
      spec.successfulJobsHistoryLimit ??= 3
      spec.failedJobsHistoryLimit ??= 1
      if (spec.jobTemplate.spec?.template) defaultTemplate(spec.jobTemplate.spec.template)
    },
    validate({ spec, metadata }) {
      const causes: Cause[] = []
      if (metadata.name.length > 52) {
        causes.push(field.invalid('metadata.name', metadata.name, 'must be no more than 52 characters'))
      }
      const problem = spec.schedule === '' ? undefined : checkSchedule(spec.schedule)
      if (problem) causes.push(field.invalid('spec.schedule', spec.schedule, problem))
      if (spec.timeZone === '')
        causes.push(field.invalid('spec.timeZone', '', 'timeZone must be nil or non-empty string'))
      else if (spec.timeZone !== undefined && !isTimeZone(spec.timeZone)) {
        causes.push(field.invalid('spec.timeZone', spec.timeZone, `unknown time zone ${spec.timeZone}`))
      }
      const policies = ['Allow', 'Forbid', 'Replace']
      if (spec.concurrencyPolicy && !policies.includes(spec.concurrencyPolicy)) {
        causes.push(field.unsupported('spec.concurrencyPolicy', spec.concurrencyPolicy, policies))
      }
      if (spec.jobTemplate.spec) causes.push(...checkJob(spec.jobTemplate.spec, 'spec.jobTemplate.spec'))
      return causes
    },
  }),
]

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
