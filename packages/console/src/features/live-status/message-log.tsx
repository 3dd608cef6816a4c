import type { LoggedMessage } from '@bey/client'
import { ChevronRight, Pause, Play } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { FilterInput } from '../../ui/filter-input.tsx'
import { Select } from '../../ui/select.tsx'
import { matchesFilter, messageTime, previewOf, typeOf } from './message-text.ts'
import type { MessageFilter } from './message-text.ts'

const everything: MessageFilter = { kind: 'all', text: '' }

/** The newest 100 messages, newest first: filtered, searched, unfolded, held still and copied. */
export function MessageLog({ messages }: { messages: readonly LoggedMessage[] }) {
  const [filter, setFilter] = useState(everything)
  const [held, setHeld] = useState<readonly LoggedMessage[]>()
  const listed = held ?? messages
  const shown = listed.filter((message) => matchesFilter(message, filter)).toReversed()
  const missed = held ? messages.filter(({ id }) => id > (held.at(-1)?.id ?? 0)).length : 0
  const types = [...new Set(listed.map(typeOf))].sort()
  return (
    <div>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <Select
          controlSize="small"
          aria-label="Type of message"
          value={filter.kind}
          onChange={(event) => setFilter({ ...filter, kind: event.target.value })}
          options={[
            { value: 'all', label: 'All types' },
            { value: 'sent', label: 'Sent' },
            { value: 'received', label: 'Received' },
            ...types.map((type) => ({ value: type, label: type })),
          ]}
        />
        <FilterInput
          label="Search messages"
          value={filter.text}
          onChange={(text) => setFilter({ ...filter, text })}
        />
        <Button
          size="small"
          icon={held ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
          onClick={() => setHeld(held ? undefined : messages)}
        >
          {held ? 'Resume' : 'Pause'}
        </Button>
        <output className="text-small text-text-3 tabular-nums">
          {formatCount(shown.length, 'message')}
          {held && missed > 0 ? ` · ${missed} newer` : ''}
        </output>
        <div className="ml-auto">
          <CopyButton text={() => JSON.stringify(shown, null, 2)} label="Copy messages" />
        </div>
      </div>
      <ol aria-label="Messages" className="divide-y divide-line rounded-control border border-line">
        {shown.map((message) => (
          <MessageRow key={message.id} message={message} />
        ))}
        {shown.length === 0 ? (
          <li className="flex items-center gap-2 px-3 py-2 text-text-3">
            {listed.length === 0 ? 'No messages yet.' : 'No message matches.'}
            {listed.length > 0 ? (
              <Button size="small" variant="ghost" onClick={() => setFilter(everything)}>
                Clear filters
              </Button>
            ) : null}
          </li>
        ) : null}
      </ol>
    </div>
  )
}

function MessageRow({ message }: { message: LoggedMessage }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-7 w-full items-center gap-2 px-2 text-left text-small hover:bg-hover touch:min-h-9"
      >
        <ChevronRight size={14} aria-hidden className={cx('shrink-0 text-text-3', isOpen && 'rotate-90')} />
        <span className="shrink-0 font-mono text-text-3 tabular-nums">{messageTime(message)}</span>
        <span className="shrink-0 text-text-2 sm:w-16">{message.type}</span>
        <span className="font-medium max-sm:min-w-0 max-sm:truncate sm:shrink-0">{typeOf(message)}</span>
        <span className="min-w-0 truncate font-mono text-text-3 max-sm:hidden">{previewOf(message)}</span>
      </button>
      {isOpen ? (
        <div className="px-2 pb-2">
          <CodeBlock text={JSON.stringify(message.data, null, 2)} label={typeOf(message)} maxHeight="16rem" />
        </div>
      ) : null}
    </li>
  )
}
