import { AsyncLocalStorage } from 'node:async_hooks'
import { idsOfRun, type SpanIds } from './traceparent.ts'

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>

type SpanKind = 'internal' | 'server' | 'client'

export type NewSpan = {
  kind?: SpanKind
  /** Undefined begins a trace. */
  parent?: SpanIds | undefined
  /** Its own ids, where they are known before; random unless given. */
  ids?: Omit<SpanIds, 'isSampled'>
  /** Now unless given. */
  startedAt?: Date
  attributes?: SpanAttributes
}

export type Span = SpanIds & {
  /** For what happens below it. */
  tracing: Tracing
  /** Work that outlives its request, such as a watch, is in no span any more. */
  isEnded(): boolean
  set(attributes: SpanAttributes): void
  /** Names a span of another trace that this one caused. */
  link(ids: Omit<SpanIds, 'isSampled'>): void
  /** Call it once. `isFailed` marks it as an error; texts of errors are not recorded, for they can hold values. */
  end(isFailed?: boolean): void
}

/** Makes spans and sends them on. There is none unless an operator names a collector, see `openTracing`. */
export type Tracing = {
  start(name: string, span: NewSpan): Span
  /** Whether a trace with this id is recorded, as every process decides it. */
  isSampled(traceId: string): boolean
  /** Sends what is left, and waits no longer than 2 s for it. */
  stop(): Promise<void>
}

/** The span in which the present work is done. Nothing enters it unless traces are on. */
const current = new AsyncLocalStorage<Span>()

/** Runs work inside a span: what it begins is below it. The span is not ended. */
export function inSpan<T>(span: Span, work: () => T): T {
  return current.run(span, work)
}

/** The span of the present work; undefined where traces are off, and for what the server does by itself. */
export function currentSpan(): Span | undefined {
  const span = current.getStore()
  return span?.isEnded() === true ? undefined : span
}

/** Runs work in a span of its own below the present one; where there is none, as it is. */
export function traced<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T> {
  const parent = currentSpan()
  return parent === undefined ? work() : tracedBelow(parent, name, attributes, work)
}

function tracedBelow<T>(
  parent: Span,
  name: string,
  attributes: SpanAttributes,
  work: () => Promise<T>,
): Promise<T> {
  const span = parent.tracing.start(name, { parent, attributes })
  return current.run(span, work).then(
    (result) => {
      span.end()
      return result
    },
    (error: unknown) => {
      span.end(true)
      throw error
    },
  )
}

/** Notes at the present span that it started a run, whose trace is its own. */
export function linkToRun(runId: string): void {
  currentSpan()?.link(idsOfRun(runId))
}

/** The span under which everything stands that happens in a run, in whichever process. */
export function parentOfRun(tracing: Tracing, runId: string): SpanIds {
  const ids = idsOfRun(runId)
  return { ...ids, isSampled: tracing.isSampled(ids.traceId) }
}
