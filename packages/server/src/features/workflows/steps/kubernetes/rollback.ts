import { z } from 'zod'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import type { StepParts } from '../ports.ts'
import type { ActionContext, ActionStepType } from '../step-type.ts'
import { type ClusterSession, expectStatus, openSession } from './cluster-session.ts'
import type { KubeObject } from './kube-object.ts'
import { auditedWorkload, workloadFields, workloadPath } from './workload-target.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const config = z.strictObject({
  ...workloadFields(['Deployment']),
  revision: z.number().int().min(1).optional().meta({
    title: 'Revision',
    description: 'The one before the current one unless given.',
  }),
})
type Config = z.output<typeof config>

const revisionKey = 'deployment.kubernetes.io/revision'
/** Which step rolled it back: a repetition would go back one revision further. */
const rollbackKey = 'bey.io/rolled-back-by'

export function kubernetesRollback(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'kubernetes.rollback',
    label: 'Roll back deployment',
    group: 'Kubernetes',
    icon: 'undo-2',
    description: 'Brings a deployment back to an earlier revision.',
    guaranteeNote: 'A repetition after a crash goes back no further. It does not wait for the rollout.',
    config,
    example: { cluster: '{{ inputs.cluster }}', namespace: 'default', name: 'web' },
    output: {
      type: 'object',
      properties: { from_revision: { type: 'integer' }, to_revision: { type: 'integer' } },
    },
    permission: 'kubernetes.write',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    test: { dryRun: (context, given) => rollBack(parts, context, given, true) },
    execute: (context, given) => rollBack(parts, context, given, false),
  }
}

async function rollBack(parts: StepParts, context: ActionContext, given: Config, isDryRun: boolean) {
  const session = await openSession(parts, context, given.cluster)
  const label = `${given.kind} ${given.namespace}/${given.name}`
  const path = workloadPath(given)
  const current = await session.call('GET', path)
  expectStatus(current, [200], `${label} could not be read`)
  const deployment: KubeObject = current.body
  const from = revisionOf(deployment)
  if (deployment.metadata?.annotations?.[rollbackKey] === context.idempotencyKey) {
    context.log(`${label} was rolled back by this step already.`)
    return { from_revision: from, to_revision: from }
  }
  const target = await findRevision(session, given, deployment, from)
  const to = revisionOf(target)
  const work = async () => {
    const reply = await session.call('PATCH', `${path}${isDryRun ? '?dryRun=All' : ''}`, {
      contentType: 'application/json-patch+json',
      body: [
        { op: 'test', path: '/metadata/resourceVersion', value: deployment.metadata?.resourceVersion },
        { op: 'replace', path: '/spec/template', value: templateOf(target) },
        {
          op: 'add',
          path: '/metadata/annotations',
          value: { ...deployment.metadata?.annotations, [rollbackKey]: context.idempotencyKey },
        },
      ],
    })
    expectStatus(reply, [200], `${label} could not be rolled back`)
    context.log(`${label}: ${isDryRun ? 'would go' : 'goes'} back from revision ${from} to ${to}`)
    return { from_revision: from, to_revision: to }
  }
  if (isDryRun) return work()
  const diff = { ...auditedWorkload(given), from, to }
  return session.audited({ action: 'kubernetes.rollback', class: 'update', diff }, work)
}

async function findRevision(
  session: ClusterSession,
  { namespace, revision }: Config,
  deployment: KubeObject,
  current: number,
): Promise<KubeObject> {
  const reply = await session.call(
    'GET',
    `/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}/replicasets?limit=500`,
  )
  expectStatus(reply, [200], 'The revisions could not be listed')
  const owned = ((reply.body['items'] ?? []) as KubeObject[]).filter(({ metadata }) =>
    metadata?.ownerReferences?.some(({ uid }) => uid === deployment.metadata?.uid),
  )
  const before = owned
    .filter((set) => revisionOf(set) !== current)
    .toSorted((a, b) => revisionOf(b) - revisionOf(a))
  const found = revision === undefined ? before[0] : owned.find((set) => revisionOf(set) === revision)
  if (found !== undefined) return found
  const which = revision === undefined ? 'no earlier revision' : `no revision ${revision}`
  throw new StepFailure(`The deployment has ${which} to go back to.`)
}

function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata?.annotations?.[revisionKey] ?? 0)
}

/** The template of a revision without the label that its controller added. */
function templateOf({ spec }: KubeObject): unknown {
  const template = spec?.['template'] as KubeObject | undefined
  const { 'pod-template-hash': _hash, ...labels } = template?.metadata?.labels ?? {}
  return { ...template, metadata: { ...template?.metadata, labels } }
}
