import { useRead } from '../../data/use-read.ts'
import { useListLocation } from '../../lib/list-location.ts'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { resourceListHref } from './resource-text.ts'

/** The others are in the list of views of the page. */
const mostShown = 8

export interface SidebarViewsProps {
  /** Whether the list of resources is the page that is open. */
  isOnPage: boolean
  className: string
  onNavigate?: (() => void) | undefined
}

/** Saved views of resources, below their entry of the sidebar. */
export default function SidebarViews({ isOnPage, className, onNavigate }: SidebarViewsProps) {
  const { data } = useRead('resources.views', {})
  const { q = '' } = useListLocation().search
  return (data?.views ?? []).slice(0, mostShown).map(({ id, name, query }) => {
    const isOpen = isOnPage && query === q
    return (
      <li key={id}>
        <Link
          href={resourceListHref(query)}
          onClick={onNavigate}
          aria-current={isOpen ? 'page' : undefined}
          data-selected={isOpen ? '' : undefined}
          data-tooltip={query}
          data-tooltip-side="right"
          className={cx(
            className,
            isOpen ? 'bg-active font-medium text-text' : 'text-text-2 hover:bg-hover hover:text-text',
          )}
        >
          <span className="truncate">{name}</span>
        </Link>
      </li>
    )
  })
}
