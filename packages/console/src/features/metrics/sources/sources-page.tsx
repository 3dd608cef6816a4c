import type { MetricSource } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useOrganizationId, useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { useChange } from '../../../data/use-change.ts'
import { useRead } from '../../../data/use-read.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { apiCommand, usePageCommands } from '../../../lib/page-commands.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import { SourceSection } from './source-section.tsx'

const SourceDialog = lazyPart(async () => ({
  default: (await import('./source-dialog.tsx')).SourceDialog,
}))

type Opened = { kind: 'create' } | { kind: 'change' | 'delete'; source: MetricSource }

/** Prometheus-compatible stores that charts, boards and alerts can read besides Bey's own metrics. */
export function SourcesPage() {
  const list = useRead('metrics.sources.list', {})
  const failure = failureOf('Failed to fetch data sources', list)
  const [opened, setOpened] = useState<Opened>()
  const stale = useStaleReason()
  const role = useRole()
  const denied = stale ?? deniedReason(role, 'metrics.sources')
  usePageCommands([apiCommand('List data sources', 'metrics.sources.list', {}, useOrganizationId())])
  const close = () => setOpened(undefined)
  return (
    <>
      <PageHeader
        title="Data sources"
        description="Prometheus-compatible stores that the metrics explorer, boards and alerts can read."
        actions={
          <Button
            variant="primary"
            icon={<Plus size={14} aria-hidden />}
            disabledReason={denied}
            onClick={() => setOpened({ kind: 'create' })}
          >
            Add data source
          </Button>
        }
      />
      <div className="flex max-w-3xl flex-col gap-8 px-(--gutter) py-6">
        {failure ? <ErrorState {...failure} /> : null}
        {list.data?.sources.map((source) => (
          <SourceSection
            key={source.id}
            source={source}
            disabledReason={denied}
            onChange={() => setOpened({ kind: 'change', source })}
            onDelete={() => setOpened({ kind: 'delete', source })}
          />
        ))}
        {list.data?.sources.length === 0 ? (
          <EmptyState
            title="No data source yet"
            description="Add the Prometheus of a cluster, or any store with its HTTP API. Its metrics then stand beside those that Bey measures."
          />
        ) : null}
        {list.data === undefined && failure === undefined ? (
          <DelayedSkeleton>
            <Skeleton className="h-40 w-full" />
          </DelayedSkeleton>
        ) : null}
      </div>
      <Suspense fallback={null}>
        {opened && opened.kind !== 'delete' ? (
          <SourceDialog source={opened.kind === 'change' ? opened.source : undefined} onClose={close} />
        ) : null}
      </Suspense>
      {opened?.kind === 'delete' ? <DeleteSourceDialog source={opened.source} onClose={close} /> : null}
    </>
  )
}

function DeleteSourceDialog({ source, onClose }: { source: MetricSource; onClose: () => void }) {
  const remove = useChange('metrics.sources.delete')
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Delete this data source?"
      name={source.name}
      impactTitle="The store and what is in it stay as they are. Bey removes:"
      impact={['How it is reached', 'The values of board panels that read it']}
      action="Delete data source"
      busy={remove.isPending}
      error={remove.error ? causeOf(remove.error) : undefined}
      onConfirm={() => remove.mutate({ params: { id: source.id } }, { onSuccess: onClose })}
    />
  )
}
