import type { BoardDefinition, BoardPanel, PanelKind, PanelUnit } from './rules.ts'
import { clusterMetrics, databaseMetrics, organizationMetrics, processMetrics } from '../metrics/names.ts'

export const readyBoardIds = ['fleet', 'workloads', 'databases', 'workflows', 'bey'] as const
export type ReadyBoardId = (typeof readyBoardIds)[number]

export interface ReadyBoard {
  name: string
  description: string
  definition: BoardDefinition
}

const c = clusterMetrics
const d = databaseMetrics
const o = organizationMetrics
const p = processMetrics
/** Series of clusters as a whole, of nodes and of workloads. */
const whole = '{cluster=~"$cluster",node="",namespace=""}'
const ofNodes = '{cluster=~"$cluster",node=~".+"}'
const ofWorkloads = '{cluster=~"$cluster",namespace=~"$namespace",workload=~".+"}'
const ofDatabases = '{database=~"$database",state="",wait=""}'
/** Runs of all workflows, and of each. */
const ofAll = '{workflow=""}'
const ofOne = '{workflow!=""}'
const share = (used: string, all: string, by = '') =>
  `100 * sum${by}(${used}${whole}) / sum${by}(${all}${whole})`

/** Boards that are computed from what every organization measures. They are copied to be edited. */
export const readyBoards: Readonly<Record<ReadyBoardId, ReadyBoard>> = {
  fleet: {
    name: 'Fleet',
    description: 'All clusters: use, nodes, pods and health',
    definition: board(
      ['cluster'],
      [
        small('CPU used', `${share(c.cpuUsed, c.cpuAllocatable)}`, 'percent', 0),
        small('Memory used', `${share(c.memoryUsed, c.memoryAllocatable)}`, 'percent', 3),
        small('Running pods', `sum(${c.podsByPhase}{cluster=~"$cluster",phase="Running"})`, 'count', 6),
        small('Failing pods', `sum(${c.podsByHealth}{cluster=~"$cluster",health="failing"})`, 'count', 9, 1),
        wide(
          'series',
          'CPU used, by cluster',
          share(c.cpuUsed, c.cpuAllocatable, ' by (cluster) '),
          'percent',
          0,
        ),
        wide(
          'heatmap',
          'Memory used, by node',
          `100 * ${c.memoryUsed}${ofNodes} / ${c.memoryAllocatable}${ofNodes}`,
          'percent',
          4,
          '{{cluster}} {{node}}',
        ),
        {
          ...wide(
            'history',
            'Failing pods, by cluster',
            `sum by (cluster) (${c.podsByHealth}{cluster=~"$cluster",health="failing"})`,
            'count',
            8,
          ),
          thresholds: { warn: 1, danger: 3 },
        },
        low('series', 'Pods, by phase', `sum by (phase) (${c.podsByPhase}{cluster=~"$cluster"})`, 'count', 0),
        low(
          'top',
          'Workloads by memory',
          `topk(6, ${c.memoryUsed}{cluster=~"$cluster",workload=~".+"})`,
          'bytes',
          4,
          '{{namespace}}/{{workload}}',
        ),
        low('series', 'Nodes, by cluster', `sum by (cluster) (${c.nodes}${whole})`, 'count', 8),
      ],
    ),
  },
  workloads: {
    name: 'Workloads',
    description: 'What workloads use and request',
    definition: board(
      ['cluster', 'namespace'],
      [
        small('CPU used', `sum(${c.cpuUsed}${ofWorkloads})`, 'millicores', 0),
        small('CPU requested', `sum(${c.cpuRequested}${ofWorkloads})`, 'millicores', 3),
        small('Memory used', `sum(${c.memoryUsed}${ofWorkloads})`, 'bytes', 6),
        small('Memory requested', `sum(${c.memoryRequested}${ofWorkloads})`, 'bytes', 9),
        wide(
          'series',
          'CPU used, by namespace',
          `sum by (namespace) (${c.cpuUsed}${ofWorkloads})`,
          'millicores',
          0,
        ),
        wide(
          'series',
          'Memory used, by namespace',
          `sum by (namespace) (${c.memoryUsed}${ofWorkloads})`,
          'bytes',
          4,
        ),
        wide(
          'heatmap',
          'Memory used of requested, by workload',
          `topk(20, 100 * ${c.memoryUsed}${ofWorkloads} / (${c.memoryRequested}${ofWorkloads} > 0))`,
          'percent',
          8,
          '{{namespace}}/{{workload}}',
        ),
        low(
          'top',
          'Workloads by CPU',
          `topk(6, ${c.cpuUsed}${ofWorkloads})`,
          'millicores',
          0,
          '{{namespace}}/{{workload}}',
        ),
        low(
          'top',
          'Workloads by memory',
          `topk(6, ${c.memoryUsed}${ofWorkloads})`,
          'bytes',
          4,
          '{{namespace}}/{{workload}}',
        ),
        low(
          'table',
          'Memory requested',
          `topk(20, ${c.memoryRequested}${ofWorkloads})`,
          'bytes',
          8,
          '{{namespace}}/{{workload}}',
        ),
      ],
    ),
  },
  databases: {
    name: 'Databases',
    description: 'Connections, load, caches and size of databases',
    definition: board(
      ['database'],
      [
        small('Connections', `sum(${d.connections}${ofDatabases})`, 'count', 0),
        small('Transactions', `sum(${d.transactions}${ofDatabases})`, 'per_second', 3),
        small('Waiting for a lock', `sum(${d.waiting}${ofDatabases})`, 'count', 6, 1),
        small('Deadlocks', `sum(${d.deadlocks}${ofDatabases})`, 'per_minute', 9, 1),
        wide(
          'series',
          'Transactions, by database',
          `sum by (database) (${d.transactions}${ofDatabases})`,
          'per_second',
          0,
        ),
        wide('series', 'Found in the cache', `avg by (database) (${d.cacheHit}${ofDatabases})`, 'percent', 4),
        wide(
          'series',
          'Sessions at work, by wait',
          `sum by (wait) (${d.load}{database=~"$database"})`,
          'count',
          8,
        ),
        low('top', 'Size', `topk(6, ${d.size}${ofDatabases})`, 'bytes', 0, '{{database}}'),
        low(
          'heatmap',
          'Connections used of the limit',
          `100 * ${d.connections}${ofDatabases} / ${d.connectionsMax}${ofDatabases}`,
          'percent',
          4,
          '{{database}}',
        ),
        low('series', 'Longest query', `max by (database) (${d.longestQuery}${ofDatabases})`, 'ms', 8),
      ],
    ),
  },
  workflows: {
    name: 'Workflows',
    description: 'Runs that begin, end, fail and wait',
    definition: board(
      [],
      [
        small('Runs at work', `${o.runsActive}${ofAll}`, 'count', 0),
        small('Runs waiting to begin', `${o.runsQueued}${ofAll}`, 'count', 3),
        small('Runs started', `${o.runsStarted}${ofAll}`, 'per_minute', 6),
        small('Runs failed', `${o.runsFailed}${ofAll}`, 'per_minute', 9, 1),
        wide(
          'series',
          'Runs started, by workflow',
          `topk(8, ${o.runsStarted}${ofOne})`,
          'per_minute',
          0,
          '{{workflow}}',
        ),
        {
          ...wide(
            'history',
            'Failed runs, by workflow',
            `topk(8, ${o.runsFailed}${ofOne})`,
            'per_minute',
            4,
            '{{workflow}}',
          ),
          thresholds: { warn: 0.01, danger: 1 },
        },
        wide(
          'series',
          'Duration of runs, by workflow',
          `topk(8, ${o.runDuration}${ofOne})`,
          'seconds',
          8,
          '{{workflow}}',
        ),
        low(
          'top',
          'Slowest workflows',
          `topk(6, avg_over_time(${o.runDuration}${ofOne}[1d]))`,
          'seconds',
          0,
          '{{workflow}}',
        ),
        low('series', 'Runs under way', `${o.runsActive}${ofAll}`, 'count', 4, 'at work'),
        low(
          'table',
          'Runs that failed in a day',
          `topk(20, 1440 * avg_over_time(${o.runsFailed}${ofOne}[1d]) > 0)`,
          'count',
          8,
          '{{workflow}}',
        ),
      ],
    ),
  },
  bey: {
    name: 'Bey itself',
    description: 'The processes of this server; measured in its first organization',
    definition: board(
      [],
      [
        small('Processor', `sum(${p.cpu})`, 'percent', 0),
        small('Memory', `sum(${p.memory})`, 'bytes', 3),
        small('Requests', `sum(${p.requests})`, 'per_second', 6),
        small('Failed requests', `sum(${p.requestErrors})`, 'per_second', 9, 0.001),
        wide('series', 'Time to answer', p.requestTime, 'ms', 0, '{{process}}'),
        wide('series', 'Delay of the event loop', p.loopDelay, 'ms', 4, '{{process}}'),
        wide('series', 'Memory, by process', p.memory, 'bytes', 8, '{{process}}'),
        low('series', 'Connections to the database', p.connections, 'count', 0, '{{process}}'),
        low('series', 'Work that waits for a connection', p.connectionWaits, 'count', 4, '{{process}}'),
        low('series', 'Live connections', p.sockets, 'count', 8, '{{process}}'),
      ],
    ),
  },
}

function board(variables: BoardDefinition['variables'], panels: Omit<BoardPanel, 'id'>[]): BoardDefinition {
  return {
    variables,
    range: '24h',
    compare: 'week',
    panels: panels.map((panel, index) => ({ ...panel, id: `p${index + 1}` })),
  }
}

type Placed = Omit<BoardPanel, 'id'>

function placed(kind: PanelKind, title: string, expr: string, unit: PanelUnit, legend: string) {
  return {
    kind,
    title,
    queries: [{ expr, legend }],
    unit,
    thresholds: { warn: null, danger: null },
    text: '',
  }
}

/** A quarter of the width in the first row; `danger` is the value from which on it is a failure. */
function small(title: string, expr: string, unit: PanelUnit, x: number, danger?: number): Placed {
  const panel = placed('series', title, expr, unit, title)
  return { ...panel, thresholds: { warn: null, danger: danger ?? null }, x, y: 0, width: 3, height: 2 }
}

/** A third of the width in the second row. */
function wide(kind: PanelKind, title: string, expr: string, unit: PanelUnit, x: number, legend = ''): Placed {
  return { ...placed(kind, title, expr, unit, legend), x, y: 2, width: 4, height: 3 }
}

function low(kind: PanelKind, title: string, expr: string, unit: PanelUnit, x: number, legend = ''): Placed {
  return { ...placed(kind, title, expr, unit, legend), x, y: 5, width: 4, height: 3 }
}
