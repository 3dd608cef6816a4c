import type { LiveState } from '@bey/client'
import { liveLimits } from '@bey/contract'
import { useCurrentOrganization } from '../../data/session.ts'
import { Identifier } from '../../ui/code-block.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { momentText } from '../../ui/time-text.ts'

const seconds = (durationMs: number) => `${durationMs / 1000} s`

/** Everything known about the connection, with what it went through last. */
export function ConnectionFacts({ state }: { state: LiveState }) {
  const { connection_details: details } = state
  const organization = useCurrentOrganization()
  const facts: Fact[] = [
    { label: 'Attempts', value: `${details.connection_attempts} of infinity` },
    { label: 'Connected since', value: <RelativeTime at={details.connected_since} /> },
    {
      label: 'Ping time',
      value: details.ping_time === null ? '—' : `${Math.round(details.ping_time)} ms`,
    },
    { label: 'Last activity', value: <RelativeTime at={state.last_activity} /> },
    { label: 'Connection id', value: state.id ? <ConnectionId id={state.id} /> : '—' },
    { label: 'Organization', value: organization ? `${organization.name} (${organization.id})` : '—' },
    { label: 'User', value: state.user?.email ?? '—' },
    { label: 'IP address', value: state.ip ?? '—' },
    { label: 'Server version', value: details.node_version ?? '—' },
    { label: 'Cluster', value: details.cluster_id ?? '—' },
    { label: 'Subscriptions', value: state.subscriptions.length },
    { label: 'Last error', value: state.last_error ?? '—' },
  ]
  const half = facts.length / 2
  return (
    <>
      <div className="grid grid-cols-1 gap-x-8 tabular-nums max-md:divide-y max-md:divide-line md:grid-cols-2">
        <Facts facts={facts.slice(0, half)} />
        <Facts facts={facts.slice(half)} />
      </div>
      <p className="mt-2 text-small text-text-3">
        An attempt without an answer is given up after {seconds(liveLimits.connectTimeoutMs)}. Retries are
        unlimited, with exponential backoff from {seconds(liveLimits.reconnectMinMs)} to{' '}
        {seconds(liveLimits.reconnectMaxMs)}.
      </p>
      <ConnectionHistory messages={details.connection_messages} />
    </>
  )
}

// Its copy button is taller than a line; the rows beside it are not.
function ConnectionId({ id }: { id: string }) {
  return (
    <span className="-my-1 flex">
      <Identifier value={id} keep={6} />
    </span>
  )
}

function ConnectionHistory({
  messages,
}: {
  messages: LiveState['connection_details']['connection_messages']
}) {
  if (messages.length === 0) return null
  return (
    <details className="my-2">
      <summary className="text-text-2">History of the connection ({messages.length})</summary>
      <ol className="mt-1 font-mono text-small leading-5" aria-label="History of the connection">
        {messages.toReversed().map(({ timestamp, message }, index) => (
          // Several may fall on one millisecond; the list has no other identity.
          <li key={`${timestamp} ${messages.length - index}`} className="flex gap-3">
            <time dateTime={timestamp} className="text-text-3 tabular-nums">
              {momentText(timestamp)}
            </time>
            <span className="min-w-0 break-words">{message}</span>
          </li>
        ))}
      </ol>
    </details>
  )
}
