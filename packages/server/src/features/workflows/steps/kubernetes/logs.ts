import { z } from 'zod'

import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import type { StepParts } from '../ports.ts'
import type { ActionContext, ActionStepType } from '../step-type.ts'
import {
  type ClusterSession,
  clusterField,
  namespaceField,
  objectName,
  openSession,
} from './cluster-session.ts'
import { findObjects, selectorField } from './object-target.ts'
import type { KubeObject } from './kube-object.ts'
import { alwaysGuaranteed } from '../guarantee.ts'

const config = z.strictObject({
  cluster: clusterField,
  namespace: namespaceField.default('default').meta({ title: 'Namespace', 'x-widget': 'namespace' }),
  pod: objectName.optional().meta({ title: 'Pod' }),
  selector: selectorField,
  tail_lines: z.number().int().min(1).max(1_000).default(100).meta({ title: 'Last lines' }),
  since_ms: z.number().int().min(1_000).max(604_800_000).optional().meta({
    title: 'Since',
    description: 'Lines of the last so many milliseconds.',
    'x-widget': 'duration',
  }),
})
type Config = z.output<typeof config>

const maxPods = 20
/** Of all lines together: the output of a step has 1 MB. */
const maxChars = 700_000

type ContainerLines = { pod: string; container: string; lines: string[] }

export function kubernetesLogs(parts: StepParts): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'kubernetes.logs',
    label: 'Collect logs',
    group: 'Kubernetes',
    icon: 'scroll-text',
    description: 'Reads the last log lines of pods into the output.',
    guaranteeNote: 'It only reads.',
    config,
    example: { cluster: '{{ inputs.cluster }}', namespace: 'default', selector: 'app=web', tail_lines: 50 },
    output: {
      type: 'object',
      properties: {
        containers: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              pod: { type: 'string' },
              container: { type: 'string' },
              lines: { type: 'array', items: { type: 'string' } },
            },
          },
        },
      },
    },
    permission: 'kubernetes.read',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    test: 'pure',
    async execute(context, given) {
      const session = await openSession(parts, context, given.cluster, 'kubernetes.read')
      const target = { api_version: 'v1', kind: 'Pod', namespace: given.namespace, name: given.pod }
      const { objects } = await findObjects(session, { ...target, selector: given.selector })
      if (objects.length === 0) throw new StepFailure('There is no such pod.')
      const containers: ContainerLines[] = []
      let left = maxChars
      for (const pod of objects.slice(0, maxPods)) {
        for (const container of namesOf(pod)) {
          const lines = await tail(session, context, given, { pod, container, left })
          left -= lines.reduce((sum, line) => sum + line.length, 0)
          containers.push({ pod: pod.metadata?.name ?? '', container, lines })
        }
      }
      if (objects.length > maxPods) context.log(`${objects.length - maxPods} pods are left out.`, 'warning')
      return { containers }
    },
  }
}

function namesOf({ spec }: KubeObject): string[] {
  return ((spec?.['containers'] ?? []) as { name?: string }[]).map(({ name = '' }) => name)
}

async function tail(
  session: ClusterSession,
  { signal }: ActionContext,
  given: Config,
  { pod, container, left }: { pod: KubeObject; container: string; left: number },
): Promise<string[]> {
  const query = new URLSearchParams({ container, tailLines: String(given.tail_lines) })
  if (given.since_ms !== undefined) query.set('sinceSeconds', String(Math.ceil(given.since_ms / 1_000)))
  const name = encodeURIComponent(pod.metadata?.name ?? '')
  const path = `/api/v1/namespaces/${encodeURIComponent(given.namespace)}/pods/${name}/log?${query.toString()}`
  const lines: string[] = []
  let room = left
  for await (const line of session.lines(path, signal)) {
    room -= line.length
    if (room < 0) break
    lines.push(line)
  }
  return lines
}
