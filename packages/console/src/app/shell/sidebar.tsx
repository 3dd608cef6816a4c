import { serviceForPath } from '@bey/contract'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { placeholderOrganization } from '../../data/session-store.ts'
import { useCurrentOrganization } from '../../data/session.ts'
import { cx } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { Link } from '../../ui/link.tsx'
import { Mark } from '../../ui/mark.tsx'
import { useOneTabStop } from '../../ui/one-tab-stop.ts'
import { SwitcherSection } from '../switcher/switcher-section.tsx'
import { settingsGroup, settingsKey } from './settings-group.ts'
import { selectedEntryKey, sidebarGroups } from './sidebar-groups.ts'
import { onSidebarSearch } from './sidebar-search.ts'
import { SidebarList } from './sidebar-list.tsx'
import { UserSection } from './user-section.tsx'

export interface SidebarProps {
  path: string
  isCollapsed: boolean
  /** Opens a collapsed sidebar, for its search needs the room. */
  onExpand: () => void
  onNavigate?: () => void
}

/** What is inside the sidebar, on a desk and in the slide-over alike. */
export function Sidebar({ path, isCollapsed, onExpand, onNavigate }: SidebarProps) {
  const [query, setQuery] = useState('')
  const search = useRef<HTMLInputElement>(null)
  const lists = useOneTabStop<HTMLDivElement>('vertical')
  const mustFocus = useRef(false)

  useEffect(
    () =>
      onSidebarSearch(() => {
        mustFocus.current = isCollapsed
        if (isCollapsed) onExpand()
        else search.current?.focus()
      }),
    [isCollapsed, onExpand],
  )
  useEffect(() => {
    if (isCollapsed || !mustFocus.current) return
    mustFocus.current = false
    search.current?.focus()
  }, [isCollapsed])

  // The current entry may be outside the visible part, as in the settings. With the next frame, which lays the
  // page out anyway: asked for now, it would be laid out once more.
  useEffect(() => {
    const frame = requestAnimationFrame(() =>
      lists.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' }),
    )
    return () => cancelAnimationFrame(frame)
  }, [lists, path])

  const service = serviceForPath(path)
  const organization = useCurrentOrganization() ?? placeholderOrganization
  const shownQuery = isCollapsed ? '' : query
  const services = sidebarGroups(shownQuery)
  const settings = settingsGroup(shownQuery)
  const list = {
    path,
    selectedKey: settingsKey(path) ?? selectedEntryKey(services, path),
    isSearching: shownQuery.trim() !== '',
    isCollapsed,
    ...(onNavigate ? { onNavigate } : {}),
  }
  return (
    <div className="group/sidebar flex h-full flex-col" data-tooltip-delay="0" data-sidebar-content="">
      <div className={cx('mx-2 mt-2 flex gap-1', isCollapsed ? 'flex-col' : 'items-center')}>
        <Link
          href="/"
          onClick={onNavigate}
          aria-label={`Bey, ${service.label} ${organization.name}: go to the dashboard`}
          className={cx(
            'flex h-10 min-w-0 items-center gap-2.5 rounded-control hover:bg-hover',
            isCollapsed ? 'justify-center' : 'flex-1 px-1.5',
          )}
        >
          <Mark size={24} />
          {isCollapsed ? null : (
            <span className="min-w-0 leading-4">
              <span className="block truncate font-semibold">{service.label}</span>{' '}
              <span className="block truncate text-small text-text-2">{organization.name}</span>
            </span>
          )}
        </Link>
        <SwitcherSection onNavigate={onNavigate} />
      </div>
      <div className="px-2 pt-2 pb-3">
        {isCollapsed ? (
          <IconButton
            label="Search..."
            data-tooltip-side="right"
            icon={<Search size={16} aria-hidden />}
            onClick={() => {
              mustFocus.current = true
              onExpand()
            }}
          />
        ) : (
          <Input
            ref={search}
            type="search"
            aria-label="Search services"
            placeholder="Search..."
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setQuery('')
            }}
            icon={<Search size={14} aria-hidden />}
            trailing={
              // Elsewhere the same keys open the palette.
              <span className="hidden group-focus-within/sidebar:inline touch:hidden!">
                <KeyHint keys={['Mod', 'K']} />
              </span>
            }
            className="touch:pr-2.5! pr-14! [&::-webkit-search-cancel-button]:hidden"
          />
        )}
      </div>
      <div ref={lists} className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-2 pb-4">
        {services.length === 0 && !settings ? (
          <output className="block px-2 py-3 text-text-3">No results found</output>
        ) : null}
        <nav aria-label="Services" className={services.length === 0 ? 'hidden' : undefined}>
          <SidebarList {...list} groups={services} />
        </nav>
        {settings ? (
          <nav aria-label="Settings">
            <SidebarList {...list} groups={[settings]} />
          </nav>
        ) : null}
      </div>
      <div className="border-t border-line p-2">
        <UserSection isCollapsed={isCollapsed} />
      </div>
    </div>
  )
}
