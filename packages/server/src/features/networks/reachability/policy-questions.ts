import { findingsOf } from '@bey/contract/reachability/analysis'
import { effectiveRules } from '@bey/contract/reachability/effective-rules'
import { columnsOf, groupPods } from '@bey/contract/reachability/group'
import { cellAt, matrixOf } from '@bey/contract/reachability/matrix'
import { ruleHits, unusedRules } from '@bey/contract/reachability/rule-hits'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { passedOf } from '../observed/flow-log.ts'
import { presentGroup, presentPolicy, presentSeen } from './present.ts'
import { type PolicyReader, endNamed, requireReadable, type ReachabilityNeeds } from './read-policies.ts'
import { reachabilityLimits } from '@bey/contract/networks/reachability'

const limits = reachabilityLimits

/** The matrix of a cluster, the rules that hold for an end, and what is odd about the rules of all policies. */
export function policyQuestions(
  needs: ReachabilityNeeds,
  read: PolicyReader,
): Handlers<`networks.reachability.${'matrix' | 'rules' | 'findings'}`> {
  return {
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

    async 'networks.reachability.rules'({ caller, params, query }) {
      const of = endNamed(query.of, 'of')
      requireReadable(caller.role, of)
      const { compiled, basis } = await read(caller.organizationId, params.id, [of])
      const log = await needs.observed.read(caller.organizationId, params.id, compiled.snapshot)
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
      const observed = passedOf(
        await needs.observed.read(caller.organizationId, params.id, compiled.snapshot),
      )
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
  }
}
