import { kubernetesPath } from '@bey/contract'
import type { ActionInput, ActionTarget, ActionValues, RequestAction } from './action.ts'
import { access, mergePatch } from './action.ts'
import type { ObjectMeta } from './action-object.ts'
import { nameProblem } from './field-rules.ts'
import { freeName } from './free-name.ts'
import { kubectlLine, kubectlObject, kubectlWithInput } from './kubectl-line.ts'

const jobs = { group: 'batch', version: 'v1', plural: 'jobs' }
const createJob = () => ({ verb: 'create', group: 'batch', resource: 'jobs' })

function jobNameField({ target, now }: ActionInput) {
  return [
    {
      name: 'name',
      label: 'Name of the job',
      type: 'text' as const,
      initial: freeName(target.name, now),
      problem: (value: string) => nameProblem(value),
    },
  ]
}

export const trigger: RequestAction = {
  id: 'trigger',
  form: 'fields',
  label: 'Run now',
  pending: 'Starting a job',
  done: 'Job started',
  isFor: (resource) => resource === 'cronjobs.batch',
  isPrimary: true,
  permission: 'kubernetes.write',
  access: createJob,
  isBulk: true,
  fields: jobNameField,
  requests: ({ target }, values) => [
    {
      method: 'POST',
      path: kubernetesPath(jobs, target.namespace),
      body: jobOfCronJob(target, values),
    },
  ],
  kubectl: ({ target }, { name = '' }) =>
    kubectlLine(target, 'create', 'job', name, `--from=cronjob/${target.name}`),
}

/** As `kubectl create job --from` makes it: owned by the cron job, and marked as started by a person. */
function jobOfCronJob({ object, namespace, name: cronJob }: ActionTarget, { name }: ActionValues) {
  const { metadata, spec } = object.spec?.jobTemplate ?? {}
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace,
      labels: metadata?.labels ?? {},
      annotations: { ...metadata?.annotations, 'cronjob.kubernetes.io/instantiate': 'manual' },
      ownerReferences: [
        {
          apiVersion: 'batch/v1',
          kind: 'CronJob',
          name: cronJob,
          uid: object.metadata?.uid,
          controller: true,
        },
      ],
    },
    spec: spec ?? {},
  }
}

function suspendAction(isSuspend: boolean): RequestAction {
  const patch = { spec: { suspend: isSuspend } }
  return {
    id: isSuspend ? 'suspend' : 'unsuspend',
    form: 'fields',
    label: isSuspend ? 'Suspend' : 'Resume schedule',
    pending: isSuspend ? 'Suspending' : 'Resuming',
    done: isSuspend ? 'Suspended: it starts no jobs' : 'Resumed: it starts jobs by its schedule',
    isFor: (resource) => resource === 'cronjobs.batch',
    isPrimary: true,
    isToggle: true,
    permission: 'kubernetes.write',
    access: access('patch'),
    isBulk: true,
    refusal({ object }) {
      if (Boolean(object.spec?.suspend) !== isSuspend) return undefined
      return isSuspend ? 'It is already suspended.' : 'It is not suspended.'
    },
    requests: ({ target }) => [mergePatch(target, patch)],
    kubectl: ({ target }) =>
      kubectlLine(target, 'patch', kubectlObject('cronjobs.batch', target.name), '-p', JSON.stringify(patch)),
  }
}

export const suspend = suspendAction(true)
export const unsuspend = suspendAction(false)

export const retry: RequestAction = {
  id: 'retry',
  form: 'fields',
  label: 'Run again',
  pending: 'Starting a new job',
  done: 'New job started',
  isFor: (resource) => resource === 'jobs.batch',
  isPrimary: true,
  permission: 'kubernetes.write',
  access: createJob,
  isBulk: true,
  notes: () => ['A new job with the same template; this one and its pods stay as they are.'],
  fields: jobNameField,
  requests: ({ target }, values) => [
    { method: 'POST', path: kubernetesPath(jobs, target.namespace), body: sameJob(target, values) },
  ],
  kubectl: ({ target }, values) =>
    kubectlWithInput(kubectlLine(target, 'create', '-f', '-'), sameJob(target, values)),
}

/** Labels by which the API server ties pods to one job, and which it sets anew for another. */
const ownLabels = new Set([
  'controller-uid',
  'job-name',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
])

function sameJob({ object, namespace }: ActionTarget, { name }: ActionValues) {
  const { selector: _selector, template, ...spec } = object.spec ?? {}
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace, labels: withoutOwn(object.metadata) },
    spec: {
      ...spec,
      suspend: undefined,
      template: { ...template, metadata: { ...template?.metadata, labels: withoutOwn(template?.metadata) } },
    },
  }
}

function withoutOwn(metadata: ObjectMeta | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata?.labels ?? {}).filter(([key]) => !ownLabels.has(key)))
}
