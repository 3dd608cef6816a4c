import { ChevronRight } from 'lucide-react'
import { Suspense, useState } from 'react'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { Icon } from '../../entities/icon.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'
import { selectedRoute } from './sidebar-groups.ts'
import type { SidebarEntry, SidebarGroup } from './sidebar-groups.ts'

// Read once the entry of the resources is open: it costs a request.
const SidebarViews = lazyPart(() => import('../../features/resources/sidebar-views.tsx'))

export interface SidebarListProps {
  groups: readonly SidebarGroup[]
  path: string
  /** Of the entry that the path belongs to, where it is one of these. */
  selectedKey: string | undefined
  /** Everything found is shown open. */
  isSearching: boolean
  /** Icons only. */
  isCollapsed: boolean
  /** Called when a link was followed, so that a slide-over can close. */
  onNavigate?: () => void
}

const rowClass =
  'flex h-7 w-full items-center gap-2.5 rounded-control px-2 text-left transition-colors duration-75 touch:h-10'

export function SidebarList(props: SidebarListProps) {
  const { groups, path, selectedKey, isSearching, isCollapsed, onNavigate } = props
  // Services that the user opened or closed; the selected service is open by default.
  const [opened, setOpened] = useState<Readonly<Record<string, boolean>>>({})

  return (
    <ul className="flex flex-col gap-4">
      {groups.map((group) => (
        <li key={group.name}>
          {group.name && !isCollapsed ? (
            <h2 className="mb-1 px-2 text-small font-medium text-text-3">{group.name}</h2>
          ) : null}
          {group.name && isCollapsed ? <div className="mx-1 -mt-2 mb-2 border-t border-line" /> : null}
          <ul className="flex flex-col gap-px">
            {group.entries.map((entry) => (
              <li key={entry.key}>
                <Entry
                  entry={entry}
                  path={path}
                  isSelected={entry.key === selectedKey}
                  isOpen={isSearching || (opened[entry.key] ?? entry.key === selectedKey)}
                  isCollapsed={isCollapsed}
                  onToggle={(isOpen) => setOpened({ ...opened, [entry.key]: isOpen })}
                  onNavigate={onNavigate}
                />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

interface EntryProps {
  entry: SidebarEntry
  path: string
  isSelected: boolean
  isOpen: boolean
  isCollapsed: boolean
  onToggle: (isOpen: boolean) => void
  onNavigate: (() => void) | undefined
}

function Entry({ entry, path, isSelected, isOpen, isCollapsed, onToggle, onNavigate }: EntryProps) {
  const { service, routes } = entry
  const firstPath = service.routes?.[0]?.path ?? `/${service.value}`
  if (isCollapsed) {
    return (
      <Link
        href={firstPath}
        onClick={onNavigate}
        aria-label={service.label}
        aria-current={isSelected && path === firstPath ? 'page' : undefined}
        data-selected={isSelected ? '' : undefined}
        data-tooltip={service.label}
        data-tooltip-side="right"
        className={cx(
          rowClass,
          isSelected ? 'bg-active text-text' : 'text-text-2 hover:bg-hover hover:text-text',
        )}
      >
        <Icon name={service.icon} />
      </Link>
    )
  }
  if ((service.routes?.length ?? 0) <= 1) {
    return (
      <Link
        href={firstPath}
        onClick={onNavigate}
        aria-current={isSelected && path === firstPath ? 'page' : undefined}
        data-selected={isSelected ? '' : undefined}
        className={cx(
          rowClass,
          isSelected ? 'bg-active font-medium text-text' : 'text-text-2 hover:bg-hover hover:text-text',
        )}
      >
        <Icon name={service.icon} />
        <span className="truncate">{service.label}</span>
      </Link>
    )
  }
  const current = isSelected ? selectedRoute(service, path) : undefined
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => onToggle(!isOpen)}
        className={cx(
          rowClass,
          isSelected ? 'font-medium text-text' : 'text-text-2',
          'hover:bg-hover hover:text-text',
        )}
      >
        <Icon name={service.icon} />
        <span className="min-w-0 flex-1 truncate">{service.label}</span>
        <ChevronRight
          size={14}
          aria-hidden
          className={cx('text-text-3 transition-transform duration-75', isOpen && 'rotate-90')}
        />
      </button>
      {isOpen ? (
        <ul className="mt-px ml-[15px] flex flex-col gap-px border-l border-line pl-2.5">
          {routes.map((route) => (
            <li key={route.path}>
              <Link
                href={route.path}
                onClick={onNavigate}
                aria-current={route === current && path === route.path ? 'page' : undefined}
                data-selected={route === current ? '' : undefined}
                className={cx(
                  rowClass,
                  route === current
                    ? 'bg-active font-medium text-text'
                    : 'text-text-2 hover:bg-hover hover:text-text',
                )}
              >
                <span className="truncate">{route.label}</span>
              </Link>
            </li>
          ))}
          {service.value === 'resources' ? (
            <Suspense fallback={null}>
              <SidebarViews
                isOnPage={current?.path === firstPath}
                className={cx(rowClass, 'pl-5')}
                onNavigate={onNavigate}
              />
            </Suspense>
          ) : null}
        </ul>
      ) : null}
    </>
  )
}
