import type { OtlpOptions } from './otlp.ts'
import type { TracingConfig } from './read-tracing.ts'
import type { Tracing } from './tracing.ts'

/** Loads OpenTelemetry and sends traces to the collector that the configuration names; loads nothing where it names none. */
export async function openTracing(
  options: Omit<OtlpOptions, 'config'> & { config: TracingConfig | undefined },
): Promise<Tracing | undefined> {
  const { config } = options
  if (config === undefined) return undefined
  const { openOtlp } = await import('./otlp.ts')
  return openOtlp({ ...options, config })
}
