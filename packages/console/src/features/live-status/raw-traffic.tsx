import type { LoggedMessage } from '@bey/client'
import { CopyButton } from '../../ui/copy-button.tsx'
import { messageTime } from './message-text.ts'

/** The newest messages as they crossed the wire, newest first; tokens are left out by the log itself. */
export function RawTraffic({ messages }: { messages: readonly LoggedMessage[] }) {
  const newest = messages.slice(-rawKept).toReversed()
  const lineOf = (message: LoggedMessage) =>
    `${message.timestamp} ${message.type} ${JSON.stringify(message.data)}`
  return (
    <div className="relative rounded-control border border-line bg-sunken">
      <ol
        aria-label="Raw traffic"
        // A box that scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-40 overflow-y-auto py-2 pr-10 pl-3 font-mono text-small leading-5"
      >
        {newest.map((message) => (
          <li key={message.id} className="flex gap-3">
            <span className="shrink-0 text-text-3 tabular-nums">{messageTime(message)}</span>
            <span className="w-20 shrink-0 text-text-2">
              <span aria-hidden>{message.type === 'sent' ? '↑' : '↓'}</span> {message.type}
            </span>
            <span className="min-w-0 truncate">{JSON.stringify(message.data)}</span>
          </li>
        ))}
        {newest.length === 0 ? <li className="font-sans text-text-3">No messages yet.</li> : null}
      </ol>
      {newest.length > 0 ? (
        <div className="absolute top-1 right-1 rounded-control bg-sunken">
          <CopyButton text={() => newest.map(lineOf).join('\n')} label="Copy raw traffic" />
        </div>
      ) : null}
    </div>
  )
}

/** Lines of raw traffic shown; the message log keeps 100. */
const rawKept = 50
