import { useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import type { LiveConnection } from '../../data/live.ts'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { liveSocket } from '../live-socket.ts'

const sentences: Record<LiveConnection['state'], string> = {
  live: 'What you see follows the server as it changes.',
  reconnecting: 'The connection was lost and is tried again. What you see may be old.',
  offline: 'Nothing is being tried. What you see may be old.',
}

/** The word about freshness as a button, and behind it what it means. */
export default function LiveDetails({
  state,
  children,
}: {
  state: LiveConnection['state']
  children: ReactNode
}) {
  const { connection_details: details, last_error: lastError } = useSyncExternalStore(
    (listener) => liveSocket.onState(listener),
    () => liveSocket.state,
  )
  return (
    <Popover
      label="Live updates"
      align="end"
      trigger={
        <button
          type="button"
          className="flex h-7 items-center rounded-control px-1.5 hover:bg-hover touch:h-9"
        >
          {children}
        </button>
      }
    >
      <div className="w-72">
        <h2 className="font-medium">Live updates</h2>
        <p className="mt-1 text-text-2">{sentences[state]}</p>
        <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-small">
          {details.connected_since ? (
            <>
              <dt className="text-text-3">Connected</dt>
              <dd>
                <RelativeTime at={details.connected_since} />
              </dd>
            </>
          ) : (
            <>
              <dt className="text-text-3">Attempts</dt>
              <dd className="tabular-nums">{details.connection_attempts} of infinity</dd>
            </>
          )}
          {details.ping_time === null ? null : (
            <>
              <dt className="text-text-3">Round trip</dt>
              <dd className="tabular-nums">{Math.round(details.ping_time)} ms</dd>
            </>
          )}
          {state !== 'live' && lastError ? (
            <>
              <dt className="text-text-3">Last error</dt>
              <dd>{lastError}</dd>
            </>
          ) : null}
        </dl>
        {state === 'live' ? null : (
          <Button size="small" className="mt-3" onClick={() => liveSocket.reconnect()}>
            Reconnect now
          </Button>
        )}
      </div>
    </Popover>
  )
}
