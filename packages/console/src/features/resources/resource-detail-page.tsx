import { type CallOutput, objectOfResourceId, resourceMarkTexts } from '@bey/contract'
import { useParams, useSearch } from '@tanstack/react-router'
import { ExternalLink, Share2 } from 'lucide-react'
import { Suspense } from 'react'
import { useFollow } from '../../data/live.ts'
import { useOrganizationId } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { causeOf } from '../../lib/error-text.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { DetailPage, type DetailTab } from '../../ui/detail-page.tsx'
import { Link } from '../../ui/link.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Neighbours } from './neighbours.tsx'
import { RelationsTab } from './relations-tab.tsx'
import { activitySubject } from './resource-activity.ts'
import { OwnerName, placeText } from './resource-columns.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { CostByDay, ResourceCost } from './resource-cost.tsx'
import { kindLabel, resourceListHref } from './resource-text.ts'
import { TagForm } from './selection-bar.tsx'

const ActivityTable = lazyPart(async () => ({
  default: (await import('../../entities/audit/activity-table.tsx')).ActivityTable,
}))

type Resource = CallOutput<'resources.get'>

/** One resource: what is known of it and by whom, its tags and owner, and what was done to it. */
export function ResourceDetailPage() {
  const { id = '' } = useParams({ strict: false })
  const search: { tab?: unknown } = useSearch({ strict: false })
  const query = useRead('resources.get', { params: { id } }, { refreshMs: 30_000 })
  const { data } = query
  const object = objectOfResourceId(id)
  useFollow(object && { kind: 'cluster_resources', clusterId: object.clusterId })
  usePageTitle(isMissing(query) ? 'Resource not found' : data?.name)
  const command = apiCommand('Read this resource', 'resources.get', { params: { id } }, useOrganizationId())
  usePageCommands([command])
  const relations = useRead(
    'relations.of',
    { query: { id } },
    { refreshMs: 60_000, isEnabled: data !== undefined },
  )
  const related = relations.data ? relations.data.needsTotal + relations.data.neededByTotal : undefined
  const shownTabs = tabs.map((tab) => (tab.id === 'relationships' ? { ...tab, count: related } : tab))
  return (
    <>
      <ListFoot count={null} keys={[]} command={command.bey} />
      <DetailPage
        noun="resource"
        subject={data}
        title={data?.name}
        badges={(shown) => (
          <>
            {shown.health ? <HealthStatus health={shown.health} variant="badge" /> : null}
            <Badge>{kindLabel(shown.kind)}</Badge>
            {shown.tags.map((tag) => (
              <Badge key={tag}>{tag}</Badge>
            ))}
          </>
        )}
        subtitle={(shown) => <DetailLine resource={shown} />}
        actions={(shown) => (
          <>
            <ButtonLink
              href={`/entity-relationships?of=${encodeURIComponent(shown.id)}`}
              icon={<Share2 size={14} aria-hidden />}
            >
              Show in graph
            </ButtonLink>
            <ButtonLink href={shown.href} icon={<ExternalLink size={14} aria-hidden />}>
              Open {kindLabel(shown.kind).toLowerCase()}
            </ButtonLink>
          </>
        )}
        notice={(shown) => {
          const [gap] = shown.gaps
          return gap ? (
            <div className="px-(--gutter) pt-4">
              <Notice tone="warn" title={`Not everything could be read of ${gap.source}`}>
                {gap.reason}
              </Notice>
            </div>
          ) : null
        }}
        tabs={shownTabs}
        tab={typeof search.tab === 'string' ? search.tab : undefined}
        tabHref={(tab) => `/resources/${encodeURIComponent(id)}${tab === undefined ? '' : `?tab=${tab}`}`}
        missing={
          isMissing(query) && {
            title: 'This resource is gone',
            description: causeOf(query.error),
            action: <ButtonLink href="/resources">Open resources</ButtonLink>,
          }
        }
        failure={failureOf('Failed to fetch the resource', query)}
      />
    </>
  )
}

const tabs: readonly DetailTab<Resource>[] = [
  { id: 'overview', label: 'Overview', content: (resource) => <Overview resource={resource} /> },
  { id: 'relationships', label: 'Relationships', content: ({ id }) => <RelationsTab id={id} /> },
  {
    id: 'activity',
    label: 'Activity',
    content: ({ id }) => (
      <Suspense fallback={null}>
        <ActivityTable subject={activitySubject(id)} empty="Changes to it are listed here." />
      </Suspense>
    ),
  },
]

function Overview({ resource }: { resource: Resource }) {
  const { id, cluster, namespace, labels, marks, createdBy, createdAt, asOf } = resource
  const source = cluster && namespace !== null ? cluster.title : 'Bey'
  const entries = Object.entries(labels)
  const facts = [
    { label: 'Owner', value: <OwnerName owner={resource.owner} />, by: 'members' },
    { label: 'Tags', value: resource.tags.join(' ') || '—', by: 'members' },
    {
      label: 'Labels',
      value: entries.length === 0 ? '—' : <Labels entries={entries} />,
      by: source,
    },
    { label: 'Lives in', value: placeText(resource), by: source },
    { label: 'Created', value: <RelativeTime at={createdAt} />, by: createdBy?.name ?? source },
    { label: 'Cost', value: <ResourceCost id={id} />, by: 'ledger' },
    { label: 'Read', value: <RelativeTime at={asOf} />, by: source },
    { label: 'Id', value: <code className="text-small">{id}</code>, by: 'Bey' },
  ]
  return (
    <div className="grid items-start gap-8 px-(--gutter) py-6 xl:grid-cols-[minmax(0,1fr)_24rem]">
      <Neighbours id={id} />
      <div className="flex min-w-0 flex-col gap-8">
        <CostByDay id={id} />
        <RecentActivity id={id} />
        {marks.length > 0 ? (
          <Section title="Found out about it">
            <ul className="divide-y divide-line">
              {marks.map((mark) => (
                <li key={mark} className="py-1.5">
                  <Link href={resourceListHref(`is:${mark}`)} className="font-medium hover:underline">
                    {mark}
                  </Link>{' '}
                  <span className="text-text-2">{resourceMarkTexts[mark]}</span>
                </li>
              ))}
            </ul>
          </Section>
        ) : null}
      </div>
      <Section title="Facts" aside="who says so">
        <dl className="border-t border-line">
          {facts.map(({ label, value, by }) => (
            <div key={label} className="flex items-baseline gap-3 border-b border-line py-1.5">
              <dt className="w-24 shrink-0 text-text-2">{label}</dt>
              <dd className="min-w-0 flex-1 wrap-anywhere">{value}</dd>
              <dd className="shrink-0 text-small text-text-3">{by}</dd>
            </div>
          ))}
        </dl>
        <div className="pt-3">
          <TagForm rows={[resource]} />
        </div>
      </Section>
    </div>
  )
}

function Labels({ entries }: { entries: readonly (readonly [name: string, value: string])[] }) {
  return (
    <ul className="flex flex-col items-start gap-1">
      {entries.map(([name, value]) => (
        <li key={name} className="max-w-full">
          <Badge>{value === '' ? name : `${name}=${value}`}</Badge>
        </li>
      ))}
    </ul>
  )
}

/** Why it is not healthy, and what hangs on it. */
function DetailLine({ resource }: { resource: Resource }) {
  const { data } = useRead('relations.of', { query: { id: resource.id } }, { refreshMs: 60_000 })
  const detail = resource.health?.detail
  const sentence = data?.text ?? (detail ? '' : placeText(resource))
  return (
    <>
      {detail ? (
        <span data-live-color="" className={resource.health?.state === 'failing' ? 'text-danger' : undefined}>
          {`${sentenceCase(detail)}. `}
        </span>
      ) : null}
      {sentence}
    </>
  )
}

const sentenceCase = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, '')
