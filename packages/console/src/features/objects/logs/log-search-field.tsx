import { CaseSensitive, ChevronDown, ChevronUp, Regex, Search } from 'lucide-react'
import type { RefObject } from 'react'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import type { SearchOptions } from './log-search.ts'

export interface LogSearchFieldProps {
  field: RefObject<HTMLInputElement | null>
  search: SearchOptions
  error: string | undefined
  count: number
  /** 1-based place of the current match; 0 before the first jump. */
  position: number
  onChange: (search: SearchOptions) => void
  onStep: (step: 1 | -1) => void
}

/** Search in the lines. Enter and the arrows jump from one to the next. */
export function LogSearchField(props: LogSearchFieldProps) {
  const { field, search, error, count, position, onChange, onStep } = props
  const hasText = search.text !== ''
  return (
    <div className="flex items-center gap-1">
      <div className="w-44 sm:w-52">
        <Input
          ref={field}
          type="search"
          controlSize="small"
          aria-label="Search in the log"
          placeholder="Search in the log"
          aria-invalid={error !== undefined || undefined}
          data-tooltip={error}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={search.text}
          icon={<Search size={14} aria-hidden />}
          onChange={(event) => onChange({ ...search, text: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
            else if (event.key !== 'Escape') return
            else if (hasText) onChange({ ...search, text: '' })
            else event.currentTarget.blur()
            event.preventDefault()
          }}
          className="[&::-webkit-search-cancel-button]:hidden"
        />
      </div>
      {hasText ? (
        <output className="min-w-[9ch] text-center text-small text-text-2 tabular-nums">
          {error ? 'not valid' : `${position > 0 ? `${position} of ` : ''}${count.toLocaleString('en')}`}
        </output>
      ) : null}
      <IconButton
        label="Previous match"
        shortcut="N"
        size="small"
        disabled={count === 0}
        icon={<ChevronUp size={14} aria-hidden />}
        onClick={() => onStep(-1)}
      />
      <IconButton
        label="Next match"
        shortcut="n"
        size="small"
        disabled={count === 0}
        icon={<ChevronDown size={14} aria-hidden />}
        onClick={() => onStep(1)}
      />
      <IconButton
        label="Match upper and lower case"
        size="small"
        aria-pressed={search.isCaseSensitive}
        className={search.isCaseSensitive ? 'bg-active text-text' : ''}
        icon={<CaseSensitive size={16} aria-hidden />}
        onClick={() => onChange({ ...search, isCaseSensitive: !search.isCaseSensitive })}
      />
      <IconButton
        label="Regular expression"
        size="small"
        aria-pressed={search.isRegex}
        className={search.isRegex ? 'bg-active text-text' : ''}
        icon={<Regex size={14} aria-hidden />}
        onClick={() => onChange({ ...search, isRegex: !search.isRegex })}
      />
    </div>
  )
}
