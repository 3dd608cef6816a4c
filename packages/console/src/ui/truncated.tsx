export interface TruncatedProps {
  children: string
  /** Shown on hover and focus; by default the whole text. */
  tooltip?: string | undefined
}

/** A text that is cut off where its cell ends. */
export function Truncated({ children, tooltip = children }: TruncatedProps) {
  return (
    <span className="block truncate" data-tooltip={tooltip}>
      {children}
    </span>
  )
}
