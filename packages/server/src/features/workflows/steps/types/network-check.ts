import { parseEndpointName } from '@bey/contract/reachability/endpoint-name'
import { protocols } from '@bey/contract/reachability/snapshot'
import { z } from 'zod'

import type { Clock } from '../../../../platform/clock.ts'
import { StepFailure } from '../../../../platform/engine/step-failure.ts'
import { alwaysGuaranteed } from '../guarantee.ts'
import { clusterField, findByName } from '../kubernetes/cluster-session.ts'
import { networkField } from '../network-field.ts'
import type { NetworkSteps, StepParts } from '../ports.ts'
import { actorOf } from '../run-actor.ts'
import type { ActionContext, ActionStepType } from '../step-type.ts'

const pollMs = 500

const end = z
  .string()
  .min(1)
  .max(600)
  .superRefine((text, context) => {
    const endpoint = parseEndpointName(text)
    if (typeof endpoint === 'string') context.addIssue({ code: 'custom', message: endpoint })
  })

const fields = z.strictObject({
  network: networkField.optional().meta({
    title: 'Network without drift',
    description:
      'Name or id of a network: every policy that is kept for it has to be in its clusters as it is held in Bey.',
    'x-widget': 'network',
  }),
  cluster: clusterField.optional().meta({
    title: 'Cluster',
    description: 'In place of a network: name or id of the cluster that is asked who reaches whom.',
    'x-widget': 'cluster',
  }),
  from: end.optional().meta({ title: 'From', description: 'E.g. workload:shop/web or namespace:shop.' }),
  to: end.optional().meta({ title: 'To', description: 'E.g. service:data/orders or address:10.0.0.1.' }),
  port: z.number().int().min(1).max(65_535).optional().meta({
    title: 'Port',
    description: 'Of the target; of the service where it is one.',
  }),
  protocol: z.enum(protocols).default('TCP').meta({ title: 'Protocol' }),
  expect: z.enum(['reachable', 'blocked']).default('reachable').meta({
    title: 'Expected',
    description: 'Blocked: no pod of the source reaches any of the target.',
  }),
  within_ms: z.number().int().min(0).max(600_000).default(10_000).meta({
    title: 'Within',
    description: 'For how long it is asked again while the answer is another one or not known.',
    'x-widget': 'duration',
  }),
})
const config = fields.superRefine(({ network, cluster, from, to, port }, context) => {
  const question = { cluster, from, to, port }
  const given = Object.values(question).filter((each) => each !== undefined)
  const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  if (network !== undefined) {
    if (given.length > 0) say('network', 'Name a network, or ask who reaches whom in a cluster: not both.')
    return
  }
  if (given.length === 0) return say('network', 'Name a network, or ask who reaches whom in a cluster.')
  for (const [name, value] of Object.entries(question)) {
    if (value === undefined) say(name, 'A question names a cluster, from, to and port.')
  }
})
type Config = z.output<typeof config>

/** What was found; `failure` is the sentence with which the step fails where that is how it stays. */
type Found = { output: Record<string, unknown>; failure: string | undefined }

export function networkCheck(
  parts: Pick<StepParts, 'database' | 'networks'> & { clock: Clock },
): ActionStepType<typeof config> {
  return {
    kind: 'action',
    type: 'network.check',
    label: 'Check network',
    group: 'Bey',
    icon: 'shield-check',
    description:
      'A gate: goes on only if one end reaches another, or does not, as network policies have it; or if a network is without drift. An answer that is not known fails the step with its reason.',
    guaranteeNote: 'It only reads.',
    config,
    example: {
      cluster: '{{ inputs.cluster }}',
      from: 'workload:shop/web',
      to: 'service:data/orders',
      port: 5432,
      expect: 'reachable',
    },
    output: {
      type: 'object',
      properties: {
        answer: { type: 'string', description: 'Of a question: yes or no. Of a network: no_drift.' },
        sentence: { type: 'string' },
        as_of: { type: 'string', format: 'date-time' },
      },
    },
    permission: 'networks.read',
    test: 'pure',
    guarantee: alwaysGuaranteed('at_least_once_keyed'),
    async execute(context, given) {
      await actorOf(parts.database, context.run, 'networks.read')
      const look = await lookOf(parts, context, given)
      const until = parts.clock.monotonicMs() + given.within_ms
      let said: string | undefined
      for (;;) {
        const { output, failure } = await look()
        if (failure === undefined) {
          context.log(String(output['sentence']))
          return output
        }
        if (parts.clock.monotonicMs() >= until) throw new StepFailure(failure)
        if (failure !== said) context.log(`${failure} It is asked again.`)
        said = failure
        await context.sleep(pollMs)
      }
    },
  }
}

async function lookOf(
  { database, networks, clock }: Pick<StepParts, 'database' | 'networks'> & { clock: Clock },
  { run }: ActionContext,
  given: Config,
): Promise<() => Promise<Found>> {
  const { organizationId } = run
  const { network, cluster, from, to, port } = given
  if (network !== undefined) {
    return async () => {
      const asOf = clock.now().toISOString()
      return driftFound(network, await networks.drift(organizationId, network), asOf)
    }
  }
  if (cluster === undefined || from === undefined || to === undefined || port === undefined) {
    throw new StepFailure('A question names a cluster, from, to and port.')
  }
  const { id: clusterId } = await findByName(database, organizationId, cluster)
  await actorOf(database, run, 'kubernetes.read', [{ type: 'cluster', id: String(clusterId) }])
  const question = { clusterId, from, to, port, protocol: given.protocol }
  return async () => reachFound(given.expect, await networks.reach(organizationId, question))
}

function reachFound(
  expected: Config['expect'],
  { answer, sentence, asOf }: Awaited<ReturnType<NetworkSteps['reach']>>,
): Found {
  const output = { answer, sentence, as_of: asOf }
  if (answer === 'unknown') return { output, failure: `It is to be ${expected}. ${sentence}` }
  if (answer === (expected === 'reachable' ? 'yes' : 'no')) return { output, failure: undefined }
  return { output, failure: `It is to be ${expected}, and is not. ${sentence}` }
}

function driftFound(
  network: string,
  { policies, differing, unread }: Awaited<ReturnType<NetworkSteps['drift']>>,
  asOf: string,
): Found {
  const are = policies === 1 ? '1 policy is' : `${policies} policies are`
  const sentence = `No drift: ${are} in the clusters of "${network}" as defined in Bey.`
  const output = { answer: 'no_drift', sentence, as_of: asOf }
  // What was found to differ is certain, whatever could not be looked at.
  if (differing.length > 0) return { output, failure: `"${network}" has drifted. ${shown(differing)}` }
  if (unread.length === 0) return { output, failure: undefined }
  return { output, failure: `Whether "${network}" has drifted is not known. ${shown(unread)}` }
}

const shown = (sentences: readonly string[]) =>
  sentences.slice(0, 3).join(' ') + (sentences.length > 3 ? ` And ${sentences.length - 3} more.` : '')
