/** Used of requested in the row of a table, as a bar of 64 × 4 with its words beside it. */
export function UseBar({ used, requested, text }: { used: number; requested: number; text: string }) {
  const share = Math.min(1, used / requested)
  return (
    <span className="flex items-center gap-2">
      <span
        aria-hidden
        data-track=""
        data-live-color=""
        className="relative block h-1 w-16 shrink-0 overflow-hidden rounded-full bg-active"
      >
        <span
          className={used > requested ? 'absolute inset-0 bg-warn' : 'absolute inset-y-0 left-0 bg-chart-1'}
          style={{ width: `${share * 100}%` }}
        />
      </span>
      <span className="min-w-0 truncate tabular-nums" data-tooltip={text}>
        {text}
      </span>
    </span>
  )
}
