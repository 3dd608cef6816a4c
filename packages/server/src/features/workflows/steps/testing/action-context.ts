import { createMask } from '../../../../platform/masking/mask.ts'
import type { RunFacts } from '../../definition/definition.ts'
import type { ActionContext } from '../step-type.ts'

export type LoggedLine = { message: string; level: string }

/** The context of one attempt of a step, as the engine gives it, with the lines that were logged. */
export function actionContext(
  run: Pick<RunFacts, 'organizationId' | 'createdBy'>,
  options: { key?: string; signal?: AbortSignal; secretValues?: readonly string[] } = {},
): ActionContext & { lines: LoggedLine[] } {
  const lines: LoggedLine[] = []
  const signal = options.signal ?? new AbortController().signal
  const id = crypto.randomUUID()
  return {
    lines,
    run: {
      ...run,
      id,
      workflowId: crypto.randomUUID(),
      workflowKey: 'test',
      subject: null,
      input: {},
      queuedAt: new Date(),
    },
    attempt: 1,
    outputs: {},
    signal,
    idempotencyKey: options.key ?? `${id}:step`,
    secretValues: options.secretValues ?? [],
    mask: createMask(options.secretValues ?? []),
    log: (message, level = 'info') => void lines.push({ message, level }),
    progress: () => undefined,
    sleep: (durationMs) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, Math.min(durationMs, 50))
        signal.addEventListener('abort', () => {
          clearTimeout(timer)
          reject(signal.reason instanceof Error ? signal.reason : new Error('Cancelled'))
        })
      }),
  }
}
