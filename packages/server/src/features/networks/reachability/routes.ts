import { reachabilityLimits } from '@bey/contract/network-reachability'
import { findingsOf } from '@bey/contract/reachability/analysis'
import { canReach } from '@bey/contract/reachability/can-reach'
import { compilePolicies, type CompiledPolicies } from '@bey/contract/reachability/compile'
import { effectiveRules } from '@bey/contract/reachability/effective-rules'
import { endpointText, endsOf, findService, type Endpoint } from '@bey/contract/reachability/endpoint'
import { endpointName } from '@bey/contract/reachability/endpoint-name'
import { columnsOf, groupPods, type Group } from '@bey/contract/reachability/group'
import { cellAt, matrixOf, whatCanReach, whoCanReach, whoReaches } from '@bey/contract/reachability/matrix'
import type { StandardPolicy } from '@bey/contract/reachability/policy'
import type { PortNumber, Protocol } from '@bey/contract/reachability/snapshot'
import { ruleHits, unusedRules } from '@bey/contract/reachability/rule-hits'
import { seenBetween } from '@bey/contract/reachability/seen-between'
import { whatIf } from '@bey/contract/reachability/what-if'
import { AppError } from '../../../platform/errors.ts'
import { mayNow } from '../../../platform/keys/key-rights.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { withNetworks } from './kept-for.ts'
import { endsOfCluster, listDatabaseEnds, listIngressEnds } from './list-ends.ts'
import { passedOf, readFlowLog, readObservedFlows } from './observed-flows.ts'
import {
  presentAnswer,
  presentFlow,
  presentGroup,
  presentPolicy,
  presentSeen,
  presentTries,
} from './present.ts'
import { createPolicyReader, endNamed, requireReadable, type ReachabilityNeeds } from './read-policies.ts'

const limits = reachabilityLimits
type Name = 'ends' | 'check' | 'matrix' | 'reachable' | 'rules' | 'findings' | 'whatIf'

/** Answers questions about who reaches whom in one cluster, from what is watched of it. */
export function reachabilityRoutes(needs: ReachabilityNeeds): Handlers<`networks.reachability.${Name}`> {
  const read = createPolicyReader(needs)
  return {
    async 'networks.reachability.ends'({ caller: { organizationId, role }, params }) {
      const { compiled, basis } = await read(organizationId, params.id)
      const ends = [
        ...endsOfCluster(compiled),
        ...(await listIngressEnds(needs, organizationId, params.id)),
        ...(mayNow(role, 'databases.read') ? await listDatabaseEnds(needs, organizationId, limits.ends) : []),
      ]
      return { ends: ends.slice(0, limits.ends), total: ends.length, ...basis }
    },

    async 'networks.reachability.check'({ caller, params, query }) {
      const from = endNamed(query.from, 'from')
      const to = endNamed(query.to, 'to')
      for (const end of [from, to]) requireReadable(caller.role, end)
      const { compiled, basis } = await read(caller.organizationId, params.id, [from, to])
      const { port, protocol, byName } = query
      const answer = canReach(compiled, from, to, { port, protocol }, { isByName: byName === 'true' })
      const log = await readFlowLog(needs, caller.organizationId, params.id)
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

    async 'networks.reachability.matrix'({ caller, params, query }) {
      const { compiled, basis, isUnread } = await read(caller.organizationId, params.id)
      const namespaces = query.namespace === undefined ? undefined : [query.namespace]
      const groups = groupPods(compiled, query.by, namespaces)
      const columns = columnsOf(compiled, groups)
      const shownRows = groups.slice(0, limits.rows)
      const shownColumns = columns.slice(0, limits.columns)
      const matrix = matrixOf(compiled, shownRows, shownColumns)
      return {
        rows: shownRows.map(presentGroup),
        columns: shownColumns.map(({ group, port }) => ({ ...presentGroup(group), ...port })),
        cells: shownRows.map((_, row) =>
          shownColumns
            .map((_column, column) => (isUnread ? 'unknown' : cellAt(matrix, row, column))[0])
            .join(''),
        ),
        totalRows: groups.length,
        totalColumns: columns.length,
        ...basis,
      }
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

    async 'networks.reachability.rules'({ caller, params, query }) {
      const of = endNamed(query.of, 'of')
      requireReadable(caller.role, of)
      const { compiled, basis } = await read(caller.organizationId, params.id, [of])
      const log = await readFlowLog(needs, caller.organizationId, params.id)
      const hits = log.source === null ? undefined : ruleHits(compiled, passedOf(log))
      const found = effectiveRules(compiled, of, hits)
      const { rules = [], defaults } = found ?? {}
      const presented = rules.slice(0, limits.rules).map(({ policy, hits: own, ...rule }) => ({
        ...presentPolicy(policy),
        ...rule,
        hits: own ? presentSeen(own) : null,
      }))
      const rest = defaults && {
        ingress: { ...defaults.ingress, policies: defaults.ingress.policies.map(presentPolicy) },
        egress: { ...defaults.egress, policies: defaults.egress.policies.map(presentPolicy) },
      }
      return { rules: presented, total: rules.length, rest: rest ?? null, ...basis }
    },

    async 'networks.reachability.findings'({ caller, params }) {
      const { compiled, basis } = await read(caller.organizationId, params.id)
      const observed = await readObservedFlows(needs, caller.organizationId, params.id)
      const findings = [...findingsOf(compiled), ...unusedRules(compiled, observed)]
      const presented = findings.slice(0, limits.findings).map(({ code, severity, policy, path, text }) => ({
        code,
        severity,
        policy: presentPolicy(policy),
        path: path ?? null,
        text,
      }))
      return { findings: presented, total: findings.length, ...basis }
    },

    async 'networks.reachability.whatIf'({ caller, params, body }) {
      const { compiled, basis } = await read(caller.organizationId, params.id)
      const policies = changedPolicies(compiled.snapshot.policies, body.changes)
      const observed = await readObservedFlows(needs, caller.organizationId, params.id)
      const { ends, begins, sentence } = whatIf(compiled, { policies }, observed)
      const changed = new Set(body.changes.map(({ namespace, name }) => `${namespace}/${name}`))
      const problems = compilePolicies({ ...compiled.snapshot, policies }).problems.filter(({ policy }) =>
        changed.has(`${policy.namespace}/${policy.name}`),
      )
      return {
        sentence: basis.doubt === null ? sentence : `Not known: ${basis.doubt}`,
        ends: ends.slice(0, limits.flows).map(presentFlow),
        endCount: ends.length,
        begins: begins.slice(0, limits.flows).map(presentFlow),
        beginCount: begins.length,
        problems: problems
          .slice(0, limits.findings)
          .map(({ policy, path, text }) => ({ policy: presentPolicy(policy), path, text })),
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

type Proposed = { namespace: string; name: string; spec: StandardPolicy['spec'] | null }

/** The policies of a cluster with some of them replaced, added, or left out where their `spec` is null. */
function changedPolicies(
  policies: readonly StandardPolicy[],
  changes: readonly Proposed[],
): StandardPolicy[] {
  const isChanged = (policy: StandardPolicy) =>
    changes.some(({ namespace, name }) => policy.namespace === namespace && policy.name === name)
  const added = changes.flatMap(({ namespace, name, spec }) =>
    spec === null ? [] : [{ namespace, name, spec }],
  )
  return [...policies.filter((policy) => !isChanged(policy)), ...added]
}
