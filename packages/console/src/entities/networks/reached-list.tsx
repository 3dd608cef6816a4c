import { useRead } from '../../data/use-read.ts'
import { causeOf } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'

type Protocol = 'TCP' | 'UDP' | 'SCTP'

interface ReachedListProps {
  clusterId: number
  /** The end that is known. */
  of: string
  /** What it is called on the page; as it is asked about unless given. */
  name?: string
  /** `in`: who reaches it; `out`: what it reaches. */
  direction: 'in' | 'out'
  /** The one port of it that is asked about, else every known one. */
  port: number | undefined
  protocol: Protocol
}

const words = { open: 'open', partly: 'partly', closed: 'closed', unknown: 'not known' } as const

/** Everything that reaches one end on a port, or that it reaches; each line leads to its way. */
export function ReachedList({ clusterId, of, name = of, direction, port, protocol }: ReachedListProps) {
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
      <div>
        <Notice tone="warn" title="The question was not answered">
          {causeOf(query.error)}
        </Notice>
      </div>
    )
  }
  if (query.data === undefined) return null
  const { reached, total, doubt } = query.data
  return (
    <div className="min-w-0">
      {doubt === null ? null : <Notice tone="warn" title={doubt} />}
      <h2 className="mb-2 font-semibold">{reachedSentence(name, direction, port, total)}</h2>
      <ul
        aria-label={direction === 'in' ? `What reaches ${name}` : `What ${name} reaches`}
        className="max-w-3xl divide-y divide-line border-y border-line empty:border-0"
      >
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

/** "3 workloads reach shop/web on 80", "5 ways lead from it". */
function reachedSentence(
  name: string,
  direction: 'in' | 'out',
  port: number | undefined,
  total: number,
): string {
  const onPort = port === undefined ? '' : ` on ${port}`
  if (direction === 'out')
    return total === 0
      ? `Nothing is reached from ${name}.`
      : `${formatCount(total, 'way')} ${total === 1 ? 'leads' : 'lead'} from ${name}`
  if (total === 0) return `Nothing reaches ${name}${onPort}.`
  if (port === undefined) return `${formatCount(total, 'way')} ${total === 1 ? 'leads' : 'lead'} to ${name}`
  return `${formatCount(total, 'workload')} ${total === 1 ? 'reaches' : 'reach'} ${name}${onPort}`
}
