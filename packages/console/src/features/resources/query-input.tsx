import { parseResourceQuery, type QueryProblem } from '@bey/contract'
import { Search } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useList } from '../../data/use-read.ts'
import { cx } from '../../ui/class-names.ts'
import { Input } from '../../ui/input.tsx'

/** As the address of a list keeps it. */
const maxLength = 200

export interface QueryInputProps {
  /** The query that is in force. */
  value: string
  /** Called with each text that can be read as a query. */
  onChange: (query: string) => void
}

/**
 * The query of the inventory: completes keys and values with counts. A text that cannot be read marks its word, and the
 * query before it stays in force.
 */
export function QueryInput({ value, onChange }: QueryInputProps) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const [position, setPosition] = useState<number>()
  const [active, setActive] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  if (known !== value) {
    setKnown(value)
    if (value !== text.trim()) setText(value)
  }
  const problem = problemOf(text)
  const isOpen = position !== undefined
  const { data } = useList(
    'resources.complete',
    { query: { query: text, position: position ?? 0 } },
    { isEnabled: isOpen },
  )
  const completions = isOpen ? (data?.completions ?? []) : []
  const close = () => {
    setPosition(undefined)
    setActive(-1)
  }
  const change = (next: string) => {
    setText(next)
    if (problemOf(next) === undefined && next.trim() !== value) onChange(next.trim())
  }
  const complete = (index: number) => {
    const chosen = completions[index]
    if (!chosen || !data) return
    const isKey = chosen.text.endsWith(':')
    const start = `${text.slice(0, data.start)}${chosen.text}${isKey ? '' : ' '}`
    change(`${start}${text.slice(data.end).trimStart()}`)
    setActive(-1)
    setPosition(isKey ? start.length : undefined)
    requestAnimationFrame(() => input.current?.setSelectionRange(start.length, start.length))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!isOpen) setPosition(input.current?.selectionStart ?? text.length)
      const count = completions.length
      if (count > 0) setActive((active + (key === 'ArrowDown' ? 1 : -1) + count) % count)
    } else if ((key === 'Enter' || key === 'Tab') && active >= 0) complete(active)
    else if (key === 'Enter') {
      close()
      return
    } else if (key === 'Escape' && isOpen && completions.length > 0) close()
    else if (key === 'Escape' && text !== '') change('')
    else return
    event.preventDefault()
  }
  return (
    <div className="relative min-w-0 grow basis-80">
      <Input
        ref={input}
        type="search"
        data-filter=""
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- completes what is typed, which no element does
        role="combobox"
        aria-label="Query"
        aria-expanded={completions.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        placeholder="kind:pod health:failing label:team=shop"
        autoComplete="off"
        spellCheck={false}
        maxLength={maxLength}
        value={text}
        icon={<Search size={14} aria-hidden />}
        className="font-mono text-small [&::-webkit-search-cancel-button]:hidden"
        onChange={({ target }) => {
          change(target.value)
          setActive(-1)
          setPosition(target.selectionStart ?? target.value.length)
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      {completions.length > 0 ? (
        <div
          id={`${id}-list`}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot complete what is typed
          role="listbox"
          aria-label="Completions"
          className="absolute top-full right-0 left-0 z-20 mt-1 max-h-80 overflow-y-auto rounded-card border border-line bg-overlay py-1 shadow-lg"
        >
          {completions.map((each, index) => (
            <div
              key={each.text}
              id={`${id}-${index}`}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              className={cx(
                'flex h-7 cursor-default items-center gap-3 px-3 touch:h-9',
                index === active ? 'bg-active' : 'hover:bg-hover',
              )}
              // Before the field loses the focus.
              onMouseDown={(event) => {
                event.preventDefault()
                complete(index)
              }}
            >
              <code className="truncate text-small">{each.text}</code>
              <span className="min-w-0 flex-1 truncate text-small text-text-3">{each.about}</span>
              {each.count === null ? null : (
                <span className="text-small text-text-2 tabular-nums">{each.count}</span>
              )}
            </div>
          ))}
        </div>
      ) : null}
      {problem ? <Problem id={`${id}-problem`} text={text} problem={problem} /> : null}
    </div>
  )
}

function problemOf(text: string): QueryProblem | undefined {
  const parsed = parseResourceQuery(text)
  return 'problem' in parsed ? parsed.problem : undefined
}

/** The query once more with the word marked that cannot be read, and why. */
function Problem({ id, text, problem }: { id: string; text: string; problem: QueryProblem }) {
  const { start, end, message } = problem
  return (
    <output id={id} className="mt-1 block text-small break-words text-danger">
      <code className="text-text-3">{text.slice(0, start)}</code>
      <mark className="bg-danger-soft text-danger underline decoration-wavy underline-offset-2">
        {text.slice(start, end)}
      </mark>
      <code className="text-text-3">{text.slice(end)}</code> {message}
    </output>
  )
}
