import type { CallOutput } from '@bey/contract'
import { useRead } from '../../data/use-read.ts'
import { causeOf } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { PolicyLink } from './policy-link.tsx'

type Rules = CallOutput<'networks.reachability.rules'>
const titles = { ingress: 'Entering', egress: 'Leaving' } as const

/** Every rule that holds for something, with the policy that it comes from, and the verdict on the rest. */
export function EffectiveRules({ clusterId, of }: { clusterId: number; of: string }) {
  const query = useRead(
    'networks.reachability.rules',
    { params: { id: clusterId }, query: { of } },
    { refreshMs: 10_000 },
  )
  if (query.error && query.data === undefined)
    return (
      <Notice tone="warn" title="Its rules could not be read">
        {causeOf(query.error)}
      </Notice>
    )
  if (query.data === undefined) return null
  const { rest } = query.data
  if (rest === null) return <p className="text-text-2">No policy can hold for it.</p>
  return (['ingress', 'egress'] as const).map((direction) => (
    <div key={direction} className="mb-4">
      <h3 className="mb-1 font-medium">{titles[direction]}</h3>
      <RuleList
        clusterId={clusterId}
        rules={query.data.rules.filter((rule) => rule.direction === direction)}
      />
      <p className="mt-1 text-text-2">{rest[direction].text}</p>
    </div>
  ))
}

function RuleList({ clusterId, rules }: { clusterId: number; rules: Rules['rules'] }) {
  return (
    <ul className="divide-y divide-line border-y border-line empty:border-0">
      {rules.map((rule) => (
        <li key={`${rule.kind} ${rule.namespace} ${rule.name} ${rule.path}`} className="py-2">
          <span className="block">
            <span className={rule.action === 'deny' ? 'font-medium text-danger' : 'font-medium'}>
              {rule.action}
            </span>{' '}
            {rule.text}
          </span>
          <span className="block truncate font-mono text-small text-text-3">
            <PolicyLink clusterId={clusterId} policy={rule} />, rule {rule.number}
          </span>
          <span className="block text-small text-text-2">
            <Hits hits={rule.hits} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Hits({ hits }: { hits: Rules['rules'][number]['hits'] }) {
  if (hits === null) return null
  if (hits.count === 0) return 'never used so far'
  return (
    <>
      {formatCount(hits.count, 'connection')}
      {hits.lastSeenAt === null ? null : (
        <>
          , the last <RelativeTime at={hits.lastSeenAt} />
        </>
      )}
    </>
  )
}
