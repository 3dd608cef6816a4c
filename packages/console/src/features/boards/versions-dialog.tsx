import { actorText } from '@bey/contract'
import type { Board } from '../../data/boards.ts'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { errorText } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** The kept versions of a board. Restoring one makes it the newest; nothing is lost by it. */
export function VersionsDialog({
  board,
  denied,
  onClose,
}: {
  board: Board
  denied: string | undefined
  onClose: () => void
}) {
  const query = useRead('boards.versions', { params: { id: board.id } })
  const restore = useChange('boards.restore')
  const failure = failureOf('Failed to read the versions', query)
  const refusal = restore.error ? errorText('The version was not restored', restore.error) : undefined
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Versions of "${board.name}"`}
      description="The 50 newest are kept."
    >
      {failure ? <ErrorState {...failure} isCompact /> : null}
      {refusal ? (
        <Notice tone="danger" title={refusal.title}>
          {refusal.detail}
        </Notice>
      ) : null}
      <ul className="max-h-96 overflow-auto">
        {query.data?.versions.map(({ version, panelCount, at, by, name }) => (
          <li key={version} className="flex items-center gap-3 border-t border-line py-2 first:border-0">
            <span className="min-w-0 flex-1">
              <span className="font-medium">Version {version}</span> {name === board.name ? '' : `"${name}"`}
              <span className="block text-small text-text-2">
                {formatCount(panelCount, 'panel')}, <RelativeTime at={at} /> by {actorText(by)}
              </span>
            </span>
            {version === board.version ? (
              <span className="text-small text-text-3">current</span>
            ) : (
              <Button
                size="small"
                disabledReason={denied}
                busy={restore.isPending && restore.variables.body.version === version}
                onClick={() =>
                  restore.mutate({ params: { id: board.id }, body: { version } }, { onSuccess: onClose })
                }
              >
                Restore
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
