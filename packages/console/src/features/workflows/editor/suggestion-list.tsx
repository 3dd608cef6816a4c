/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the list of a combobox: the focus stays in its field */
import { cx } from '../../../ui/class-names.ts'
import { KeyHint } from '../../../ui/key-hint.tsx'
import type { Suggestion } from './suggestions.ts'

export interface SuggestionListProps {
  id: string
  title: string
  suggestions: readonly Suggestion[]
  /** Index of the one that Enter inserts. */
  active: number
  onChoose: (suggestion: Suggestion) => void
  otherLabel: string
  onOther: () => void
}

/** Under a field: names with their values. The focus stays in the field. */
export function SuggestionList(props: SuggestionListProps) {
  const { id, title, suggestions, active, onChoose, otherLabel, onOther } = props
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <span
      // A click must not take the focus from the field, which would close the list before it counts.
      onMouseDown={(event) => event.preventDefault()}
      className="absolute inset-x-0 top-full z-20 mt-1 block overflow-hidden rounded-popover border border-line bg-overlay shadow-float"
    >
      <span className="block border-b border-line px-3 py-1.5 text-small font-medium">{title}</span>
      <span id={id} role="listbox" aria-label={title} className="block max-h-60 overflow-y-auto">
        {suggestions.map((each, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- keys are the field's
          <span
            key={each.name}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => onChoose(each)}
            className={cx(
              'flex min-h-7 cursor-default items-center gap-3 px-3 font-mono text-small',
              index === active && 'bg-active',
            )}
          >
            <span className="min-w-0 flex-1 truncate">{each.name}</span>
            <span className="max-w-1/2 shrink-0 truncate text-text-2">{each.detail}</span>
          </span>
        ))}
      </span>
      <span className="flex items-center gap-3 border-t border-line px-3 py-1 text-small text-text-2">
        <span className="flex items-center gap-1">
          <KeyHint keys={['↑', '↓']} /> choose
        </span>
        <span className="flex flex-1 items-center gap-1">
          <KeyHint keys={['↵']} /> insert
        </span>
        <button
          type="button"
          tabIndex={-1}
          onClick={onOther}
          className="min-h-6 underline underline-offset-4"
        >
          {otherLabel}
        </button>
      </span>
    </span>
  )
}
