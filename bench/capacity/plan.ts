import { neededPerSecond, steadyPeakPerSecond } from './simulate-day.ts'
import type { UnitCosts } from './unit-costs.ts'

/** Whom an installation serves. What is assumed of them stands in the plan. */
export type Population = {
  users: number
  clusters: number
  runsPerDay: number
  podsPerCluster: number
  /** Share of the users who have a page open at the busiest time, 0 to 1. */
  activeShare: number
  /** Of each of them; changes are those that the audit log records. */
  requestsPerMinute: number
  changesPerMinute: number
  /** Share of the runs that schedules start in the first second of an hour, 0 to 1. */
  onTheHour: number
  /** The longest that a run may wait for its turn. */
  waitSeconds: number
  /** Frames that the events of a run cost: events, times who follows them. */
  framesPerRun: number
  /** Of each pod of a cluster; its nodes and workloads count to it. */
  seriesPerPod: number
}

export const goal: Population = {
  users: 100_000,
  clusters: 1_000,
  runsPerDay: 10_000_000,
  podsPerCluster: 200,
  activeShare: 0.1,
  requestsPerMinute: 6,
  changesPerMinute: 1,
  onTheHour: 0.1,
  waitSeconds: 60,
  framesPerRun: 20,
  seriesPerPod: 3.5,
}

/** What `npm start` has: one process and its PostgreSQL on two cores, one for each, and the memory that Node gives itself. */
const machine = { cores: 2, heapBytes: 4 * 1024 ** 3 }

export type Demand = {
  resource: string
  /** Of the goal, and of one machine with the defaults; in the same unit. */
  needed: number
  has: number
  unit: string
  /** What takes over, and how it is counted. */
  way: string
}

/** Demands of the busiest minute, those that run out first at the beginning. */
export function demandsOf(population: Population, costs: UnitCosts): Demand[] {
  const { users, clusters, podsPerCluster, runsPerDay, onTheHour, waitSeconds } = population
  const active = users * population.activeShare
  const requests = (active * population.requestsPerMinute) / 60
  const pods = clusters * podsPerCluster
  const runs = neededPerSecond({ runsPerDay, onTheHour }, waitSeconds)
  const steadyRuns = steadyPeakPerSecond({ runsPerDay, onTheHour })
  const { one, two } = costs.runsPerSecond
  const workers = 2 + Math.max(0, Math.ceil((runs - two) / (two - one)))
  const frames = runs * population.framesPerRun
  const series = pods * population.seriesPerPod
  const cores = (us: number) => us / 1_000_000
  const server = cores(requests * costs.requestServerUs)
  const postgres = cores(requests * costs.requestDatabaseUs)
  const all: Demand[] = [
    {
      resource: 'runs',
      needed: runs,
      has: one,
      unit: 'runs/s',
      way: `${workers} workers, if each adds what the second one added; without those on the hour ${count(steadyRuns)} runs/s`,
    },
    {
      resource: 'audited changes',
      needed: runs + (active * population.changesPerMinute) / 60,
      has: costs.auditedPerSecond,
      unit: 'changes/s',
      way: 'one PostgreSQL commits them; nothing divides them',
    },
    {
      resource: 'requests, in the server',
      needed: server,
      has: machine.cores / 2,
      unit: 'cores',
      way: `web processes, ${Math.ceil(server)} at least, with a core each`,
    },
    {
      resource: 'requests, in PostgreSQL',
      needed: postgres,
      has: machine.cores / 2,
      unit: 'cores',
      way: 'a PostgreSQL elsewhere, whose cores are its own',
    },
    {
      resource: 'live events',
      needed: cores(frames * costs.frameUs),
      has: machine.cores / 2,
      unit: 'cores',
      way: 'more web processes: each sends to its own sockets',
    },
    {
      resource: 'what is watched of clusters',
      needed: (pods * costs.podBytes) / 1024 ** 3,
      has: machine.heapBytes / 1024 ** 3,
      unit: 'GiB',
      way: 'nothing yet: each process keeps what it shows, also where processes share watches',
    },
    {
      resource: 'metric series',
      needed: cores(series * costs.seriesUs) / 15,
      has: machine.cores / 2,
      unit: 'cores',
      way: `a store that takes remote write; a year of minutes of ${count(series)} series is ${count((series * costs.seriesMinuteBytes * 525_600) / 1024 ** 3)} GiB`,
    },
  ]
  return all.toSorted((one, other) => one.has / one.needed - other.has / other.needed)
}

const count = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 })

const amount = (value: number, unit: string) =>
  `${count(value)} ${value === 1 ? unit.replace(/s$/, '') : unit}`

/** The plan as Markdown. */
export function planText(population: Population, costs: UnitCosts): string {
  const percent = ({ has, needed }: Demand) => `${count((100 * has) / needed)} %`
  return [
    `${count(population.users)} people, ${count(population.clusters)} clusters of ${count(population.podsPerCluster)} pods and ` +
      `${count(population.runsPerDay)} runs a day. Assumed: ${count(population.activeShare * 100)} % of the people have a page open at once, and each ` +
      `makes ${count(population.requestsPerMinute)} requests and ${count(population.changesPerMinute)} changes a minute; ${count(population.onTheHour * 100)} % of the runs are started in the first second of an hour, ` +
      `and none waits for longer than ${count(population.waitSeconds)} s; a run costs ${count(population.framesPerRun)} frames; a pod has ${count(population.seriesPerPod)} series.`,
    '',
    '| what | needed | one machine has | enough for | then |',
    '|---|---|---|---|---|',
    ...demandsOf(population, costs).map(
      (each) =>
        `| ${each.resource} | ${amount(each.needed, each.unit)} | ${amount(each.has, each.unit)} | ${percent(each)} | ${each.way} |`,
    ),
  ].join('\n')
}
