import { formatCount } from '../../lib/format.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { keyText } from '../../ui/key-hint.tsx'

export interface ImportBarProps {
  count: number
  disabledReason: string | undefined
  busy: boolean
  onImport: () => void
}

/** At the foot of the page: what will be imported, and the button that does it. */
export function ImportBar({ count, disabledReason, busy, onImport }: ImportBarProps) {
  return (
    <div className="sticky bottom-0 mt-auto flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-bg px-(--gutter) pt-2.5 pb-9 md:pb-2.5">
      <p className="mr-auto basis-full text-text-2 md:basis-auto">
        {count === 0 ? (
          'Nothing is chosen.'
        ) : (
          <>
            Imports <span className="font-medium text-text">{formatCount(count, 'cluster')}</span>, each with
            a run to follow.
          </>
        )}
      </p>
      <ButtonLink href="/kubernetes/clusters">Cancel</ButtonLink>
      <Button variant="primary" disabledReason={disabledReason} busy={busy} onClick={onImport}>
        {count === 0 ? 'Import' : `Import ${formatCount(count, 'cluster')}`}
        {/* In the button's own colour: that of other hints is for the page's ground. */}
        <kbd className="ml-1 hidden rounded-badge border border-current px-1 font-sans text-meta font-normal md:inline">
          {keyText(['Mod', 'Enter'])}
        </kbd>
      </Button>
    </div>
  )
}
