import { createHash } from 'node:crypto'

import { z } from 'zod'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import type { StepParts } from '../ports.ts'
import type { ActionContext, ActionStepType } from '../step-type.ts'
import {
  type ClusterSession,
  clusterField,
  expectStatus,
  namespaceField,
  openSession,
} from './cluster-session.ts'
import { followJob } from './job-log.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const resources = z.partialRecord(z.enum(['cpu', 'memory']), z.string().max(20))

const config = z.strictObject({
  cluster: clusterField,
  namespace: namespaceField.default('default').meta({ title: 'Namespace', 'x-widget': 'namespace' }),
  image: z.string().min(1).max(500).meta({ title: 'Image', description: 'E.g. alpine:3.22.' }),
  command: z
    .array(z.string().max(10_000))
    .max(100)
    .default([])
    .meta({ title: 'Command', description: 'Program and arguments; the image’s own unless given.' }),
  args: z.array(z.string().max(10_000)).max(100).default([]).meta({ title: 'Arguments' }),
  env: z.record(z.string().min(1).max(200), z.string().max(65_536)).default({}).meta({
    title: 'Environment',
    'x-widget': 'map',
  }),
  service_account: z.string().max(253).optional().meta({ title: 'Service account' }),
  requests: resources.default({}).meta({ title: 'Requests', description: 'E.g. cpu 100m, memory 128Mi.' }),
  limits: resources.default({}).meta({ title: 'Limits' }),
  retries: z.number().int().min(0).max(10).default(0).meta({
    title: 'Retries of the pod',
    description: 'How often Kubernetes starts another pod after one failed.',
  }),
  keep_ms: z.number().int().min(60_000).max(86_400_000).default(3_600_000).meta({
    title: 'Keep for',
    description: 'How long the job stays in the cluster after it ended.',
    'x-widget': 'duration',
  }),
  timeout_ms: z
    .number()
    .int()
    .min(1_000)
    .max(86_400_000)
    .default(3_600_000)
    .meta({ title: 'Time limit', 'x-widget': 'duration' }),
})
type Config = z.output<typeof config>

export function kubernetesJob(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'kubernetes.job',
    label: 'Run job',
    group: 'Kubernetes',
    icon: 'container',
    description: 'Runs a container to its end as a Job and streams its log into the log of the step.',
    guaranteeNote:
      'The name of the job follows from the run and the step: after a crash the same job is followed again.',
    config,
    example: {
      cluster: '{{ inputs.cluster }}',
      namespace: 'default',
      image: 'alpine:3.22',
      command: ['sh', '-c', 'echo done'],
    },
    output: {
      type: 'object',
      properties: {
        job: { type: 'string' },
        pod: { type: ['string', 'null'] },
        exit_code: { type: ['integer', 'null'] },
        result: { description: 'The last line of the log, parsed if it is JSON.' },
      },
    },
    permission: 'kubernetes.write',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    test: {
      async dryRun(context, given) {
        const session = await openSession(parts, context, given.cluster)
        const reply = await session.call('POST', `${jobsPath(given)}?dryRun=All`, {
          body: jobOf(context, given),
        })
        expectStatus(reply, [201], 'The job could not be created')
        return { job: nameOf(context), pod: null, exit_code: null, result: null }
      },
    },
    async execute(context, given) {
      const session = await openSession(parts, context, given.cluster)
      const diff = {
        resource: 'jobs',
        group: 'batch',
        namespace: given.namespace,
        name: nameOf(context),
        image: given.image,
      }
      return session.audited({ action: 'kubernetes.job', class: 'execute', diff }, () =>
        runJob(session, context, given, parts),
      )
    },
  }
}

async function runJob(session: ClusterSession, context: ActionContext, given: Config, parts: StepParts) {
  const name = nameOf(context)
  const path = `${jobsPath(given)}/${name}`
  const created = await session.call('POST', jobsPath(given), { body: jobOf(context, given) })
  expectStatus(created, [201, 409], 'The job could not be created')
  context.log(
    created.status === 409
      ? `Following the job ${name}, which was there already.`
      : `Created the job ${name}.`,
  )
  try {
    return await followJob(session, context, {
      namespace: given.namespace,
      name,
      path,
      timeoutMs: given.timeout_ms,
      clock: parts.clock,
    })
  } catch (error) {
    // Only what nobody waits for any more is ended; after a crash or a lost connection the job goes on.
    const isOver = context.signal.aborted || (error instanceof StepFailure && error.reason === 'timeout')
    if (isOver) await deleteJob(session, path)
    throw error
  }
}

/** With a signal of its own: that of the step may be aborted already. */
async function deleteJob(session: ClusterSession, path: string): Promise<void> {
  const signal = AbortSignal.timeout(5_000)
  const body = { propagationPolicy: 'Background' }
  await session.call('DELETE', path, { body, signal }).catch(() => {
    // Its own time limit ends it in the cluster.
  })
}

function jobsPath({ namespace }: Config): string {
  return `/apis/batch/v1/namespaces/${encodeURIComponent(namespace)}/jobs`
}

/** The same for each attempt of this step of this run. */
function nameOf({ idempotencyKey }: ActionContext): string {
  return `bey-${createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 20)}`
}

function jobOf(context: ActionContext, given: Config): object {
  const labels = { 'app.kubernetes.io/managed-by': 'bey', 'bey.io/run': context.run.id }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: nameOf(context), namespace: given.namespace, labels },
    spec: {
      backoffLimit: given.retries,
      ttlSecondsAfterFinished: Math.round(given.keep_ms / 1_000),
      activeDeadlineSeconds: Math.ceil(given.timeout_ms / 1_000),
      template: {
        metadata: { labels },
        spec: {
          restartPolicy: 'Never',
          ...(given.service_account && { serviceAccountName: given.service_account }),
          containers: [
            {
              name: 'main',
              image: given.image,
              ...(given.command.length > 0 && { command: given.command }),
              ...(given.args.length > 0 && { args: given.args }),
              env: Object.entries(given.env).map(([key, value]) => ({ name: key, value })),
              resources: { requests: given.requests, limits: given.limits },
            },
          ],
        },
      },
    },
  }
}
