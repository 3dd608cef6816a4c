/** What one unit of work costs, as `docs/figures.md` has it of the last measurement. */
export type UnitCosts = {
  /** Processor time of a list of 50 with a session: of the server, and of PostgreSQL. µs. */
  requestServerUs: number
  requestDatabaseUs: number
  /** Processor time of an event for one socket that follows it. µs. */
  frameUs: number
  /** Short runs that a process completes in a second, by how many work side by side. */
  runsPerSecond: { one: number; two: number }
  /** Changes with an audit entry that PostgreSQL commits in a second. */
  auditedPerSecond: number
  /** Memory of a process for a pod of a cluster that it watches. Bytes. */
  podBytes: number
  /** Processor time of a series for each look at it, every 15 s. µs. */
  seriesUs: number
  /** What a series keeps of a minute. Bytes. */
  seriesMinuteBytes: number
}

const million = 1_000_000

/** Reads the costs out of the page of figures. Throws where a figure is missing, with its name. */
export function unitCosts(page: string): UnitCosts {
  const cells = (benchmark: string, figure: string): string => {
    const section = page.split(`## \`npm run bench ${benchmark}\``)[1]?.split('\n## ')[0] ?? ''
    const row = section.split('\n').find((line) => line.startsWith(`| ${figure} |`))
    if (row === undefined) throw new Error(`docs/figures.md has no figure "${figure}" of ${benchmark}.`)
    return row.slice(`| ${figure} |`.length)
  }
  const numbers = (benchmark: string, figure: string, pattern: RegExp): number[] => {
    const found = pattern.exec(cells(benchmark, figure))
    if (!found) throw new Error(`"${figure}" of ${benchmark} in docs/figures.md does not read as ${pattern}.`)
    return found.slice(1).map((text) => Number(text.replaceAll(',', '')))
  }
  const one = (benchmark: string, figure: string, pattern: RegExp) =>
    numbers(benchmark, figure, pattern)[0] ?? Number.NaN

  const [server = 0, database = 0] = numbers(
    'http',
    'CPU of a request: authenticated list of 50, compressed',
    /server (\d+), PostgreSQL (\d+)/,
  )
  const [two = 0, alone = 0] = numbers(
    'workers',
    'two workers against one',
    /([\d.]+) against ([\d.]+) runs\/s/,
  )
  const series = one('metrics', 'series', /([\d,]+) \|/)
  return {
    requestServerUs: server,
    requestDatabaseUs: database,
    frameUs: (one('live', 'CPU of an event, for 2,000 of 10,000 sockets', /([\d.]+) ms/) * 1_000) / 2_000,
    runsPerSecond: { one: alone, two },
    auditedPerSecond: one('audit', 'entries, each in a transaction of its own', /([\d,]+) \/s/),
    podBytes:
      (one('kubernetes', 'live heap of the server for the caches of the cluster', /([\d.]+) MB/) * million) /
      10_000,
    seriesUs: (one('metrics', 'a round', /([\d.]+) ms/) * 1_000) / series,
    seriesMinuteBytes: one('metrics', 'kept of a day in minutes', /([\d.]+) bytes a series and minute/),
  }
}
