import { serviceForPath } from '@bey/contract'
import { Search } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/class-names.ts'
import { Input } from '../../ui/input.tsx'
import { Link } from '../../ui/link.tsx'
import { useShownPath } from '../../lib/shown-path.ts'
import { Icon } from '../../entities/icon.tsx'
import { choosable, switcherGroups } from './switcher-entries.ts'
import type { SwitcherEntry, SwitcherGroup } from './switcher-entries.ts'

/** Every service with what it is for; Enter takes the first match, arrow keys another. */
export function SwitcherPanel({ onGo, onLeave }: { onGo: (path: string) => void; onLeave: () => void }) {
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const selected = serviceForPath(useShownPath()).value
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const groups = switcherGroups(query)
  const options = choosable(groups)
  const current = options[Math.min(active, options.length - 1)]

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current?.key])
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && options.length > 0) {
      const at = current ? options.findIndex((each) => each.key === current.key) : 0
      setActive((at + step + options.length) % options.length)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing && current) onGo(current.path)
    else return
    event.preventDefault()
  }
  const point = (entry: SwitcherEntry) => {
    const at = options.findIndex((each) => each.key === entry.key)
    if (at >= 0) setActive(at)
  }
  return (
    <div className="w-[min(44rem,calc(100vw-2.5rem))]">
      <Input
        type="search"
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input that has a list
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={current ? idOf(id, current.key) : undefined}
        aria-label="Search services"
        placeholder="Search services..."
        autoComplete="off"
        icon={<Search size={14} aria-hidden />}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKey}
        className="[&::-webkit-search-cancel-button]:hidden"
      />
      {groups.length === 0 ? <output className="block px-2 py-6 text-text-2">No results found</output> : null}
      <div
        id={id}
        ref={list}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native list shows no icons and descriptions
        role="listbox"
        aria-label="Services"
        tabIndex={-1}
        className={cx('mt-2 max-h-[min(40rem,70dvh)] overflow-y-auto', groups.length === 0 && 'hidden')}
      >
        <div role="presentation" className="gap-x-4 sm:columns-2">
          {groups.map((group) => (
            <Group
              key={group.name}
              group={group}
              id={id}
              activeKey={current?.key}
              selected={selected}
              onPoint={point}
              onLeave={onLeave}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

// Names of groups hold blanks, which separate ids where they are referred to.
const idOf = (id: string, key: string) => `${id}-${key.replace(/\W+/g, '-')}`

interface GroupProps {
  group: SwitcherGroup
  id: string
  activeKey: string | undefined
  selected: string
  onPoint: (entry: SwitcherEntry) => void
  onLeave: () => void
}

function Group({ group, id, activeKey, selected, onPoint, onLeave }: GroupProps) {
  const headingId = idOf(id, `group ${group.name}`)
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as the list
      role="group"
      {...(group.name ? { 'aria-labelledby': headingId } : { 'aria-label': 'Dashboard' })}
      className={cx('pb-3', group.name ? 'break-inside-avoid' : '[column-span:all]')}
    >
      {group.name ? (
        <div id={headingId} role="presentation" className="px-2 pb-1 text-small font-medium text-text-3">
          {group.name}
        </div>
      ) : null}
      {group.entries.map((entry) => (
        <Entry
          key={entry.key}
          entry={entry}
          id={idOf(id, entry.key)}
          isActive={entry.key === activeKey}
          isSelected={entry.service.value === selected}
          onPoint={() => onPoint(entry)}
          onLeave={onLeave}
        />
      ))}
    </div>
  )
}

interface EntryProps {
  entry: SwitcherEntry
  id: string
  isActive: boolean
  isSelected: boolean
  onPoint: () => void
  /** Its link was followed. */
  onLeave: () => void
}

function Entry({ entry, id, isActive, isSelected, onPoint, onLeave }: EntryProps) {
  const { service, path, needs } = entry
  const option = {
    id,
    role: 'option',
    tabIndex: -1,
    'aria-selected': isActive,
    'aria-current': isSelected,
    onPointerMove: onPoint,
    // The search keeps the focus.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    className: cx(
      'flex gap-2.5 rounded-control px-2 py-1.5',
      path === undefined ? 'cursor-not-allowed' : 'cursor-pointer',
      isActive && 'bg-active',
    ),
  }
  const content = (
    <>
      <span className={cx('mt-0.5', path === undefined ? 'text-text-3 opacity-60' : 'text-text-2')}>
        <Icon name={service.icon} />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-2">
          <span className={cx('font-medium', path === undefined && 'text-text-3')}>{service.label}</span>
          {path === undefined ? <Badge>Coming Soon</Badge> : null}
        </span>
        <span
          className={cx('block text-small break-words', path === undefined ? 'text-text-3' : 'text-text-2')}
        >
          {service.description}
        </span>
        {path === undefined && needs.length > 0 ? (
          <span className="block text-small text-text-3">Depends on {needs.join(', ')}</span>
        ) : null}
      </span>
    </>
  )
  if (path === undefined) {
    return (
      <div {...option} aria-disabled>
        {content}
      </div>
    )
  }
  return (
    <Link {...option} href={path} onClick={onLeave}>
      {content}
    </Link>
  )
}
