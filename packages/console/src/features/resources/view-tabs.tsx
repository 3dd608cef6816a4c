import { type CallOutput, resourceMarkTexts, type ResourceView } from '@bey/contract'
import { Trash2 } from 'lucide-react'
import { useChange } from '../../data/use-change.ts'
import { useRead } from '../../data/use-read.ts'
import { toastCause } from '../../lib/error-text.ts'
import { formatNumber } from '../../lib/format.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.ts'
import { resourceListHref } from './resource-text.ts'

export interface ViewTabsProps {
  query: string
  answer: CallOutput<'resources.list'> | undefined
}

const labels = {
  failing: 'Failing',
  orphaned: 'Orphaned',
  untagged: 'Untagged',
  unowned: 'Without owner',
  stale: 'Stale',
  oversized: 'Oversized',
  exposed: 'Exposed',
} as const satisfies Record<keyof typeof resourceMarkTexts, string>

/** Ready views with their counts, then those that people saved. What the open one means is said below them. */
export function ViewTabs({ query, answer }: ViewTabsProps) {
  const { data, isPending } = useRead('resources.views', {})
  const views = data?.views ?? []
  const ready = (answer?.marks ?? []).map(({ mark, count }) => ({
    query: `is:${mark}`,
    label: labels[mark],
    count,
    about: resourceMarkTexts[mark],
  }))
  const saved = views.find((view) => view.query === query)
  const open = ready.find((view) => view.query === query)
  const isOther = query !== '' && query !== 'owner:me' && !saved && !open
  const tabs = [
    { query: '', label: 'All', count: answer?.of },
    // Those behind the first stand where the counts before them leave them, so they wait for these.
    ...(answer && !isPending
      ? [
          ...(isOther ? [{ query, label: 'This query', count: answer.total }] : []),
          ...ready,
          { query: 'owner:me', label: 'Mine', count: undefined },
          ...views.map((view) => ({ query: view.query, label: view.name, count: undefined })),
        ]
      : []),
  ]
  return (
    <>
      <Tabs
        label="Views"
        tabs={tabs.map((view, index) => ({
          href: resourceListHref(view.query),
          label: view.label,
          ...(view.count !== undefined && { count: formatNumber(view.count) }),
          isCurrent: view.query === query && tabs.findIndex((each) => each.query === query) === index,
        }))}
      />
      {open ? <p className="border-t border-line py-1.5 text-small text-text-2">{open.about}</p> : null}
      {saved ? <SavedView view={saved} /> : null}
    </>
  )
}

function SavedView({ view }: { view: ResourceView }) {
  const remove = useChange('resources.deleteView')
  const { id, name, isShared, isOwn, createdBy } = view
  return (
    <p className="flex min-h-8 items-center gap-2 border-t border-line text-small text-text-2">
      {isShared
        ? `Shared by ${isOwn ? 'you' : (createdBy?.name ?? 'a former member')}`
        : 'Saved for you alone'}
      {isOwn ? (
        <IconButton
          size="small"
          label={`Delete the view ${name}`}
          icon={<Trash2 size={14} aria-hidden />}
          onClick={() =>
            remove.mutate(
              { params: { id } },
              { onError: (error) => toast('error', 'Failed to delete the view', toastCause(error)) },
            )
          }
        />
      ) : null}
    </p>
  )
}
