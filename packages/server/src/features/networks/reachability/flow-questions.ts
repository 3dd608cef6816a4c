import { canReach } from '@bey/contract/reachability/can-reach'
import { type CompiledPolicies } from '@bey/contract/reachability/compile'
import { endpointText, endsOf, findService, type Endpoint } from '@bey/contract/reachability/endpoint'
import { endpointName } from '@bey/contract/reachability/endpoint-name'
import { type Group } from '@bey/contract/reachability/group'
import { whatCanReach, whoCanReach, whoReaches } from '@bey/contract/reachability/matrix'
import type { PortNumber, Protocol } from '@bey/contract/reachability/snapshot'
import { seenBetween } from '@bey/contract/reachability/seen-between'
import { AppError } from '../../../platform/errors.ts'
import { mayNow } from '../../../platform/keys/key-rights.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { withNetworks } from './kept-for.ts'
import { presentAnswer, presentGroup, presentTries } from './present.ts'
import { type PolicyReader, endNamed, requireReadable, type ReachabilityNeeds } from './read-policies.ts'
import { reachabilityLimits } from '@bey/contract/networks/reachability'

const limits = reachabilityLimits

/** Whether one end reaches another, who reaches an end, and what an end reaches. */
export function flowQuestions(
  needs: ReachabilityNeeds,
  read: PolicyReader,
): Handlers<`networks.reachability.${'check' | 'reachable'}`> {
  return {
    async 'networks.reachability.check'({ caller, params, query }) {
      const from = endNamed(query.from, 'from')
      const to = endNamed(query.to, 'to')
      for (const end of [from, to]) requireReadable(caller.role, end)
      const { compiled, basis } = await read(caller.organizationId, params.id, [from, to])
      const { port, protocol, byName } = query
      const answer = canReach(compiled, from, to, { port, protocol }, { isByName: byName === 'true' })
      const log = await needs.observed.read(caller.organizationId, params.id, compiled.snapshot)
      const seen =
        log.source === null
          ? null
          : presentTries(seenBetween(compiled, from, to, { port, protocol }, log.flows))
      const presented = { ...presentAnswer(answer, basis.doubt), seen }
      // Networks have a permission of their own.
      if (!mayNow(caller.role, 'networks.read')) return { ...presented, ...basis }
      const gates = await withNetworks(needs.database, caller.organizationId, params.id, presented.gates)
      return { ...presented, gates, ...basis }
    },

    async 'networks.reachability.reachable'({ caller, params, query }) {
      const { direction, port, protocol } = query
      const of = endNamed(query.of, 'of')
      requireReadable(caller.role, of)
      const { compiled, basis, isUnread } = await read(caller.organizationId, params.id, [of])
      const reached =
        direction === 'out'
          ? whatCanReach(compiled, groupOf(compiled, of))
          : (askedPorts(compiled, of, port, protocol)?.flatMap((each) => whoCanReach(compiled, of, each)) ??
            whoReaches(compiled, groupOf(compiled, of)))
      return {
        reached: reached.slice(0, limits.reached).map((one) => ({
          ...presentGroup(one.group),
          ...one.port,
          state: isUnread ? 'unknown' : one.state,
        })),
        total: reached.length,
        ...basis,
      }
    },
  }
}

/** The port that is asked about, or those of a service or database; undefined where the pods have to be asked for theirs. */
function askedPorts(
  compiled: CompiledPolicies,
  of: Endpoint,
  port: number | undefined,
  protocol: Protocol,
): readonly PortNumber[] | undefined {
  if (port !== undefined) return [{ port, protocol }]
  if (of.kind === 'service') return findService(compiled, of.namespace, of.name)?.ports
  const database = of.kind === 'database' && compiled.snapshot.databases?.find(({ id }) => id === of.id)
  return database ? [{ port: database.port, protocol: 'TCP' }] : undefined
}

/** The pods of an endpoint as one group. Throws `not_found` with the sentence where there are none. */
function groupOf(compiled: CompiledPolicies, endpoint: Endpoint): Group {
  const found = endsOf(compiled, endpoint)
  if ('missing' in found) throw new AppError('not_found', found.missing)
  return {
    id: endpointName(endpoint),
    name: endpointText(endpoint, compiled.snapshot.databases),
    endpoint,
    ends: found.ends,
  }
}
