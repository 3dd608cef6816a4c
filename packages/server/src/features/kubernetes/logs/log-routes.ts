import { answer } from '../../../platform/http/answer.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import type { LogService } from './log-service.ts'

/** A proxy in between must not collect what is meant to be read as it comes. */
const unbuffered = { 'x-accel-buffering': 'no' }

export function logRoutes(logs: LogService): Handlers<'kubernetes.logs' | 'kubernetes.downloadLogs'> {
  return {
    'kubernetes.logs': async ({ caller, params, body }) =>
      answer(await logs.stream(caller, params.id, body), { headers: unbuffered }),
    'kubernetes.downloadLogs': async ({ caller, params, body }) =>
      answer(await logs.download(caller, params.id, body), {
        headers: {
          ...unbuffered,
          'content-disposition': `attachment; filename="${fileName(body)}"`,
        },
      }),
  }
}

/** Names of Kubernetes need no quoting in a header, and a selector is none. */
function fileName({ namespace, name }: { namespace: string; name?: string | undefined }): string {
  const safe = `${namespace}-${name ?? 'pods'}`.replace(/[^\w.-]/g, '-')
  return `${safe}.log`
}
