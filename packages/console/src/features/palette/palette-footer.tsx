import { formatCount } from '../../lib/format.ts'
import { cx } from '../../ui/class-names.ts'
import { KeyHint } from '../../ui/key-hint.tsx'

export interface PaletteFooterProps {
  /** Digits choose only while nothing is typed. */
  isQuickSelect: boolean
  resultCount: number | undefined
}

/** Which keys do what. */
export function PaletteFooter({ isQuickSelect, resultCount }: PaletteFooterProps) {
  return (
    <div
      className={cx(
        resultCount === undefined && 'touch:hidden',
        'flex min-h-9 shrink-0 items-center gap-x-4 overflow-hidden border-t border-line bg-sunken px-4 text-small whitespace-nowrap text-text-2',
      )}
    >
      <span className="contents touch:hidden">
        <Hint keys={['↑', '↓']} does="navigate" />
        <Hint keys={['Enter']} does="select" />
        <span className="max-sm:hidden">
          <Hint keys={['→']} does="preview" />
        </span>
        <Hint keys={['Escape']} does="close" />
        {isQuickSelect ? (
          <span className="max-sm:hidden">
            <Hint keys={['Mod', '1–9']} does="quick select" />
          </span>
        ) : null}
      </span>
      {resultCount === undefined ? null : (
        <output className="ml-auto tabular-nums">{formatCount(resultCount, 'result')}</output>
      )}
    </div>
  )
}

function Hint({ keys, does }: { keys: readonly string[]; does: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <KeyHint keys={keys} />
      <span>{does}</span>
    </span>
  )
}
