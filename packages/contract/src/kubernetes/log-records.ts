/** Which list of a pod's specification a container stands in. */
export const containerKinds = ['container', 'init', 'ephemeral'] as const
export type ContainerKind = (typeof containerKinds)[number]

/** A container of a pod whose log is part of a stream. `source` numbers it within the stream. */
export type LogSourceRecord = {
  type: 'source'
  source: number
  pod: string
  podUid: string
  container: string
  kind: ContainerKind
  /** Restart count of the run that is read first. */
  restart: number
}

/**
 * Lines: source, time (RFC 3339, UTC, nanoseconds) and text. Those of one source are in its order. A log that is read to
 * its end is in order of time; in one that is followed, a line that reached the server late comes after later ones of
 * other sources, and who shows it places it by its time.
 */
export type LogLinesRecord = { type: 'lines'; lines: [source: number, at: string, text: string][] }

export type LogEventRecord = {
  type: 'event'
  source: number
  at: string
  /** `lost`: lines that the cluster no longer keeps, between two runs. */
  event: 'started' | 'ended' | 'pod_deleted' | 'lost'
  restart: number
  /** Of the end, as the cluster words it: `OOMKilled`, `Error`, `Completed`. */
  reason?: string
  exitCode?: number
  signal?: number
  /** How long the run lasted. */
  ranMs?: number
}

/** What keeps lines from being read. The stream goes on and tries again where that makes sense. */
export type LogProblemRecord = {
  type: 'problem'
  /** The container it concerns; all of them where absent. */
  source?: number
  code: 'forbidden' | 'unreachable' | 'too_many_pods' | 'gone' | 'failed'
  message: string
}

/** Sent first: pods that the stream begins with, so that an empty log can be distinguished from an absent one. */
export type LogBeginRecord = { type: 'begin'; pods: number; at: string }

/** Sent every 15 s, so that a reader knows that a silent stream is alive. */
export type LogPingRecord = { type: 'ping'; at: string }

/** The last record of a stream that came to its end, which one with `follow` never does by itself. */
export type LogEndRecord = { type: 'end' }

/** One line of the NDJSON that streams logs. */
export type LogRecord =
  | LogBeginRecord
  | LogSourceRecord
  | LogLinesRecord
  | LogEventRecord
  | LogProblemRecord
  | LogPingRecord
  | LogEndRecord

/** Without a ping for this long a log stream is dead. */
export const logSilenceMs = 35_000
/** Log streams of one user at the same time. */
export const maxLogStreamsPerUser = 10
