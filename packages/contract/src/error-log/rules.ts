/** Bounds of what a console reports, which it keeps to by cutting and the server by refusing. */
export const errorLogLimits = {
  entriesPerCall: 20,
  messageLength: 2_000,
  stackLength: 12_000,
  urlLength: 2_000,
  userAgentLength: 500,
  /** Session, boundary and release. */
  nameLength: 200,
  /** Of a stack that are shown. */
  frames: 100,
} as const

/** Bounds of `additionalContext`. */
export const errorContextLimits = {
  /** As JSON, in characters. */
  length: 12_000,
  breadcrumbs: 40,
  breadcrumbLength: 200,
  /** Most repetitions that one entry may represent. */
  repeats: 100_000,
} as const

/** What a console sends, and when. */
export const errorBatch = {
  /** Sent when so many wait … */
  size: 10,
  /** … or so long after the first. */
  delayMs: 5_000,
  /** Waits before each attempt after the first. */
  retryDelaysMs: [1_000, 2_000, 4_000],
  /** What waits after a failure is at most twice a batch. */
  queueCap: 20,
} as const

/** How an error came to notice. */
export const errorKinds = ['error', 'rejection', 'console', 'boundary'] as const
export type ErrorKind = (typeof errorKinds)[number]

export const errorGroupStatuses = ['open', 'resolved', 'ignored'] as const
export type ErrorGroupStatus = (typeof errorGroupStatuses)[number]

/** Legal moves of an error. Asked for the status that it has, it stays as it is. */
export const errorGroupMoves: Record<ErrorGroupStatus, readonly ErrorGroupStatus[]> = {
  open: ['resolved', 'ignored'],
  // Also by itself, when it happens again.
  resolved: ['open', 'ignored'],
  ignored: ['open', 'resolved'],
}

/** One thing that happened before an error. */
export type Breadcrumb = {
  /** RFC 3339, UTC. */
  at: string
  type: 'route' | 'click' | 'api' | 'toast'
  message: string
  /** HTTP status; 0 where there was no answer. */
  status?: number
}

/** What the console writes into `additionalContext`. */
export type ErrorContext = {
  kind: ErrorKind
  release: string
  /** How often the same happened again before it was sent. */
  repeats?: number
  /** Of the API call that failed, if one did. */
  requestId?: string
  breadcrumbs?: Breadcrumb[]
}
