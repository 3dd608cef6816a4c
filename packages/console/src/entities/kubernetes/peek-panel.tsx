import type { ObjectDetail } from '@bey/contract'
import { noNamespace, objectPath } from '@bey/contract'
import { Maximize2, X } from 'lucide-react'
import { useEffect } from 'react'
import { useObject } from '../../data/kubernetes.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { at, text } from './panels/fields.ts'
import { panelParts } from './panels/panel-registry.ts'
import { PanelPartView } from './panels/panel-view.tsx'
import type { PeekAddress } from './peek-address.ts'
import { tabOfKey } from './row-tab-keys.ts'
import { VolumeUsageSection } from './volumes/volume-usage-section.tsx'
import { useListedKeys } from '../../ui/shown-keys.ts'

const shownEvents = 3

export interface PeekPanelProps {
  cluster: { id: number; title: string }
  address: PeekAddress
  onClose: () => void
}

/** An object beside its list. It takes no focus: the list keeps it, and another row shows another object. */
export function PeekPanel({ cluster, address, onClose }: PeekPanelProps) {
  const { resource, namespace, name } = address
  const query = useObject({ id: cluster.id, resource, namespace: namespace || noNamespace, name })
  const failure = failureOf('Failed to fetch the object', query)
  const path = (tab?: string) => objectPath({ clusterId: cluster.id, ...address }, tab)
  useEscape(onClose)
  return (
    <aside
      aria-label={name}
      className="flex w-96 shrink-0 flex-col border-l border-line bg-bg max-md:fixed max-md:inset-0 max-md:z-40 max-md:w-full"
    >
      <header className="border-b border-line px-4 pt-3 pb-3">
        <div className="flex items-start justify-between gap-2">
          <h2 className="min-w-0 text-lead font-semibold break-all">
            {name} <CopyButton text={name} label="Copy name" />
          </h2>
          <div className="-mr-1 flex shrink-0">
            <ButtonLink size="small" variant="ghost" href={path()} aria-label="Open the page">
              <Maximize2 size={14} aria-hidden />
            </ButtonLink>
            <IconButton label="Close" size="small" icon={<X size={16} aria-hidden />} onClick={onClose} />
          </div>
        </div>
        <p className="min-h-4 text-small text-text-2">
          {query.data ? <PeekLine detail={query.data} /> : null}
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          {(['l', 't', 'e'] as const).map((key) => {
            const tab = tabOfKey(key, resource)
            return tab ? (
              <ButtonLink key={key} size="small" href={path(tab)}>
                {tabLabels[key]} <KeyHint keys={[key]} />
              </ButtonLink>
            ) : null
          })}
        </div>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {failure ? <ErrorState {...failure} isCompact /> : null}
        {query.data ? (
          <PeekBody cluster={cluster} address={address} detail={query.data} path={path} />
        ) : failure ? null : (
          <DelayedSkeleton>
            <span className="grid gap-4 p-4">
              <Skeleton className="h-16" />
              <Skeleton className="h-24" />
            </span>
          </DelayedSkeleton>
        )}
      </div>
      <footer className="flex shrink-0 flex-wrap gap-x-3 gap-y-1 border-t border-line px-4 py-2 text-small text-text-2 max-md:hidden">
        <span className="flex items-center gap-1">
          <KeyHint keys={['j']} />
          <KeyHint keys={['k']} /> next row
        </span>
        <span className="flex items-center gap-1">
          <KeyHint keys={['Enter']} /> open page
        </span>
        <span className="flex items-center gap-1">
          <KeyHint keys={['Escape']} /> close
        </span>
      </footer>
    </aside>
  )
}

const tabLabels = { l: 'Logs', t: 'Terminal', e: 'YAML' } as const

function PeekLine({ detail }: { detail: ObjectDetail }) {
  const namespace = text(at(detail.object, 'metadata', 'namespace'))
  const node = text(at(detail.object, 'spec', 'nodeName'))
  return (
    <>
      {detail.resource.kind}
      {namespace ? ` in ${namespace}` : ''}
      {node ? ` on ${node}` : ''}
      {', created '}
      <RelativeTime at={text(at(detail.object, 'metadata', 'creationTimestamp'))} />
    </>
  )
}

function PeekBody({
  cluster,
  address,
  detail,
  path,
}: {
  cluster: PeekPanelProps['cluster']
  address: PeekAddress
  detail: ObjectDetail
  path: (tab?: string) => string
}) {
  const { health, events } = detail
  const hasTrouble = health?.state === 'failing' || health?.state === 'degraded'
  const parts = panelParts(address.resource, detail.object)
  return (
    <>
      {hasTrouble ? (
        <div className="border-b border-line [&>div]:rounded-none">
          <Notice tone={health.state === 'failing' ? 'danger' : 'warn'} title={health.reason ?? health.state}>
            {health.detail ? `${health.detail}. ` : ''}
            <Link href={path()} className="rounded-badge underline underline-offset-2">
              Why, and what to do
            </Link>
          </Notice>
        </div>
      ) : null}
      <div className="grid gap-6 p-4">
        {detail.usage ? <VolumeUsageSection usage={detail.usage} /> : null}
        {parts.map((part) => (
          <PanelPartView
            key={part.title}
            part={{ ...part, isAside: false }}
            subject={{ cluster, namespace: address.namespace, name: address.name }}
          />
        ))}
        {events.length > 0 ? (
          <Section
            title="Events"
            aside={
              <Link href={path('events')} className="rounded-badge underline underline-offset-2">
                All {events.length}
              </Link>
            }
          >
            <ul className="grid gap-2">
              {events.slice(0, shownEvents).map((event) => (
                <li key={event.uid} className="flex items-start gap-2">
                  <span className={event.type === 'Warning' ? 'pt-1 text-warn' : 'pt-1 text-text-3'}>
                    <StatusMark glyph={event.type === 'Warning' ? 'triangle' : 'dot'} />
                  </span>
                  <span className="min-w-0 flex-1 break-words">
                    <span className="font-medium">{event.reason}</span>{' '}
                    <span className="text-text-2">{event.message}</span>
                    <span className="block text-small text-text-3">
                      {formatCount(event.count, 'time')}, <RelativeTime at={event.lastSeenAt} />
                    </span>
                  </span>
                </li>
              ))}
            </ul>
          </Section>
        ) : null}
      </div>
    </>
  )
}

const closeKey = [{ keys: ['Escape'], does: 'Close it' }]

/** Esc closes what lies beside the list, unless a layer above it takes the key. */
function useEscape(onClose: () => void) {
  useListedKeys('Drawer', closeKey)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (document.querySelector('[role="dialog"],[role="menu"]')) return
      event.preventDefault()
      onClose()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [onClose])
}
