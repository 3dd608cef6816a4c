import type { CatalogMetric } from '@bey/contract'
import { BellPlus, ChartLine, LayoutDashboard, Server } from 'lucide-react'
import { useOrganizationId } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { useChartRange } from '../../entities/metrics/chart-range.ts'
import { SourceSelect, useHasSources } from '../../entities/metrics/source-select.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BuilderRow } from './builder-row.tsx'
import { ExpressionField } from './expression-field.tsx'
import { MetricList } from './metric-list.tsx'
import { QueryResult } from './query-result.tsx'
import { SourceMetricList } from './source-metric-list.tsx'
import { startingExpression } from './starting-expression.ts'
import { useExpression } from './use-expression.ts'
import { useMetricQuery } from './use-metric-query.ts'

/** Every metric of the organization, or of a data source, and any expression over them. */
export function MetricsPage() {
  const { source } = useExpression()
  const catalog = useRead('metrics.catalog', {}, { refreshMs: 30_000 })
  const failure = failureOf('Failed to fetch the metrics', catalog)
  const metrics = catalog.data?.metrics
  const hasSources = useHasSources(source)
  if (source !== undefined) return <Explorer metrics={metrics ?? []} />
  return (
    <>
      {failure ? (
        <>
          <PageHeader title="Metrics" />
          <ErrorState {...failure} />
        </>
      ) : metrics === undefined ? (
        <>
          <PageHeader title="Metrics" description=" " reserves={{ aside: false, actions: true }} />
          <div className="px-(--gutter) py-6">
            <Skeleton className="h-64 w-full" />
          </div>
        </>
      ) : metrics.length === 0 && !hasSources ? (
        <>
          <PageHeader title="Metrics" />
          <NothingYet />
        </>
      ) : (
        <Explorer metrics={metrics} />
      )}
    </>
  )
}

function NothingYet() {
  return (
    <EmptyState
      icon={<ChartLine size={24} strokeWidth={1.5} aria-hidden />}
      title="Nothing is measured yet"
      description="Clusters and databases are measured every 15 s. The first values appear within a minute after one is there."
      action={
        <>
          <ButtonLink href="/kubernetes/clusters/create" variant="primary">
            Create cluster
          </ButtonLink>
          <ButtonLink href="/databases/create">Create database</ButtonLink>
          <ButtonLink href={sourcesHref}>Data sources</ButtonLink>
        </>
      }
    />
  )
}

const sourcesHref = '/analytics/metrics/sources'

const footKeys = [{ keys: ['Mod', 'Enter'], does: 'run' }] as const

function Explorer({ metrics }: { metrics: readonly CatalogMetric[] }) {
  const { expr: given, source, setExpr, setSource } = useExpression()
  const expr = given ?? (source === undefined ? startingExpression(metrics) : '')
  const range = useChartRange('1h')
  const query = useMetricQuery(expr, range, source)
  const hasSources = useHasSources(source)
  const seriesCount = metrics.reduce((sum, metric) => sum + metric.seriesCount, 0)
  const { data } = query
  const command = apiCommand(
    'Evaluate this expression',
    'metrics.query',
    { query: { expr, range: range.rangeSeconds, ...(source !== undefined && { source }) } },
    useOrganizationId(),
  )
  usePageCommands(expr === '' ? [] : [command])
  const read = new URLSearchParams({ expr, ...(source !== undefined && { source }) })
  const added = new URLSearchParams({ add: expr, ...(source !== undefined && { source }) })
  return (
    <>
      <PageHeader
        title="Metrics"
        description={
          source === undefined
            ? `${formatCount(metrics.length, 'metric')} with ${formatCount(seriesCount, 'series', 'series')}`
            : 'Evaluated by the data source, in its own PromQL'
        }
        actions={
          <>
            {hasSources ? (
              <SourceSelect aria-label="Data source" value={source} onChange={setSource} />
            ) : null}
            <ButtonLink href={sourcesHref} icon={<Server size={16} aria-hidden />}>
              Data sources
            </ButtonLink>
            <ButtonLink
              href={`/analytics/alerts/create?${read.toString()}`}
              icon={<BellPlus size={16} aria-hidden />}
            >
              Create alert…
            </ButtonLink>
            <ButtonLink
              href={`/analytics/dashboard?${added.toString()}`}
              variant="primary"
              icon={<LayoutDashboard size={16} aria-hidden />}
            >
              Save to a board…
            </ButtonLink>
          </>
        }
      />
      <ListFoot
        count={data && formatCount(data.seriesCount, 'series', 'series')}
        keys={footKeys}
        command={expr === '' ? undefined : command.bey}
      />
      <div className="flex min-h-0 flex-1">
        {source === undefined ? (
          <MetricList metrics={metrics} expr={expr} onSelect={setExpr} />
        ) : (
          <SourceMetricList source={source} expr={expr} onSelect={setExpr} />
        )}
        <div className="min-w-0 flex-1">
          <div className="flex flex-col gap-2 border-b border-line px-(--gutter) py-3">
            {source === undefined ? <BuilderRow metrics={metrics} expr={expr} onChange={setExpr} /> : null}
            <ExpressionField expr={expr} source={source} error={query.error} onSubmit={setExpr} />
          </div>
          {expr === '' ? (
            <p className="px-(--gutter) py-6 text-text-2">Choose a metric, or write an expression.</p>
          ) : (
            <QueryResult expr={expr} query={query} range={range} source={source} />
          )}
        </div>
      </div>
    </>
  )
}
