import { z } from 'zod'

import type { StepParts } from '../ports.ts'
import type { ActionContext, ActionStepType } from '../step-type.ts'
import {
  type ClusterSession,
  clusterField,
  expectStatus,
  namespaceField,
  openSession,
} from './cluster-session.ts'
import { changedFields } from './changed-fields.ts'
import { type KubeObject, labelOf } from './kube-object.ts'
import { objectsOf } from './manifest.ts'
import { refuseShownSecrets } from './secret-places.ts'
import { createFindPaths, typeOfObject } from './resource-paths.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const config = z.strictObject({
  cluster: clusterField,
  manifest: z
    .union([
      z.string().min(1),
      z.record(z.string(), z.unknown()),
      z.array(z.record(z.string(), z.unknown())).min(1).max(200),
    ])
    .meta({
      title: 'Manifest',
      description:
        'YAML of one or several objects, or the objects themselves. A secret may stand in the data of a Secret only: other objects are shown, and versions of them kept.',
      'x-widget': 'yaml',
    }),
  namespace: namespaceField.optional().meta({
    title: 'Namespace',
    description: 'For objects that name none.',
    'x-widget': 'namespace',
  }),
  field_manager: z
    .string()
    .regex(/^[A-Za-z0-9][-A-Za-z0-9._]{0,127}$/, 'Use letters, digits, hyphens, dots and underscores.')
    .default('bey-workflows')
    .meta({
      title: 'Field manager',
      description:
        'Fields that a manifest of the same manager had before and no longer has are removed. A manifest of a few fields needs a manager of its own.',
    }),
  force: z.boolean().default(false).meta({
    title: 'Take over fields',
    description: 'Fields that another tool owns are taken over; without it the step fails and names them.',
  }),
})
type Config = z.output<typeof config>

type Applied = {
  apiVersion: string
  kind: string
  namespace?: string
  name: string
  result: 'created' | 'changed' | 'unchanged'
  /** Paths of fields that differ, for a dry run. */
  fields?: string[]
}

export function kubernetesApply(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'kubernetes.apply',
    label: 'Apply manifest',
    group: 'Kubernetes',
    icon: 'file-up',
    description: 'Creates or changes objects of a cluster by server-side apply.',
    guaranteeNote: 'Applying the same manifest again changes nothing. It does not wait until pods run.',
    config,
    example: {
      cluster: '{{ inputs.cluster }}',
      manifest:
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: default\ndata:\n  level: info\n',
    },
    output: {
      type: 'object',
      properties: {
        objects: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              apiVersion: { type: 'string' },
              kind: { type: 'string' },
              namespace: { type: 'string' },
              name: { type: 'string' },
              result: { enum: ['created', 'changed', 'unchanged'] },
            },
          },
        },
      },
    },
    permission: 'kubernetes.write',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    test: { dryRun: async (context, given) => applyAll(parts, context, given, true) },
    execute: (context, given) => applyAll(parts, context, given, false),
  }
}

async function applyAll(
  parts: StepParts,
  context: ActionContext,
  given: Config,
  isDryRun: boolean,
): Promise<{ objects: Applied[] }> {
  const objects = objectsOf(given.manifest)
  refuseShownSecrets(objects, context.secretValues)
  const session = await openSession(parts, context, given.cluster)
  const work = () => applyEach(session, context, objects, given, isDryRun)
  if (isDryRun) return work()
  const diff = { objects: objects.slice(0, 20).map(labelOf), count: objects.length }
  return session.audited({ action: 'kubernetes.apply', class: 'update', diff }, work)
}

async function applyEach(
  session: ClusterSession,
  context: ActionContext,
  objects: readonly KubeObject[],
  given: Config,
  isDryRun: boolean,
): Promise<{ objects: Applied[] }> {
  const findPaths = createFindPaths(session)
  const applied: Applied[] = []
  // In the order of the manifest: a namespace stands before what is in it.
  for (const [position, object] of objects.entries()) {
    const { apiVersion, kind } = typeOfObject(object, position)
    const paths = await findPaths(apiVersion, kind)
    const { name = '' } = object.metadata ?? {}
    const namespace = paths.isNamespaced
      ? (object.metadata?.namespace ?? given.namespace ?? 'default')
      : undefined
    const full = { ...object, metadata: { ...object.metadata, ...(namespace && { namespace }) } }
    const path = paths.object(namespace, name)
    const before = await session.call('GET', path)
    const query = `fieldManager=${given.field_manager}&force=${given.force}${isDryRun ? '&dryRun=All' : ''}`
    const after = await session.call('PATCH', `${path}?${query}`, {
      body: full,
      contentType: 'application/apply-patch+yaml',
    })
    const label = labelOf(full)
    expectStatus(after, [200, 201], `${label} could not be applied`)
    const fields = before.status === 200 ? changedFields(before.body, after.body) : []
    const result = before.status === 404 ? 'created' : fields.length > 0 ? 'changed' : 'unchanged'
    context.log(`${label}: ${isDryRun ? 'would be ' : ''}${result}`)
    context.progress(((position + 1) / objects.length) * 100)
    applied.push({
      apiVersion,
      kind,
      ...(namespace && { namespace }),
      name,
      result,
      ...(isDryRun && { fields: fields.slice(0, 50) }),
    })
  }
  return { objects: applied }
}
