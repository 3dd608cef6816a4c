import { ChevronRight, RotateCw, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import { cx } from '../../../ui/class-names.ts'
import { lineTime, preciseTime } from '../../../ui/time-text.ts'
import { marked } from './log-search.ts'
import type { LineEntry, RuleEntry } from '../../../entities/kubernetes/logs/log-store.ts'
import type { Severity } from '../../../entities/kubernetes/logs/log-text.ts'
import { fieldText, parseLine } from '../../../entities/kubernetes/logs/log-text.ts'
import { ruleText } from './log-words.ts'

/** What a row says of the container that wrote it. */
export interface RowSource {
  suffix: string
  container: string
  color: string
}

const severityLook: Record<Severity, string> = {
  none: 'text-text-3',
  trace: 'text-text-3',
  debug: 'text-text-3',
  info: 'text-text-2',
  warn: 'text-warn',
  error: 'text-danger',
  fatal: 'text-danger',
}

/** Whether rows show their time, and their day where it is not today. */
export type TimeColumn = 'none' | 'clock' | 'day'

export interface LogLineRowProps {
  entry: LineEntry
  source: RowSource
  pattern: RegExp | undefined
  /** The match that the search stands at. */
  isCurrent: boolean
  /** Where the arrow keys are. */
  isActive: boolean
  isOpen: boolean
  isWrapped: boolean
  time: TimeColumn
  areFieldsParsed: boolean
  onToggle: (id: number) => void
}

/** One line: pod, time, severity, message and fields. */
export const LogLineRow = memo(function LogLineRow(props: LogLineRowProps) {
  const { entry, source, pattern, isCurrent, isActive, isOpen, isWrapped, time, onToggle } = props
  const isJson = entry.text.startsWith('{')
  const parsed = props.areFieldsParsed ? parseLine(entry.text) : { message: entry.text, fields: [] }
  const isBad = entry.severity === 'error' || entry.severity === 'fatal'
  return (
    // The list handles the keyboard: arrows move, Enter opens.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div
      data-line={entry.id}
      data-open={isOpen || undefined}
      onClick={() => {
        if (isJson && window.getSelection()?.isCollapsed !== false) onToggle(entry.id)
      }}
      className={cx(
        'group flex min-h-5 gap-2 border-l-3 pr-3 pl-2',
        isOpen ? 'bg-active' : isActive ? 'bg-hover' : 'hover:bg-hover',
        isJson && 'cursor-pointer',
      )}
      style={{ borderColor: source.color }}
    >
      <RowHead source={source} at={entry.at} time={time} />
      <span className={cx('w-[5ch] shrink-0 max-sm:hidden', severityLook[entry.severity])}>
        {entry.severity === 'none' ? '' : entry.severity}
      </span>
      <span
        data-log-text=""
        className={cx(
          'min-w-0 flex-1',
          isWrapped ? 'break-all whitespace-pre-wrap' : 'truncate whitespace-pre',
        )}
      >
        <span className={isBad ? 'text-danger' : 'text-text'}>
          <Marked text={parsed.message} pattern={pattern} isCurrent={isCurrent} />
        </span>
        {parsed.fields.map((field) => (
          <span key={field[0]} className="text-text-2">
            {'  '}
            <Marked text={fieldText(field)} pattern={pattern} isCurrent={isCurrent} />
          </span>
        ))}
      </span>
      {isJson ? (
        <ChevronRight
          size={14}
          aria-hidden
          className={cx(
            'mt-0.5 shrink-0 text-text-3 transition-transform group-hover:visible',
            isOpen ? 'rotate-90' : 'invisible',
          )}
        />
      ) : null}
    </div>
  )
})

function Marked({
  text,
  pattern,
  isCurrent,
}: {
  text: string
  pattern: RegExp | undefined
  isCurrent: boolean
}) {
  if (!pattern) return text
  return marked(text, pattern).map((part, index) =>
    part.isFound ? (
      <mark
        // Parts of one text never move.
        // oxlint-disable-next-line react/no-array-index-key
        key={index}
        className={cx(
          'rounded-badge',
          isCurrent ? 'bg-accent text-accent-label' : 'bg-accent-soft text-text',
        )}
      >
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  )
}

/** A start, an end or a gap as a rule across the stream. */
export const LogRuleRow = memo(function LogRuleRow({
  entry,
  source,
  time,
}: {
  entry: RuleEntry
  source: RowSource
  time: TimeColumn
}) {
  const { text, isTrouble } = ruleText(entry.event, source.container)
  return (
    <div
      className="flex h-5 gap-2 border-l-3 pr-3 pl-2 font-sans"
      style={{ borderColor: source.color }}
      data-rule={entry.event.event}
    >
      <RowHead source={source} at={entry.at} time={time} />
      <span
        className={cx(
          'flex min-w-0 items-center gap-2 font-medium',
          isTrouble ? 'text-danger' : 'text-text-2',
        )}
      >
        {isTrouble ? (
          <TriangleAlert size={12} aria-hidden className="shrink-0" />
        ) : (
          <RotateCw size={12} aria-hidden className="shrink-0 text-text-3" />
        )}
        <span className="truncate">{text}</span>
      </span>
      <span aria-hidden className="mt-2.5 h-px min-w-4 flex-1 bg-line-strong" />
    </div>
  )
})

function RowHead({ source, at, time }: { source: RowSource; at: string; time: TimeColumn }) {
  return (
    <>
      <span
        className="w-(--suffix) shrink-0 truncate font-mono max-sm:max-w-[6ch]"
        style={{ color: source.color }}
      >
        {source.suffix}
      </span>
      {time !== 'none' ? (
        <span className="w-(--time) shrink-0 font-mono text-text-2 max-sm:hidden">{timeText(at, time)}</span>
      ) : null}
    </>
  )
}

function timeText(at: string, time: TimeColumn): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return ''
  return time === 'day' ? lineTime(date) : preciseTime(date)
}
