const samples = [
  { word: 'used', isObserved: true, className: 'stroke-text-3', width: 3, dash: undefined },
  { word: 'open, unused', isObserved: true, className: 'stroke-text-3', width: 1.5, dash: '1 4' },
  { word: 'open', isObserved: false, className: 'stroke-text-3', width: 1.5, dash: '1 4' },
  { word: 'refused', isObserved: true, className: 'stroke-danger', width: 1.6, dash: '6 4' },
  { word: 'closed', isObserved: undefined, className: 'stroke-control', width: 1, dash: '6 6' },
  { word: 'not known', isObserved: undefined, className: 'stroke-warn', width: 1.5, dash: '2 4' },
] as const

/** What the lines of a map mean. */
export function FlowLegend({ hasObserved }: { hasObserved: boolean }) {
  return (
    <ul aria-label="Legend" className="ml-auto flex flex-wrap gap-x-4 text-small text-text-2">
      {samples
        .filter(({ isObserved }) => isObserved === undefined || isObserved === hasObserved)
        .map(({ word, className, width, dash }) => (
          <li key={word} className="flex items-center gap-1.5">
            <svg width="24" height="8" aria-hidden className={className}>
              <path d="M0 4h24" strokeWidth={width} strokeDasharray={dash} />
            </svg>
            {word}
          </li>
        ))}
    </ul>
  )
}
