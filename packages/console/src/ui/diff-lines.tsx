import { cx } from './class-names.ts'

export interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'gap'
  text: string
}

const looks = {
  same: { sign: ' ', row: '' },
  added: { sign: '+', row: 'bg-ok-soft' },
  removed: { sign: '−', row: 'bg-danger-soft' },
  gap: { sign: '', row: 'text-text-3' },
}

/** The difference of two texts, line by line; signs say what colours say. */
export function DiffLines({ label, lines }: { label: string; lines: readonly DiffLine[] }) {
  return (
    <section
      aria-label={label}
      // A box that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-96 overflow-auto rounded-control border border-line bg-bg"
    >
      <div className="w-max min-w-full py-1 font-mono text-small leading-5">
        {lines.map(({ kind, text }, index) => (
          <div key={index} className={cx('flex gap-2 px-2 whitespace-pre', looks[kind].row)}>
            <span className="w-3 shrink-0 select-none">{looks[kind].sign}</span>
            <span>{text}</span>
          </div>
        ))}
      </div>
    </section>
  )
}
