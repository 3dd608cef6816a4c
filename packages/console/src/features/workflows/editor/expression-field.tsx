import { useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import type { TextFieldProps } from '../schema-form/text-field.ts'
import { cx } from '../../../ui/class-names.ts'
import { Field } from '../../../ui/field.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { LastValue } from './last-value.tsx'
import type { LastRun } from './last-value.tsx'
import { SuggestionList } from './suggestion-list.tsx'
import type { Suggestion } from './suggestions.ts'
import { functions, matching, typedName } from './suggestions.ts'

export interface ExpressionFieldProps extends TextFieldProps {
  suggestions: readonly Suggestion[]
  /** Where the values of the suggestions come from: "Values of the last run". */
  source: string
  last: LastRun | undefined
}

const mostShown = 8
const mostRows = 12

/**
 * Text with completion of what its expressions can name: ↑ ↓ choose, Enter or Tab inserts, Escape closes, Ctrl+Space
 * opens. Enter makes no new line in a field of one line.
 */
export function ExpressionField(props: ExpressionFieldProps) {
  const {
    value,
    placeholder,
    syntax,
    rows,
    isCode,
    variables,
    onChange,
    suggestions,
    source,
    last,
    ...field
  } = props
  const [caret, setCaret] = useState<number>()
  const [active, setActive] = useState(0)
  const [showsFunctions, setShowsFunctions] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const listId = useId()

  const typed =
    caret === undefined || syntax === 'plain' ? undefined : typedName(value.slice(0, caret), syntax)
  const allowed = suggestions.filter(({ isSecret, variable }) =>
    variables ? variable && variables.includes(variable) : !variable && (!isSecret || typed?.isInBraces),
  )
  const shown = typed ? matching(showsFunctions ? functions : allowed, typed.name).slice(0, mostShown) : []
  const isOpen = shown.length > 0
  const chosen = Math.min(active, shown.length - 1)

  const follow = () => {
    setCaret(area.current?.selectionStart)
    setActive(0)
  }
  const insert = (suggestion: Suggestion | undefined) => {
    if (!typed || !suggestion || caret === undefined) return
    const start = value.slice(0, typed.from) + suggestion.name
    const isOpenBrace = typed.isInBraces && !value.slice(caret).includes('}}')
    onChange(`${start}${isOpenBrace ? ' }}' : ''}${value.slice(caret)}`)
    setCaret(undefined)
    setShowsFunctions(false)
    // The new text stands after the render that this call causes.
    requestAnimationFrame(() => area.current?.setSelectionRange(start.length, start.length))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === ' ' && event.ctrlKey) {
      event.preventDefault()
      follow()
    } else if (isOpen && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      setActive((chosen + (event.key === 'ArrowDown' ? 1 : shown.length - 1)) % shown.length)
    } else if (isOpen && (event.key === 'Enter' || event.key === 'Tab') && !event.metaKey && !event.ctrlKey) {
      event.preventDefault()
      insert(shown[chosen])
    } else if (isOpen && event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      setCaret(undefined)
    } else if (
      event.key === 'Enter' &&
      rows === 1 &&
      syntax !== 'expression' &&
      !event.metaKey &&
      !event.ctrlKey
    ) {
      event.preventDefault()
    }
  }
  return (
    <Field
      {...field}
      aside={
        field.error || syntax === 'plain' ? undefined : (
          <LastValue source={value} syntax={syntax} variables={variables} last={last} />
        )
      }
    >
      {(control) => (
        <span className="relative block">
          <TextArea
            {...control}
            ref={area}
            // A text of several lines may not be a combobox; as a text field it may name its list.
            aria-haspopup="listbox"
            aria-controls={isOpen ? listId : undefined}
            aria-autocomplete="list"
            aria-activedescendant={isOpen ? `${listId}-${chosen}` : undefined}
            rows={Math.min(mostRows, Math.max(rows, value.split('\n').length, Math.ceil(value.length / 48)))}
            value={value}
            placeholder={placeholder}
            spellCheck={false}
            autoComplete="off"
            className={cx(
              isCode || value.includes('{{') ? 'font-mono text-small leading-5' : '',
              'min-h-8 py-[5px]',
            )}
            onChange={({ target }) => {
              onChange(target.value)
              setCaret(target.selectionStart)
              setActive(0)
            }}
            onClick={() => (isOpen ? follow() : undefined)}
            onBlur={() => setCaret(undefined)}
            onKeyDown={onKeyDown}
          />
          {isOpen ? (
            <SuggestionList
              id={listId}
              title={showsFunctions ? 'Functions' : source}
              suggestions={shown}
              active={chosen}
              onChoose={insert}
              otherLabel={showsFunctions ? 'Values' : 'All functions'}
              onOther={() => setShowsFunctions(!showsFunctions)}
            />
          ) : null}
        </span>
      )}
    </Field>
  )
}
