import { cx } from '../../ui/class-names.ts'

const tones: Readonly<Record<string, string>> = { GET: 'text-text-3', DELETE: 'text-danger' }

/** The method of a call, in a column of its own. */
export function Method({ method }: { method: string }) {
  return (
    <span className={cx('w-12 shrink-0 font-mono text-meta font-medium', tones[method] ?? 'text-info')}>
      {method}
    </span>
  )
}
