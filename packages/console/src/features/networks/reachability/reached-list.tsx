import { useRead } from '../../../data/use-read.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { formatCount } from '../../../lib/format.ts'
import { Link } from '../../../ui/link.tsx'
import { Notice } from '../../../ui/notice.tsx'

type Protocol = 'TCP' | 'UDP' | 'SCTP'

interface ReachedListProps {
  clusterId: number
  /** The end that is known. */
  of: string
  /** `in`: who reaches it on the port; `out`: what it reaches. */
  direction: 'in' | 'out'
  port: number | undefined
  protocol: Protocol
}

const words = { open: 'open', partly: 'partly', closed: 'closed', unknown: 'not known' } as const

/** Everything that reaches one end on a port, or that it reaches; each line leads to its way. */
export function ReachedList({ clusterId, of, direction, port, protocol }: ReachedListProps) {
  const query = useRead(
    'networks.reachability.reachable',
    {
      params: { id: clusterId },
      query: { of, direction, protocol, ...(port !== undefined && { port }) },
    },
    { refreshMs: 10_000 },
  )
  if (query.error && query.data === undefined) {
    return (
      <div className="px-(--gutter) py-4">
        <Notice tone="warn" title="The question was not answered">
          {causeOf(query.error)}
        </Notice>
      </div>
    )
  }
  if (query.data === undefined) return null
  const { reached, total, doubt } = query.data
  const what =
    direction === 'in' ? `reach ${of}${port === undefined ? '' : ` on ${port}`}` : `are reached from ${of}`
  return (
    <div className="px-(--gutter) py-4">
      {doubt === null ? null : <Notice tone="warn" title={doubt} />}
      <h2 className="mb-2 font-semibold">
        {total === 0
          ? direction === 'in'
            ? `Nobody reaches ${of}${port === undefined ? '' : ` on ${port}`}.`
            : `Nothing is reached from ${of}.`
          : `${formatCount(total, direction === 'in' ? 'workload' : 'port')} ${total === 1 ? what.replace(/^reach /, 'reaches ').replace(/^are /, 'is ') : what}`}
      </h2>
      <ul className="max-w-3xl divide-y divide-line border-y border-line empty:border-0">
        {reached.map((each) => {
          const search = new URLSearchParams({
            cluster: String(clusterId),
            from: direction === 'in' ? each.id : of,
            to: direction === 'in' ? of : each.id,
            port: String(each.port || port || 1),
            ...(each.protocol === 'TCP' ? {} : { protocol: each.protocol }),
          })
          return (
            <li key={`${each.id} ${each.protocol} ${each.port}`} className="flex h-9 items-center gap-3">
              <Link
                href={`/networking/reachability?${search.toString()}`}
                className="min-w-0 flex-1 truncate font-medium hover:underline"
              >
                {each.name} <span className="font-normal text-text-3">{each.namespace}</span>
              </Link>
              <span className="text-text-2 tabular-nums">
                {each.protocol} {each.port === 0 ? 'other ports' : each.port}
              </span>
              <span className="w-20 text-right text-text-3">{words[each.state]}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
