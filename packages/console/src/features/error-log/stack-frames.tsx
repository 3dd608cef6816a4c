import type { ErrorStackFrame } from '@bey/contract'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'

export interface StackFramesProps {
  frames: readonly ErrorStackFrame[]
  /** What they are: "Stack". */
  label: string
  /** In which the error happened, to say which source map is missing. */
  release: string
}

/** Frames from the top; those of libraries are left out until they are asked for. */
export function StackFrames({ frames, label, release }: StackFramesProps) {
  const [isWhole, setWhole] = useState(false)
  const own = frames.filter((frame) => frame.isOwn)
  const shown = isWhole || own.length === 0 ? frames : own
  const hidden = frames.length - own.length
  return (
    <div className="flex flex-col gap-2">
      {own.length > 0 && !own.some((frame) => frame.isResolved) ? (
        <Notice tone="info" title="Shown as the browser reported it">
          This server has no source map of release {release}, so names and lines are those of the built
          scripts.
        </Notice>
      ) : null}
      <ol aria-label={label} className="overflow-hidden rounded-control border border-line">
        {shown.map((frame, index) => (
          // Frames of a recursion are the same: only their place tells them apart.
          // oxlint-disable-next-line react/no-array-index-key
          <Frame key={index} frame={frame} isFirst={index === 0} />
        ))}
      </ol>
      {own.length > 0 && hidden > 0 ? (
        <div>
          <Button size="small" variant="ghost" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Hide frames of libraries' : `Show ${hidden} more of libraries`}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function Frame({ frame, isFirst }: { frame: ErrorStackFrame; isFirst: boolean }) {
  const { excerpt, isOwn } = frame
  const className = cx('border-line not-first:border-t', isOwn ? 'bg-bg' : 'bg-sunken')
  if (!excerpt) {
    return (
      <li className={cx(className, 'py-1.5 pr-3 pl-8')}>
        <FrameLocation frame={frame} />
      </li>
    )
  }
  return (
    <li className={className}>
      <details open={isFirst} className="group">
        <summary className="flex cursor-pointer list-none items-center gap-2 px-2.5 py-1.5 hover:bg-hover [&::-webkit-details-marker]:hidden">
          <ChevronRight
            size={14}
            aria-hidden
            className="shrink-0 text-text-3 transition-transform duration-75 group-open:rotate-90"
          />
          <FrameLocation frame={frame} />
        </summary>
        <Excerpt excerpt={excerpt} line={frame.line} file={frame.file ?? ''} />
      </details>
    </li>
  )
}

function FrameLocation({ frame }: { frame: ErrorStackFrame }) {
  const { functionName, file, line, column, isOwn, text } = frame
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 font-mono text-small">
      <span className={isOwn ? 'font-medium' : 'text-text-2'}>{functionName ?? '(anonymous)'}</span>
      <span className="min-w-0 break-all text-text-2">
        {file === null ? text : `${file}:${line}:${column}`}
      </span>
    </span>
  )
}

interface ExcerptProps {
  excerpt: NonNullable<ErrorStackFrame['excerpt']>
  line: number | null
  file: string
}

function Excerpt({ excerpt, line, file }: ExcerptProps) {
  return (
    <pre
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a section would lose the whitespace that pre keeps
      role="region"
      aria-label={`Source of ${file} around line ${line}`}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls must be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto border-t border-line bg-sunken py-2 font-mono text-small leading-5"
    >
      {excerpt.lines.map((text, index) => {
        const number = excerpt.firstLine + index
        return (
          <span
            key={number}
            className={cx('block min-w-max pr-3', number === line && 'bg-danger-soft font-medium')}
          >
            <span aria-hidden className="mr-3 inline-block w-12 text-right text-text-2 select-none">
              {number}
            </span>
            {text}
            {'\n'}
          </span>
        )
      })}
    </pre>
  )
}
