import { dashboardService, serviceCatalog } from '@bey/contract'
import { useRouter } from '@tanstack/react-router'
import { ArrowLeft, Search } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/input.tsx'
import { Link } from '../../ui/link.tsx'
import { useShownPath } from '../../lib/shown-path.ts'
import { Icon } from '../../entities/icon.tsx'
import { destinations } from './destinations.ts'

/** Other destinations, grouped by service. */
export function NotFoundPage() {
  const [filter, setFilter] = useState('')
  const router = useRouter()
  const path = useShownPath()
  const groups = destinations(
    [dashboardService, ...serviceCatalog.flatMap((group) => group.services)],
    filter,
  )
  return (
    <div data-message="" className="px-(--gutter) py-8">
      <h1 className="text-title font-semibold">Page not found</h1>
      <p className="mt-0.5 text-text-2">
        There is no page at <code className="font-mono text-small break-all text-text">{path}</code>. It may
        have been deleted, or the address may be mistyped.
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          icon={<ArrowLeft size={14} aria-hidden />}
          onClick={() => (canGoBack() ? router.history.back() : void router.navigate({ to: '/' }))}
        >
          Go back
        </Button>
        <div className="w-64">
          <Input
            type="search"
            aria-label="Filter destinations"
            placeholder="Filter destinations..."
            data-filter=""
            icon={<Search size={14} aria-hidden />}
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        </div>
      </div>
      {groups.length === 0 ? (
        <output className="mt-8 block text-text-2">No destination matches “{filter}”.</output>
      ) : (
        <ul className="mt-6 grid max-w-4xl gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-3">
          {groups.map(({ service, routes }) => (
            <li key={service.value}>
              <h2 className="flex items-center gap-2 font-medium">
                <span className="text-text-3">
                  <Icon name={service.icon} />
                </span>
                {service.label}
              </h2>
              <ul className="mt-1 ml-6">
                {routes.map((route) => (
                  <li key={route.path}>
                    <Link
                      href={route.path}
                      className="inline-flex min-h-7 items-center rounded-badge text-text-2 hover:text-accent-text hover:underline"
                    >
                      {route.label}
                    </Link>
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** Whether there is a page before this one in the tab. The router only knows those since the page was loaded. */
function canGoBack(): boolean {
  // The Navigation API knows whether the previous page belongs to the console; history.length does not.
  return 'navigation' in window ? window.navigation.canGoBack : history.length > 1
}
