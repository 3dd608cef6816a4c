import { ConfigError } from '../errors.ts'

/** What the standard variables of OpenTelemetry say, as far as Bey follows them. */
export type TracingConfig = {
  /** Where spans are posted as JSON, with its path. */
  url: string
  /** Sent with them; can hold a token. */
  headers: Readonly<Record<string, string>>
  /** How long one request to the collector may take. */
  timeoutMs: number
  /** How long a span waits for others before they are sent together. */
  delayMs: number
  serviceName: string
  sampler: 'always_on' | 'always_off' | 'traceidratio'
  /** Of `traceidratio`, from 0 to 1. */
  ratio: number
  /** Whether what the caller decided goes before the sampler. */
  isParentBased: boolean
}

const samplers = ['always_on', 'always_off', 'traceidratio'] as const
const exampleUrl = 'http://127.0.0.1:4318'

/** Undefined where no collector is named. Throws ConfigError at a value that makes no sense. */
export function readTracing(text: (name: string) => string | undefined): TracingConfig | undefined {
  const own = text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const shared = text('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (own === undefined && shared === undefined) return undefined
  if (text('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || text('OTEL_TRACES_EXPORTER') === 'none')
    return undefined
  return {
    url:
      own === undefined
        ? `${urlOf('OTEL_EXPORTER_OTLP_ENDPOINT', shared ?? '')}/v1/traces`
        : urlOf('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', own),
    headers: headersOf(text('OTEL_EXPORTER_OTLP_TRACES_HEADERS') ?? text('OTEL_EXPORTER_OTLP_HEADERS') ?? ''),
    timeoutMs: milliseconds(text, 'OTEL_EXPORTER_OTLP_TIMEOUT', 10_000),
    delayMs: milliseconds(text, 'OTEL_BSP_SCHEDULE_DELAY', 5_000),
    serviceName: text('OTEL_SERVICE_NAME') ?? 'bey',
    ...samplerOf(text('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on', text('OTEL_TRACES_SAMPLER_ARG')),
  }
}

function urlOf(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  // The value is not repeated: it can hold a password.
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw new ConfigError(
      `${name} is not the address of a collector. Set ${name} to one such as ${exampleUrl}, for OTLP over HTTP.`,
    )
  return url.href.replace(/\/$/, '')
}

/** `a=1,b=2`, percent-encoded (W3C Baggage, as OpenTelemetry writes them). */
function headersOf(value: string): Record<string, string> {
  const pairs = value.split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      const name = pair.slice(0, at).trim()
      if (at < 1 || !/^[\w-]+$/.test(name))
        throw new ConfigError(
          'OTEL_EXPORTER_OTLP_HEADERS is not a list of headers. Set OTEL_EXPORTER_OTLP_HEADERS to name=value, with commas between.',
        )
      return [name, decoded(pair.slice(at + 1).trim())]
    }),
  )
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    // A value with a percent sign of its own.
    return value
  }
}

function milliseconds(text: (name: string) => string | undefined, name: string, fallback: number): number {
  const value = text(name)
  if (value === undefined) return fallback
  const number = /^\d{1,6}$/.test(value) ? Number(value) : 0
  if (number < 1)
    throw new ConfigError(`${name} is "${value}". Set ${name} to milliseconds from 1 to 999999.`)
  return number
}

function samplerOf(value: string, argument: string | undefined) {
  const isParentBased = value.startsWith('parentbased_')
  const sampler = samplers.find((each) => each === value.replace(/^parentbased_/, ''))
  if (sampler === undefined) {
    const known = samplers.flatMap((each) => [each, `parentbased_${each}`]).join(', ')
    throw new ConfigError(`OTEL_TRACES_SAMPLER is "${value}". Set OTEL_TRACES_SAMPLER to one of ${known}.`)
  }
  const ratio = Number(argument ?? 1)
  if (!(ratio >= 0 && ratio <= 1))
    throw new ConfigError(
      `OTEL_TRACES_SAMPLER_ARG is "${argument}". Set OTEL_TRACES_SAMPLER_ARG to a number from 0 to 1.`,
    )
  return { sampler, ratio, isParentBased }
}
