import { kubernetesPath } from '@bey/contract'
import { z } from 'zod'
import { AppError } from '../../../platform/errors.ts'
import { clusterField, nameField, namespaceField } from '../targets.ts'
import { actTool, type ToolContext } from '../tool.ts'
import {
  dryRun,
  type FoundObject,
  imagesOf,
  type KubeObject,
  type PodTemplate,
  readObject,
} from './workload-target.ts'

const revisionKey = 'deployment.kubernetes.io/revision'

export const rollBackWorkload = actTool({
  name: 'roll_back_workload',
  title: 'Roll back a deployment',
  description:
    'Brings a Deployment back to an earlier revision, the one before the present one unless another is named.',
  needs: ['kubernetes.write', 'kubernetes.read', 'clusters.read'],
  input: {
    cluster: clusterField,
    namespace: namespaceField,
    name: nameField,
    revision: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Number of the revision; the previous one unless given.'),
  },
  async plan(context, { revision, ...fields }) {
    const target = await readObject(context, { ...fields, kind: 'Deployment' }, ['Deployment'])
    const current = revisionOf(target.object)
    const chosen = await findRevision(context, target, current, revision)
    const patch = {
      method: 'PATCH',
      contentType: 'application/json-patch+json',
      body: [
        // Of the spec alone: reports of status do not disturb, and a change since the dry run does.
        { op: 'test', path: '/metadata/generation', value: target.object.metadata?.generation },
        { op: 'replace', path: '/spec/template', value: templateOf(chosen) },
      ],
    } as const
    await context.kubernetes(target.cluster.id, { ...patch, path: dryRun(target.path) })
    const to = revisionOf(chosen)
    return {
      summary: `${target.label} goes back from revision ${current} to ${to}; its pods are replaced as its rollout strategy says.`,
      details: { before: imagesOf(target.object.spec?.template), after: imagesOf(chosen.spec?.template) },
      async apply({ kubernetes }) {
        await kubernetes(target.cluster.id, { ...patch, path: target.path })
        return {
          summary: `${target.label} goes back from revision ${current} to ${to}. Ask explain_failure in a minute whether it recovered.`,
        }
      },
    }
  },
})

async function findRevision(
  { kubernetes }: ToolContext,
  { cluster, namespace, object, label }: FoundObject,
  current: number,
  wanted: number | undefined,
): Promise<KubeObject> {
  const labels = Object.entries(object.spec?.selector?.matchLabels ?? {})
  const selector = encodeURIComponent(labels.map(([key, value]) => `${key}=${value}`).join(','))
  const path = kubernetesPath({ group: 'apps', version: 'v1', plural: 'replicasets' }, namespace)
  const list = await kubernetes(cluster.id, { method: 'GET', path: `${path}?labelSelector=${selector}` })
  const owned = ((list['items'] ?? []) as KubeObject[]).filter(({ metadata }) =>
    metadata?.ownerReferences?.some(({ uid }) => uid === object.metadata?.uid),
  )
  const sorted = owned.toSorted((one, other) => revisionOf(other) - revisionOf(one))
  const found =
    wanted === undefined
      ? sorted.find((each) => revisionOf(each) !== current)
      : sorted.find((each) => revisionOf(each) === wanted)
  if (found) return found
  const known = sorted.map(revisionOf).join(', ')
  throw new AppError(
    'conflict',
    `${label} has ${wanted === undefined ? 'no earlier revision' : `no revision ${wanted}`} to go back to. It has ${known === '' ? 'none' : known}.`,
  )
}

function revisionOf({ metadata }: KubeObject): number {
  return Number(metadata?.annotations?.[revisionKey] ?? 0)
}

/** The template of a revision without the label that its controller added. */
function templateOf({ spec }: KubeObject): PodTemplate {
  const { 'pod-template-hash': _hash, ...labels } = spec?.template?.metadata?.labels ?? {}
  return { ...spec?.template, metadata: { ...spec?.template?.metadata, labels } }
}
