import { ChevronRight } from 'lucide-react'
import { Link } from '../../ui/link.tsx'
import { useCrumbs } from '../page-identity.ts'

export function Breadcrumbs() {
  const crumbs = useCrumbs()
  return (
    // Its names give way before the tools beside it do.
    <nav aria-label="Breadcrumb" className="min-w-0 shrink-999">
      <ol className="flex min-w-0 items-center gap-1.5">
        {crumbs.map((crumb, index) => {
          const isLast = index === crumbs.length - 1
          return (
            <li
              key={`${crumb.label}-${index}`}
              className={
                isLast ? 'flex min-w-0 items-center gap-1.5' : 'hidden min-w-0 items-center gap-1.5 sm:flex'
              }
            >
              {index > 0 ? (
                <ChevronRight size={14} aria-hidden className="hidden shrink-0 text-text-3 sm:block" />
              ) : null}
              {isLast ? (
                <span aria-current="page" className="truncate font-medium">
                  {crumb.label}
                </span>
              ) : crumb.href ? (
                <Link
                  href={crumb.href}
                  className="truncate rounded-badge text-text-2 hover:text-text hover:underline"
                >
                  {crumb.label}
                </Link>
              ) : (
                <span className="text-text-2">{crumb.label}</span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
