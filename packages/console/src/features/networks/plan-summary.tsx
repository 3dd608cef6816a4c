import { useEffect, useState } from 'react'
import type { NetworkPlan } from '../../data/networks.ts'
import { diffText } from '../../entities/kubernetes/yaml/diff-text.ts'
import { causeOf } from '../../lib/error-text.ts'
import { formatNumber } from '../../lib/format.ts'
import { DiffLines } from '../../ui/diff-lines.tsx'
import { Section } from '../../ui/section.tsx'
import { PlanFlows } from './plan-flows.tsx'

/** What is typed is planned when it has rested so long. */
const restMs = 400

const acts = { create: 'creates', change: 'changes', delete: 'deletes' } as const
const verbs = { create: 'New', change: 'Changed', delete: 'Removed' } as const

/** What the run would do in the clusters, as they are now. `isValid`: there is a draft that can be planned. */
export function PlanSummary({
  isValid,
  plan,
  nothing,
}: {
  isValid: boolean
  plan: { data: NetworkPlan | undefined; error: Error | null }
  /** What to say where no cluster is changed. */
  nothing: string
}) {
  return (
    <Section title="What will be done" isCard>
      {!isValid ? (
        <p className="text-text-2">Once all fields are right, the plan for each cluster stands here.</p>
      ) : plan.error ? (
        <p className="text-text-2">The plan could not be read: {causeOf(plan.error)}</p>
      ) : plan.data === undefined ? (
        <p className="text-text-2">The clusters are asked…</p>
      ) : (
        <div className="flex flex-col gap-3">
          {plan.data.problems.map(({ path, message }) => (
            <p key={`${path} ${message}`} className="text-danger">
              {message}
            </p>
          ))}
          {plan.data.problems.length > 0 ? null : (
            <p className="text-text-2">{sentence(plan.data.policies, nothing)}</p>
          )}
          {byCluster(plan.data.policies).map((policies) => (
            <PlanFlows key={policies[0]?.clusterId} policies={policies} />
          ))}
          {plan.data.policies
            .slice(0, maxShown)
            .map(({ action, clusterTitle, kind, namespace, name, ...texts }) => (
              <details key={`${clusterTitle} ${kind} ${namespace} ${name}`}>
                <summary className="cursor-pointer truncate">
                  <span className="font-medium">{verbs[action]}</span> {namespace}/{name}{' '}
                  <span className="text-text-3">
                    {kind === 'NetworkPolicy' ? '' : `${kind} `}in {clusterTitle}
                  </span>
                </summary>
                <div className="mt-2">
                  <DiffLines
                    label={`Policy ${namespace}/${name}`}
                    lines={diffText(texts.before ?? '', texts.after ?? '').lines}
                  />
                </div>
              </details>
            ))}
          {plan.data.policies.some(({ kind }) => kind !== 'NetworkPolicy') ? (
            <p className="text-small text-text-3">
              Which flows end is worked out for NetworkPolicies alone. Ask who reaches whom once it is
              applied.
            </p>
          ) : null}
          {plan.data.policies.length > maxShown ? (
            <p className="text-small text-text-3">And {plan.data.policies.length - maxShown} more.</p>
          ) : null}
          {plan.data.databases?.map(({ databaseId, name, from, to, listensLater }) => (
            <p key={databaseId}>
              <span className="font-medium">{name}</span>{' '}
              <span className="text-text-2">
                is reached from {rangesText(to)} instead of {rangesText(from)}. Open connections stay open.
                {listensLater ? ' Its server listens on its machine alone until its next restart.' : ''}
              </span>
            </p>
          ))}
          {plan.data.unread.map(({ clusterId, title, reason }) => (
            <p key={clusterId} className="text-small text-warn">
              {title} could not be asked: {reason}
            </p>
          ))}
        </div>
      )}
    </Section>
  )
}

const rangesText = (ranges: readonly string[]) =>
  ranges.length === 0 ? 'its machine alone' : ranges.join(', ')

const maxShown = 20

/** The policies of a plan, those of a cluster together. */
function byCluster(policies: NetworkPlan['policies']): NetworkPlan['policies'][] {
  const ids = [...new Set(policies.map(({ clusterId }) => clusterId))]
  return ids.map((id) => policies.filter(({ clusterId }) => clusterId === id))
}

/** What the run does, in one sentence; it counts what is shown and what is not. */
function sentence(policies: NetworkPlan['policies'], nothing: string): string {
  if (policies.length === 0) return nothing
  const parts = (['create', 'change', 'delete'] as const).flatMap((action) => {
    const count = policies.filter((each) => each.action === action).length
    return count === 0 ? [] : [`${acts[action]} ${formatNumber(count)}`]
  })
  const last = parts.pop()
  const whole = parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
  return `A run ${whole} network ${policies.length === 1 ? 'policy' : 'policies'}, then reads what is there.`
}

/** The draft as it was when it last rested; asked for by what it says, so that drawing again asks nothing. */
export function useRested<T>(draft: T | undefined): T | undefined {
  const text = draft && JSON.stringify(draft)
  const [rested, setRested] = useState<string | undefined>(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  // What was written above.
  return rested === undefined ? undefined : (JSON.parse(rested) as T)
}
