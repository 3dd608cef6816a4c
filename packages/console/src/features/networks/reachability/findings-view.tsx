import { useRead } from '../../../data/use-read.ts'
import { PolicyLink } from '../../../entities/networks/policy-link.tsx'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatCount } from '../../../lib/format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import { StatusMark } from '../../../ui/status-mark.tsx'

/** What is odd about the policies of a cluster: covered rules, rules for nobody, rules that open more than they seem to. */
export function FindingsView({ clusterId }: { clusterId: number }) {
  const query = useRead(
    'networks.reachability.findings',
    { params: { id: clusterId } },
    { refreshMs: 10_000 },
  )
  const failure = failureOf('Failed to look at the policies', query)
  if (failure) return <ErrorState {...failure} />
  if (query.data === undefined) {
    return (
      <DelayedSkeleton>
        <Skeleton className="m-(--gutter) h-40" />
      </DelayedSkeleton>
    )
  }
  const { findings, total, policies, doubt } = query.data
  return (
    <>
      {doubt === null ? null : (
        <div className="px-(--gutter) pt-4">
          <Notice tone="warn" title={doubt} />
        </div>
      )}
      {findings.length === 0 && doubt !== null ? null : findings.length === 0 ? (
        <EmptyState
          title={policies === 0 ? 'No policy: every pod reaches every pod' : 'Nothing odd'}
          description={
            policies === 0
              ? 'A cluster without network policies lets every pod call every other. Isolate a network, or put a security group on pods.'
              : `${formatCount(policies, 'policy', 'policies')} were checked: each chooses pods, and no rule is covered by another or opens more than it seems to.`
          }
        />
      ) : (
        <>
          <p className="border-b border-line px-(--gutter) py-2 text-text-2">
            {formatCount(total, 'finding')} in {formatCount(policies, 'policy', 'policies')}
          </p>
          <ul className="divide-y divide-line border-b border-line">
            {findings.map(({ code, severity, policy, path, text }) => (
              <li
                key={`${code} ${policy.namespace} ${policy.name} ${path}`}
                className="flex gap-3 px-(--gutter) py-3"
              >
                <span className={severity === 'warning' ? 'text-warn' : 'text-text-3'}>
                  <StatusMark glyph={severity === 'note' ? 'info' : 'triangle'} />
                </span>
                <span className="min-w-0">
                  <span className="block">{text}</span>
                  <span className="block text-small text-text-3">
                    <span className="font-mono">
                      <PolicyLink clusterId={clusterId} policy={policy} />
                    </span>
                    {path === null ? '' : `, ${path}`}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
