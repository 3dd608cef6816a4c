type Ordered = { level: string; readAt: string | null }

/** Notifications, newest first; errors that nobody has read come before everything else. */
export function incidentsFirst<N extends Ordered>(rows: readonly N[] | undefined): readonly N[] | undefined {
  return rows?.toSorted((one, other) => Number(isIncident(other)) - Number(isIncident(one)))
}

const isIncident = ({ level, readAt }: Ordered) => level === 'error' && readAt === null
