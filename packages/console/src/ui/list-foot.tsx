import { useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { CopyButton } from './copy-button.tsx'
import { KeyHint } from './key-hint.tsx'

/** Id of the place in the strip at the bottom of the screen that a list may fill. */
export const footId = 'foot'

export interface ListFootProps {
  /** "1–50 of 396"; undefined while that is being read, null where nothing is counted. */
  count: string | null | undefined
  /** Keys of the list, and what they do. */
  keys: readonly { keys: readonly string[]; does: string }[]
  /** The command that shows the same list. */
  command?: string | undefined
}

const never = () => () => undefined

/** What a list says in the strip at the bottom, beside the version: how many rows, which keys, which command. */
export function ListFoot({ count, keys, command }: ListFootProps) {
  // The strip stands outside of the page; it is there as long as the frame is.
  const place = useSyncExternalStore(never, () => document.getElementById(footId))
  // Keys and command stand behind the count: shown before it, they would move when it comes.
  if (!place || count === undefined) return null
  return createPortal(
    <div className="flex min-w-0 items-center gap-4 pl-3 text-text-2">
      {count === null ? null : <span className="whitespace-nowrap tabular-nums">{count}</span>}
      <span className="flex items-center gap-3 max-lg:hidden">
        {keys.map((each) => (
          <span key={each.does} className="flex items-center gap-1 whitespace-nowrap">
            <KeyHint keys={each.keys} /> {each.does}
          </span>
        ))}
      </span>
      {command === undefined ? null : (
        <span className="flex min-w-0 items-center gap-0.5 max-md:hidden">
          <code className="truncate font-mono" data-tooltip={command}>
            {command}
          </code>
          <CopyButton text={command} label="Copy command" />
        </span>
      )}
    </div>,
    place,
  )
}
