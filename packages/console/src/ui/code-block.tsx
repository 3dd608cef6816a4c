import { CopyButton } from './copy-button.tsx'

export interface CodeBlockProps {
  text: string
  /** The accessible name of the block. */
  label: string
  maxHeight?: string
}

/** Text as it is, in the mono face, with a button to copy it. */
export function CodeBlock({ text, label, maxHeight = '24rem' }: CodeBlockProps) {
  return (
    <div className="flex items-start rounded-control border border-line bg-sunken">
      <pre
        // A section would lose the whitespace that pre keeps.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="region"
        aria-label={label}
        // A box that scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        style={{ maxHeight }}
        className="min-w-0 flex-1 overflow-auto p-3 font-mono text-small leading-5"
      >
        {text}
      </pre>
      <div className="p-1">
        <CopyButton text={text} />
      </div>
    </div>
  )
}

export interface IdentifierProps {
  /** An id, image or hash. */
  value: string
  /** Characters kept at each end. */
  keep?: number
  label?: string
}

/** An id truncated in the middle, whole in its tooltip, with copy. */
export function Identifier({ value, keep = 8, label = 'Copy id' }: IdentifierProps) {
  const isShort = value.length <= keep * 2 + 1
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <code className="truncate font-mono text-small" data-tooltip={isShort ? undefined : value}>
        {isShort ? value : `${value.slice(0, keep)}…${value.slice(-keep)}`}
      </code>
      <CopyButton text={value} label={label} />
    </span>
  )
}
