import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { Input } from './input.tsx'

/** A filter acts on each key, at most once in this time: rows follow the first key at once, fast typing asks less. */
const gapMs = 80

export interface FilterInputProps {
  /** What is filtered: "Filter clusters". Its name and placeholder. */
  label: string
  /** The text that is in force. */
  value: string
  onChange: (value: string) => void
}

/** The text filter of a list. `/` focuses it, Esc clears it and then leaves it. */
export function FilterInput({ label, value, onChange }: FilterInputProps) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  /** What was asked for here and is not in force yet. */
  const [pending, setPending] = useState<readonly string[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const actedAtMs = useRef(-gapMs)
  if (known !== value) {
    const asked = pending.indexOf(value)
    setKnown(value)
    setPending(asked === -1 ? [] : pending.slice(asked + 1))
    // Changed from outside (Back, Clear filters), not by what is typed here, which may be longer by now.
    if (asked === -1) setText(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const act = (next: string) => {
    actedAtMs.current = performance.now()
    setPending((before) => [...before, next])
    onChange(next)
  }
  const type = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    const wanted = next.trim()
    if (wanted === (pending.at(-1) ?? value)) return
    const waitMs = actedAtMs.current + gapMs - performance.now()
    if (waitMs <= 0) act(wanted)
    else timer.current = setTimeout(() => act(wanted), waitMs)
  }
  const clear = () => {
    clearTimeout(timer.current)
    setText('')
    if ((pending.at(-1) ?? value) !== '') act('')
  }
  return (
    // Above a list it gives way, so that filters and pages share one line.
    <div className="w-full sm:w-64 sm:in-data-toolbar:w-auto sm:in-data-toolbar:max-w-64 sm:in-data-toolbar:flex-[1_1_12rem]">
      <Input
        type="search"
        data-filter=""
        aria-label={label}
        placeholder={label}
        controlSize="small"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          if (text) clear()
          else event.currentTarget.blur()
        }}
        icon={<Search size={14} aria-hidden />}
        trailing={
          text ? (
            <IconButton
              label="Clear filter"
              size="small"
              className="!size-6"
              icon={<X size={14} aria-hidden />}
              onClick={clear}
            />
          ) : undefined
        }
        className="[&::-webkit-search-cancel-button]:hidden"
      />
    </div>
  )
}
