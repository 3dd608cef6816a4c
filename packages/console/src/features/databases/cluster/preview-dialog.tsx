import type { CallInput } from '@bey/contract'
import { useEffect } from 'react'
import { useChange } from '../../../data/use-change.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

/** The object that would be applied, and what the cluster says against it. */
export function PreviewDialog({
  body,
  onClose,
}: {
  body: NonNullable<CallInput<'databases.preview'>['body']>
  onClose: () => void
}) {
  const preview = useChange('databases.preview')
  const { mutate } = preview
  // Asked once, when it is opened: the body is what the form was then.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useEffect(() => mutate({ body }), [])
  const { data, error } = preview
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="What will be applied"
      description="A dry run: nothing is made."
      size="wide"
    >
      {error ? (
        <Notice tone="danger" title="It cannot be shown">
          {causeOf(error)}
        </Notice>
      ) : data === undefined ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        <div className="flex flex-col gap-3">
          {data.problem === null ? (
            <Notice tone="info" title="The cluster accepts it" />
          ) : (
            <Notice tone="warn" title={data.problem} />
          )}
          <CodeBlock label="Cluster as YAML" text={data.yaml} maxHeight="50vh" />
        </div>
      )}
    </Dialog>
  )
}
