import { useSearch } from '@tanstack/react-router'
import { useRead } from '../../../data/use-read.ts'
import { useChangeSearch } from '../../../lib/change-search.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatCount } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Link } from '../../../ui/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Select } from '../../../ui/select.tsx'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import { clockTime } from '../../../ui/time-text.ts'

const words: Readonly<Record<string, string>> = {
  o: 'open',
  c: 'closed',
  p: 'partly open',
  u: 'not known',
}

/** Who reaches whom, a row for who begins and a column for what is reached; each cell leads to its way. */
export function MatrixView({ clusterId }: { clusterId: number }) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const changeSearch = useChangeSearch()
  const by = search['by'] === 'namespace' ? 'namespace' : 'workload'
  const namespace = typeof search['namespace'] === 'string' ? search['namespace'] : undefined
  const query = useRead(
    'networks.reachability.matrix',
    { params: { id: clusterId }, query: { by, ...(namespace !== undefined && { namespace }) } },
    { refreshMs: 10_000 },
  )
  const all = useRead('networks.reachability.matrix', { params: { id: clusterId }, query: {} }).data
  const failure = failureOf('Failed to work out who reaches whom', query)
  const namespaces = [...new Set((all?.rows ?? []).flatMap((row) => row.namespace ?? []))].toSorted((a, b) =>
    a.localeCompare(b),
  )
  return (
    <>
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-(--gutter) py-2">
        <Segmented
          label="Grouped by"
          options={[
            { value: 'workload', label: 'Workloads' },
            { value: 'namespace', label: 'Namespaces' },
          ]}
          value={by}
          onChange={(value) => changeSearch({ by: value === 'workload' ? '' : value })}
        />
        <Select
          aria-label="Namespace"
          controlSize="small"
          className="max-w-60"
          value={namespace ?? ''}
          options={[
            { value: '', label: 'All namespaces' },
            ...namespaces.map((value) => ({ value, label: value })),
          ]}
          onChange={(event) => changeSearch({ namespace: event.target.value })}
        />
        <ul aria-label="Legend" className="ml-auto flex flex-wrap gap-x-4 text-small text-text-2">
          {(['o', 'p', 'c', 'u'] as const).map((cell) => (
            <li key={cell} className="flex items-center gap-1.5">
              <Mark cell={cell} /> {words[cell]}
            </li>
          ))}
        </ul>
      </div>
      {failure ? (
        <ErrorState {...failure} />
      ) : query.data === undefined ? (
        <DelayedSkeleton>
          <Skeleton className="m-(--gutter) h-64" />
        </DelayedSkeleton>
      ) : query.data.rows.length === 0 || query.data.columns.length === 0 ? (
        <NothingToReach doubt={query.data.doubt} />
      ) : (
        <Matrix clusterId={clusterId} matrix={query.data} />
      )}
    </>
  )
}

/** A cluster without ports to reach, or of which nothing is known. */
function NothingToReach({ doubt }: { doubt: string | null }) {
  if (doubt !== null)
    return (
      <div className="px-(--gutter) pt-4">
        <Notice tone="warn" title={doubt}>
          Who reaches whom is worked out as soon as the cluster is read.
        </Notice>
      </div>
    )
  return (
    <EmptyState
      title="Nothing to reach"
      description="A column is a port that a pod declares or that a service leads to, and there is none here."
    />
  )
}

type MatrixData = NonNullable<ReturnType<typeof useRead<'networks.reachability.matrix'>>['data']>

function Matrix({ clusterId, matrix }: { clusterId: number; matrix: MatrixData }) {
  const { rows, columns, cells, totalRows, totalColumns, policies, asOf, doubt } = matrix
  const cut = totalRows > rows.length || totalColumns > columns.length
  return (
    <div className="px-(--gutter) py-4">
      {doubt === null ? null : (
        <div className="mb-4">
          <Notice tone="warn" title={doubt} />
        </div>
      )}
      <section
        // A box that scrolls must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label="Matrix"
        className="max-h-[70vh] overflow-auto"
      >
        <table className="border-separate border-spacing-0 text-small">
          <caption className="sr-only">From the row to the column</caption>
          <thead>
            <tr>
              <th
                scope="col"
                className="sticky top-0 left-0 z-20 bg-bg pr-4 text-left align-bottom font-medium"
              >
                From row to column
              </th>
              {columns.map(({ id, name, namespace, port, protocol }) => (
                <th
                  key={`${id} ${port} ${protocol}`}
                  scope="col"
                  className="sticky top-0 z-10 w-16 max-w-20 min-w-16 border-b border-line-strong bg-bg px-1 pb-1.5 text-center align-bottom font-medium"
                  title={`${namespace ?? ''} ${name} ${protocol} ${port}`}
                >
                  <span className="block truncate">{name}</span>
                  <span className="block font-normal text-text-2 tabular-nums">
                    {port === 0 ? 'any' : port}
                    {protocol === 'TCP' ? '' : ` ${protocol}`}
                  </span>
                  <span className="block truncate font-normal text-text-3">{namespace}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ id, name, namespace }, row) => (
              <tr key={id}>
                <th
                  scope="row"
                  className="sticky left-0 z-10 max-w-56 border-b border-line bg-bg py-1.5 pr-4 text-left font-medium"
                >
                  <span className="block truncate" title={`${namespace ?? ''} ${name}`}>
                    {name} <span className="font-normal text-text-3">{namespace}</span>
                  </span>
                </th>
                {columns.map((column, at) => {
                  const cell = cells[row]?.[at] ?? 'u'
                  const text = `${name} to ${column.name} on ${column.port}: ${words[cell]}`
                  const query = new URLSearchParams({
                    cluster: String(clusterId),
                    from: id,
                    to: column.id,
                    port: String(column.port || 1),
                    ...(column.protocol === 'TCP' ? {} : { protocol: column.protocol }),
                  })
                  return (
                    <td
                      key={`${column.id} ${column.port} ${column.protocol}`}
                      className="border-b border-line p-0"
                    >
                      <Link
                        href={`/networking/reachability?${query.toString()}`}
                        className="flex h-9 items-center justify-center hover:bg-hover"
                        aria-label={text}
                        title={text}
                      >
                        <Mark cell={id === column.id ? 'same' : cell} />
                      </Link>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="mt-3 text-small text-text-3">
        {formatCount(rows.length * columns.length, 'pair')} from {formatCount(policies, 'policy', 'policies')}
        , state of {clockTime(new Date(asOf))}.
        {cut ? ` The first of ${totalRows} rows and ${totalColumns} columns: choose a namespace.` : ''}
      </p>
    </div>
  )
}

function Mark({ cell }: { cell: string }) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-block',
        cell === 'o' && 'h-4 w-5 rounded-[3px] bg-text-3',
        cell === 'p' &&
          'h-4 w-5 rounded-[3px] border border-text-3 bg-linear-to-t from-text-3 from-50% to-transparent to-50%',
        cell === 'c' && 'size-[3px] rounded-full bg-control',
        cell === 'u' && 'h-4 w-5 rounded-[3px] border border-dashed border-warn',
        cell === 'same' && 'h-px w-3 -rotate-45 bg-control',
      )}
    />
  )
}
