export interface TruncatedProps {
  children: string
  /** Shown on hover and focus; by default the whole text. */
  tooltip?: string | undefined
  /** It is cut before its last signs: names of pods that one owner made differ in nothing else. */
  keepsEnd?: boolean
}

/** As many as Kubernetes adds to the names of what it makes. */
const endLength = 5

/** A text that is cut off where its cell ends. */
export function Truncated({ children, tooltip = children, keepsEnd = false }: TruncatedProps) {
  // Of a short name the part before its end would have no room left, although the whole has.
  if (keepsEnd && children.length > 2 * endLength) {
    return (
      <span
        className="relative block overflow-hidden whitespace-nowrap"
        data-keeps-end=""
        data-tooltip={tooltip}
      >
        {/* Read as one word, and copied once. */}
        <span className="sr-only select-none">{children}</span>
        <span aria-hidden>
          <span className="inline-block max-w-[calc(100%-3.5em)] truncate align-bottom">
            {children.slice(0, -endLength)}
          </span>
          {children.slice(-endLength)}
        </span>
      </span>
    )
  }
  return (
    <span className="block truncate" data-tooltip={tooltip}>
      {children}
    </span>
  )
}
