import { CopyButton } from '../../../ui/copy-button.tsx'

/** The line that does the same from a shell, whole: what it does must be read and not scrolled to. */
export function KubectlPreview({ line }: { line: string }) {
  return (
    <div className="grid min-w-0 gap-1.5">
      <p className="text-small text-text-2">The same with kubectl</p>
      <div className="flex items-start rounded-control border border-line bg-sunken">
        <pre
          // A section would lose the whitespace that pre keeps.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="region"
          aria-label="The same with kubectl"
          // A box that scrolls must be reachable by keyboard.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          className="max-h-32 min-w-0 flex-1 overflow-y-auto p-3 font-mono text-small leading-5 break-words whitespace-pre-wrap"
        >
          {line}
        </pre>
        <div className="p-1">
          <CopyButton text={line} />
        </div>
      </div>
    </div>
  )
}
