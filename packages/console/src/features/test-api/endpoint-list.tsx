import type { ApiOperation } from '../../data/api-reference.ts'
import { formatCount } from '../../lib/format.ts'
import { cx } from '../../ui/class-names.ts'
import { FilterInput } from '../../ui/filter-input.tsx'
import { Link } from '../../ui/link.tsx'
import type { ApiLocation } from './api-location.ts'
import { endpointHref } from './api-location.ts'
import { Method } from './method.tsx'

/** Every endpoint by the noun it belongs to, found by name, path, summary and permission. */
export function EndpointList({
  operations,
  apiLocation,
}: {
  operations: readonly ApiOperation[]
  apiLocation: ApiLocation
}) {
  const needle = apiLocation.filter.toLowerCase()
  const found = operations.filter((each) =>
    `${each.operationId} ${each.method} ${each.path} ${each.summary} ${each.access}`
      .toLowerCase()
      .includes(needle),
  )
  const groups = Map.groupBy(found, (each) => each.group)
  return (
    <nav aria-label="Endpoints" className="flex flex-col gap-3">
      <div className="[&>div]:sm:w-full">
        <FilterInput label="Filter endpoints" value={apiLocation.filter} onChange={apiLocation.setFilter} />
      </div>
      <p className="text-small text-text-3">
        {found.length === 0
          ? `No endpoint matches "${apiLocation.filter}".`
          : formatCount(found.length, 'endpoint')}
      </p>
      {[...groups].map(([group, members]) => (
        <div key={group}>
          <h2 className="px-2 pb-1 text-small font-medium text-text-2">{group}</h2>
          <ul>
            {members.map((each) => (
              <li key={each.operationId}>
                <Link
                  href={endpointHref(each.operationId, apiLocation.filter)}
                  aria-current={each.operationId === apiLocation.endpoint ? 'page' : undefined}
                  data-tooltip={each.summary}
                  className={cx(
                    'flex min-h-7 items-center gap-1 rounded-control px-2 hover:bg-hover touch:min-h-9',
                    each.operationId === apiLocation.endpoint && 'bg-active font-medium',
                  )}
                >
                  <Method method={each.method} />
                  <span className="min-w-0 truncate">{each.operationId.replace(`${group}.`, '')}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
