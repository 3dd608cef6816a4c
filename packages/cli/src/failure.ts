import { ApiError } from '@bey/client'
import { CommandError, exitCodes, UsageError } from './errors.ts'
import { version } from './session.ts'

export type Failure = { message: string; exitCode: number }

/** Any error as sentences for the terminal, with the request id and the way out, and the exit code. */
export function failureOf(error: unknown, url: string): Failure {
  if (error instanceof UsageError) return { message: error.message, exitCode: exitCodes.usage }
  if (error instanceof CommandError) return { message: error.message, exitCode: error.exitCode }
  if (error instanceof ApiError) return apiFailure(error, url)
  if (error instanceof Error && error.name === 'AbortError') return interrupted
  if (error instanceof RangeError) return { message: error.message, exitCode: exitCodes.usage }
  return { message: error instanceof Error ? error.message : String(error), exitCode: exitCodes.error }
}

const interrupted = { message: 'Interrupted.', exitCode: exitCodes.interrupted }

function apiFailure(error: ApiError, url: string): Failure {
  if (error.kind === 'aborted') return interrupted
  if (error.kind === 'timeout') return { message: `${url}: ${error.detail}`, exitCode: exitCodes.error }
  if (error.kind === 'network' && error.status === 0) {
    return { message: networkText(causeCode(error.cause), url), exitCode: exitCodes.error }
  }
  const { detail, fieldErrors } = error
  // The sentence of a single field is the detail already.
  const fields = fieldErrors.filter(({ message }) => !detail.includes(message))
  const lines = [detail || error.message, ...fields.map((each) => `  ${each.path}: ${each.message}`)]
  const wayOut = wayOutOf(error)
  if (wayOut !== undefined) lines.push(wayOut)
  if (error.requestId) lines.push(`Request ${error.requestId}`)
  const isRefused = error.status === 401 || error.status === 403
  return { message: lines.join('\n'), exitCode: isRefused ? exitCodes.refused : exitCodes.error }
}

function wayOutOf({ status, code }: ApiError): string | undefined {
  if (status === 401) return 'You are not logged in, or the login has ended. Run bey login, or set BEY_TOKEN.'
  if (code === 'step_up_required')
    return 'Run bey login again: confirming it in the browser counts as proof for 10 minutes.'
  if (code === 'organization_required') return 'Choose one with bey org switch, or add --organization.'
  if (code === 'route_not_found') return `bey ${version} and this server may differ: see bey version.`
  if (status === 429) return 'Wait a moment and run the command again.'
  // Its message says what there is to say.
  if (code === 'read_only') return undefined
  if (status === 503) return 'The server is starting or its database is away. Run the command again.'
  return undefined
}

const certificateCodes = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

function networkText(code: string, url: string): string {
  if (certificateCodes.has(code)) {
    return (
      `The certificate of ${url} is not trusted (${code}).\n` +
      'Check the address. For a certificate of your own, set NODE_EXTRA_CA_CERTS to the file of its authority.'
    )
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The name in ${url} is not known to this network. Check the address, or --url and BEY_URL.`
  if (code === 'ECONNREFUSED')
    return `Nothing answers at ${url}. Check that Bey runs there, or name another address with --url or BEY_URL.`
  return `No answer from ${url}${code === '' ? '' : ` (${code})`}. Check the network and run the command again.`
}

/** The code of the innermost cause, which `fetch` wraps; of several addresses that were tried the first. */
function causeCode(cause: unknown): string {
  if (!(cause instanceof Error)) return ''
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  if (cause instanceof AggregateError) return causeCode(cause.errors[0])
  return causeCode(cause.cause)
}
