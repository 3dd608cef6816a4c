import { TriangleAlert } from 'lucide-react'
import { Suspense } from 'react'
import { useVersions } from '../../data/version.ts'
import { useSettled } from '../../data/use-settled.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { footId } from '../../ui/list-foot.tsx'

const VersionDetails = lazyPart(() => import('./version-details.tsx'))

/** The small badge at the bottom right, in a strip of its own so that it never covers anything. */
export function VersionBadge() {
  const isSettled = useSettled()
  // Nobody waits for what runs on the server.
  const { client, isMismatch } = useVersions({ asksServer: isSettled })
  const version = `v${client?.version ?? '…'}`
  return (
    <footer className="flex h-7 shrink-0 items-center justify-end gap-2 px-3 text-meta text-text-3 tabular-nums">
      <div id={footId} className="mr-auto min-w-0" />
      {isMismatch ? (
        <output className="flex min-w-0 items-center gap-1 text-warn">
          <TriangleAlert size={12} aria-hidden className="shrink-0" />
          <span className="truncate">Client/Server version mismatch detected</span>
          <button type="button" className="px-1 font-medium underline" onClick={() => location.reload()}>
            Reload
          </button>
        </output>
      ) : null}
      {isSettled ? (
        <Suspense fallback={version}>
          <VersionDetails>{version}</VersionDetails>
        </Suspense>
      ) : (
        version
      )}
    </footer>
  )
}
