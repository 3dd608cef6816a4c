/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the list of a combobox: the focus stays in its field */
import type { KeyboardEvent } from 'react'
import { useId, useRef, useState } from 'react'
import { useList, useRead } from '../../data/use-read.ts'
import { cx } from '../../ui/class-names.ts'
import type { TextAreaProps } from '../../ui/text-area.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import type { Completion } from './promql-completion.ts'
import { completionsOf, placeOf, quotedValue, valuesExpression } from './promql-completion.ts'

export interface ExpressionInputProps extends Omit<TextAreaProps, 'value' | 'onChange' | 'ref'> {
  value: string
  onChange: (expr: string) => void
  /** Id of the data source that evaluates it; undefined: Bey. */
  source?: string | undefined
  /** Ctrl+Enter, or Cmd+Enter. */
  onSubmit?: () => void
}

/** Values of a label are those of the last hour. */
const valuesRange = 3_600

/**
 * The text of a PromQL expression, which completes metrics, functions, labels and their values: ↑ ↓ choose, Enter or Tab
 * inserts, Escape closes, Ctrl+Space opens.
 */
export function ExpressionInput({
  value,
  onChange,
  source,
  onSubmit,
  className,
  ...rest
}: ExpressionInputProps) {
  const [caret, setCaret] = useState<number>()
  const [active, setActive] = useState(0)
  const area = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  const place = caret === undefined ? undefined : placeOf(value.slice(0, caret))
  const isOpened = caret !== undefined
  const own = useRead('metrics.catalog', {}, { isEnabled: isOpened && source === undefined })
  const foreign = useRead(
    'metrics.sources.catalog',
    { params: { id: source ?? '' } },
    { isEnabled: isOpened && source !== undefined },
  )
  const metrics =
    source === undefined
      ? (own.data?.metrics ?? [])
      : (foreign.data?.metrics.map((each) => ({ ...each, labels: [] })) ?? [])
  const asked =
    place?.kind === 'value' && place.metric ? valuesExpression(place.metric, place.label ?? '') : ''
  const known = useList(
    'metrics.query',
    { query: { expr: asked, range: valuesRange, ...(source !== undefined && { source }) } },
    { isEnabled: asked !== '' },
  )
  const values =
    asked === ''
      ? []
      : (known.data?.series.flatMap(({ labels }) => labels[place?.label ?? ''] || []) ?? []).map(quotedValue)
  const shown = place ? completionsOf(place, metrics, values) : []
  const isOpen = shown.length > 0
  const chosen = Math.min(active, shown.length - 1)

  const close = () => setCaret(undefined)
  const open = () => {
    setCaret(area.current?.selectionStart)
    setActive(0)
  }
  const insert = (completion: Completion | undefined) => {
    if (!place || !completion || caret === undefined) return
    const start = value.slice(0, place.from) + completion.text
    onChange(start + value.slice(caret))
    close()
    const at = start.length - (completion.back ?? 0)
    // The new text stands after the render that this call causes.
    requestAnimationFrame(() => area.current?.setSelectionRange(at, at))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    const isMod = event.ctrlKey || event.metaKey
    if (key === 'Enter' && isMod) {
      close()
      onSubmit?.()
    } else if (key === ' ' && event.ctrlKey) open()
    else if (!isOpen || isMod) return
    else if (key === 'ArrowDown') setActive((chosen + 1) % shown.length)
    else if (key === 'ArrowUp') setActive((chosen + shown.length - 1) % shown.length)
    else if (key === 'Enter' || key === 'Tab') insert(shown[chosen])
    else if (key === 'Escape') {
      // A dialog around it stays open.
      event.stopPropagation()
      close()
    } else return
    event.preventDefault()
  }
  return (
    <span className="relative block min-w-0">
      <TextArea
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        {...rest}
        ref={area}
        // A text of several lines may not be a combobox; as a text field it may name its list.
        aria-haspopup="listbox"
        aria-autocomplete="list"
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen ? `${id}-${chosen}` : undefined}
        value={value}
        className={cx('font-mono text-small', className)}
        onChange={({ target }) => {
          onChange(target.value)
          setCaret(target.selectionStart)
          setActive(0)
        }}
        onClick={close}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      {isOpen ? (
        <span
          id={id}
          role="listbox"
          aria-label="Completions"
          className="absolute inset-x-0 top-full z-20 mt-1 block max-h-72 overflow-y-auto rounded-popover border border-line bg-overlay py-1 shadow-float"
        >
          {shown.map((each, index) => (
            <span
              key={each.text}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === chosen}
              className={cx(
                'flex min-h-7 cursor-default items-center gap-3 px-3 text-small touch:min-h-9',
                index === chosen ? 'bg-active' : 'hover:bg-hover',
              )}
              // Before the field loses the focus.
              onMouseDown={(event) => {
                event.preventDefault()
                insert(each)
              }}
            >
              <code className="min-w-0 flex-1 truncate">{each.text}</code>
              <span className="max-w-1/2 shrink-0 truncate text-text-2 max-sm:hidden">{each.about}</span>
            </span>
          ))}
        </span>
      ) : null}
    </span>
  )
}
