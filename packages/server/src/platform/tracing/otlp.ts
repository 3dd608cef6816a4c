import { ROOT_CONTEXT, type Context, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Log } from '../log.ts'
import type { TracingConfig } from './read-tracing.ts'
import type { SpanIds } from './traceparent.ts'
import type { NewSpan, Span, SpanAttributes, Tracing } from './tracing.ts'

/** Spans that wait for the collector; what is more is dropped. About 1 KB each. */
const maxQueuedSpans = 2_048
/** Requests to the collector under way; spans for more are dropped. */
const maxRequests = 4
/** Between two lines of the log that say that it takes no spans. */
const sayAgainAfterMs = 10 * 60_000
const stopWithinMs = 2_000
const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT }

export type OtlpOptions = { config: TracingConfig; version: string; instanceId: string; log: Log }

/** Loaded by `openTracing` alone, and only where traces are on. */
export function openOtlp({ config, version, instanceId, log }: OtlpOptions): Tracing {
  const root = rootSampler(config)
  const ids = givenIds()
  const exporter = new OTLPTraceExporter({
    url: config.url,
    headers: { ...config.headers },
    timeoutMillis: config.timeoutMs,
    concurrencyLimit: maxRequests,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.serviceName,
      'service.version': version,
      'service.instance.id': instanceId,
    }),
    sampler: config.isParentBased ? new ParentBasedSampler({ root }) : root,
    idGenerator: ids,
    spanLimits: { attributeValueLengthLimit: 200, attributeCountLimit: 32, linkCountLimit: 32 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: logOnce(exporter, log),
        maxQueueSize: maxQueuedSpans,
        scheduledDelayMillis: config.delayMs,
        exportTimeoutMillis: config.timeoutMs + 1_000,
      }),
    ],
  })
  const tracer = provider.getTracer('bey', version)

  const tracing: Tracing = {
    start(name, { kind = 'internal', parent, ids: own, startedAt, attributes }: NewSpan): Span {
      ids.next = own
      const made = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          ...(startedAt && { startTime: startedAt }),
          ...(attributes && { attributes: known(attributes) }),
        },
        parent === undefined ? ROOT_CONTEXT : contextOf(parent),
      )
      ids.next = undefined
      let isOver = false
      const { traceId, spanId, traceFlags } = made.spanContext()
      return {
        traceId,
        spanId,
        isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
        tracing,
        isEnded: () => isOver,
        set: (more) => void made.setAttributes(known(more)),
        link: (to) =>
          void made.addLink({ context: { ...to, traceFlags: flagsOf(tracing.isSampled(to.traceId)) } }),
        end(isFailed = false) {
          if (isFailed) made.setStatus({ code: SpanStatusCode.ERROR })
          made.end()
          isOver = true
        },
      }
    },
    isSampled: (traceId) =>
      root.shouldSample(ROOT_CONTEXT, traceId, '', SpanKind.INTERNAL, {}, []).decision ===
      SamplingDecision.RECORD_AND_SAMPLED,
    async stop() {
      const late = new Promise<void>((resolve) => {
        setTimeout(resolve, stopWithinMs).unref()
      })
      // The collector may be away.
      await Promise.race([provider.shutdown().catch(() => undefined), late])
    },
  }
  return tracing
}

function rootSampler({ sampler, ratio }: TracingConfig): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio)
  }
}

/** Random ids, save for the span that is started while `next` is set. */
function givenIds() {
  const random = new RandomIdGenerator()
  return {
    next: undefined as NewSpan['ids'],
    generateTraceId(): string {
      return this.next?.traceId ?? random.generateTraceId()
    },
    generateSpanId(): string {
      return this.next?.spanId ?? random.generateSpanId()
    },
  }
}

function contextOf({ traceId, spanId, isSampled }: SpanIds): Context {
  const context = { traceId, spanId, traceFlags: flagsOf(isSampled), isRemote: true }
  return trace.setSpanContext(ROOT_CONTEXT, context)
}

function flagsOf(isSampled: boolean): TraceFlags {
  return isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
}

function known(attributes: SpanAttributes): Record<string, string | number | boolean> {
  const entries = Object.entries(attributes).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Record<string, string | number | boolean>
}

/** One line when the collector stops taking spans, and one when it takes them again; no more than that in 10 min. */
function logOnce(exporter: SpanExporter, log: Log): SpanExporter {
  let saidAtMs = Number.NEGATIVE_INFINITY
  let isSaid = false
  let lostSpans = 0
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code === 0) recover()
        else lose(spans.length)
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    ...(exporter.forceFlush && { forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve() }),
  }

  function lose(count: number): void {
    lostSpans += count
    if (performance.now() - saidAtMs < sayAgainAfterMs) return
    saidAtMs = performance.now()
    isSaid = true
    log.warn('The collector of traces does not take them; they are dropped until it does')
  }

  function recover(): void {
    if (!isSaid) return
    log.info({ lostSpans }, 'The collector takes traces again')
    isSaid = false
    lostSpans = 0
  }
}
